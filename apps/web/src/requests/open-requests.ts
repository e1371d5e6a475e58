import type { MappedTrackingRequest } from "@svc/sdk";
import { type Html, html } from "@svc/views";
import { requestStateText } from "./request-labels.ts";

/** Tracking requests without a shipment. */
export interface OpenRequests {
  /** The newest of them. */
  readonly items: readonly MappedTrackingRequest[];
  /** "4", or "1000+". */
  readonly pending: string;
  readonly failed: string;
}

export const noOpenRequests: OpenRequests = { items: [], pending: "0", failed: "0" };

type Retried = Pick<MappedTrackingRequest, "requestNumber" | "scac" | "refNumbers" | "shipmentTags">;

/** The form with what the request has. */
export function retryPath({ requestNumber, scac, refNumbers, shipmentTags }: Retried): string {
  const fields: [string, string][] = [
    ["number", requestNumber.toWellFormed()],
    ["line", scac ?? ""],
    ["references", refNumbers.join(", ")],
    ["tags", shipmentTags.join(", ")],
  ];
  return `/track?${new URLSearchParams(fields.filter(([, value]) => value !== ""))}`;
}

function row(request: MappedTrackingRequest, mayTrack: boolean): Html {
  const { requestNumber, scac, status } = request;
  const isFailed = status === "failed";
  return html`
    <li><span class="number">${requestNumber}</span> <span class="muted">${scac ?? "carrier not detected yet"}</span>
      <span class="${isFailed ? "late" : "muted"}">${requestStateText(request)}</span>
      ${isFailed && mayTrack && html`<a href="${retryPath(request)}">Retry</a>`}</li>`;
}

export const requestList = (items: readonly MappedTrackingRequest[], mayTrack: boolean): Html =>
  html`<ul>${items.map((request) => row(request, mayTrack))}</ul>`;

/** "4 pending · 5 failed" with the newest requests; null when there are none. */
export function openRequests({ items, pending, failed }: OpenRequests, mayTrack: boolean): Html | null {
  if (items.length === 0) return null;
  const counts = [pending !== "0" && `${pending} pending`, failed !== "0" && `${failed} failed`].filter((part) => part);
  return html`
    <details id="open-requests" class="open-requests">
      <summary>Tracking requests: ${counts.join(" · ")}</summary>
      ${requestList(items, mayTrack)}
      <p><a href="/tracking-requests">All tracking requests</a></p>
    </details>`;
}
