import type { MappedTrackingRequest } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { type ConnectionProblem, type ConnectionProblems, problemLink, problemText } from "./connection-problems.ts";
import { requestStateText } from "./request-labels.ts";
import { dismissForm, retryPath } from "./request-state.ts";

/** Tracking requests without a shipment. */
export interface OpenRequests {
  /** The newest of them. */
  readonly items: readonly MappedTrackingRequest[];
  /** "4", or "1000+". */
  readonly pending: string;
  readonly problems: ConnectionProblems;
  /** Number of failed requests, without those that need no action any more. */
  readonly failed: string;
}

export const noOpenRequests: OpenRequests = { items: [], pending: "0", failed: "0", problems: new Map() };

function row(request: MappedTrackingRequest, problem: ConnectionProblem | undefined, caller: Caller): Html {
  const { requestNumber, scac, status } = request;
  const isFailed = status === "failed";
  const state = problem ? problemText(problem) : requestStateText(request);
  return html`
    <li><span class="number">${requestNumber}</span> <span class="muted">${scac ?? "carrier not detected yet"}</span>
      <span class="${isFailed || problem ? "late" : "muted"}">${state}</span>
      ${problem && problemLink(problem, scac, caller)}
      ${isFailed && may(caller, "track") && html`<a href="${retryPath(request)}">Retry</a>`}
      ${isFailed && may(caller, "handle_exceptions") && dismissForm(request, "/shipments")}</li>`;
}

export const requestList = ({ items, problems }: OpenRequests, caller: Caller): Html =>
  html`<ul>${items.map((request) => row(request, problems.get(request.id), caller))}</ul>`;

/** "4 pending · 5 failed · MAEU not connected" with the newest requests; null when there are none. */
export function openRequests(requests: OpenRequests, caller: Caller): Html | null {
  const { items, pending, failed, problems } = requests;
  if (items.length === 0) return null;
  const unconnected = items.flatMap(({ id, scac }) => (problems.get(id) === "not_connected" ? (scac ?? []) : []));
  const counts = [
    ...(pending === "0" ? [] : [`${pending} pending`]),
    ...(failed === "0" ? [] : [`${failed} failed`]),
    ...[...new Set(unconnected)].map((scac) => `${scac} not connected`),
  ];
  return html`
    <details id="open-requests" class="open-requests">
      <summary>Tracking requests: ${counts.join(" · ")}</summary>
      ${requestList(requests, caller)}
      <p><a href="/tracking-requests">All tracking requests</a></p>
    </details>`;
}
