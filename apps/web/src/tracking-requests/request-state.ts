import { instant } from "@svc/domain";
import {
  type FailedReason,
  failedReasonText,
  type RequestType,
  type TrackingRequestStatus,
} from "@svc/domain/tracking-requests";
import type { MappedTrackingRequest } from "@svc/sdk";
import { type Html, html, localTime } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { customerListPath } from "../customers/customer-names.ts";
import { fact } from "../pages/fact.ts";
import { type ConnectionProblem, problemLink, problemText } from "./connection-problems.ts";
import { detectType } from "./read-numbers.ts";
import { requestStateText, requestStatusLabels, requestTypeLabels } from "./request-labels.ts";

/** Looks of the marks of requests that have not failed. */
const stateClasses: Partial<Record<TrackingRequestStatus, string>> = { created: "good", tracking_stopped: "calm" };

export type Retried = Pick<
  MappedTrackingRequest,
  "id" | "requestNumber" | "requestType" | "failedReason" | "scac" | "refNumbers" | "shipmentTags" | "customer"
>;

/** The form with what the request has, which its request replaces. */
export function retryPath(request: Retried): string {
  const { id, requestNumber, requestType, scac, refNumbers, shipmentTags, customer } = request;
  const fields: [string, string][] = [
    ["number", requestNumber.toWellFormed()],
    ["type", requestType === detectType("auto", requestNumber) ? "" : requestType],
    ["carrier", scac ?? ""],
    ["references", refNumbers.join(", ")],
    ["tags", shipmentTags.join(", ")],
    ["customer", customer?.id ?? ""],
    ["replaces", id],
  ];
  return `/track?${new URLSearchParams(fields.filter(([, value]) => value !== ""))}`;
}

/** The same form, which begins with the number. */
export function correctionLink(request: Retried, className = "phrase"): Html {
  const corrected = new URLSearchParams({ corrects: request.requestNumber.toWellFormed() });
  return html`<a href="${`${retryPath(request)}&${corrected}`}" class="${className}">Correct the number</a>`;
}

/** Types that numbers do not distinguish, with the other of each. */
const otherTypes: Partial<Record<RequestType, RequestType>> = {
  bill_of_lading: "booking_number",
  booking_number: "bill_of_lading",
};

const unknownReasons: ReadonlySet<FailedReason | null> = new Set(["expired", "not_found", "invalid_number"]);

/** The same form with the other type, for a number that the carrier did not find as this one. Null: there is none. */
export function otherTypeLink(request: Retried, className = "phrase"): Html | null {
  const requestType = otherTypes[request.requestType];
  if (requestType === undefined || !unknownReasons.has(request.failedReason)) return null;
  const label = `Try as ${requestTypeLabels[requestType].toLowerCase()}`;
  return html`<a href="${retryPath({ ...request, requestType })}" class="${className}">${label}</a>`;
}

export interface RequestStateOptions {
  readonly caller: Caller;
  readonly problem: ConnectionProblem | undefined;
  /** Whether it failed and needs no action any more. */
  readonly isResolved: boolean;
  /** URL of the page. Null: the page has the actions and the reason of a failure in another place. */
  readonly back: string | null;
}

/** A form that works without JavaScript. `back`: URL of the page it is on. */
export const dismissForm = ({ id, requestNumber }: MappedTrackingRequest, back: string): Html => html`
  <form class="row-actions" method="post" action="/tracking-requests/${id}/dismiss" data-keep-place>
    <input type="hidden" name="back" value="${back}">
    <button class="quiet" aria-label="Resolve: ${requestNumber}">Resolve</button>
  </form>`;

const withInitial = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Renders the state of a request, with the possible next steps. */
export function requestState(request: MappedTrackingRequest, options: RequestStateOptions): Html | string {
  const { requestNumber, scac, status, failedReason } = request;
  const { caller, problem, isResolved, back } = options;
  if (problem !== undefined) {
    return html`<span class="state bad">${problemText(problem)}</span> ${problemLink(problem, scac, caller)}`;
  }
  const text = requestStateText(request);
  if (failedReason === "duplicate") {
    return html`<span class="state calm">${text}</span> <a href="/shipments/find?q=${encodeURIComponent(requestNumber.toWellFormed())}">Show</a>`;
  }
  if (status !== "failed") return html`<span class="state ${stateClasses[status] ?? ""}">${text}</span>`;
  // A page that has the actions in another place also has the reason there.
  const reason = back !== null && failedReason && withInitial(failedReasonText[failedReason]);
  if (isResolved) {
    return html`<span class="state calm">${requestStatusLabels.failed}</span> ${reason} <span
      class="muted">resolved</span>`;
  }
  const failed = html`<span class="state bad">${requestStatusLabels.failed}</span> ${reason}`;
  if (back === null) return failed;
  const retry =
    may(caller, "track") &&
    html`<a href="${retryPath(request)}">Retry</a> ${otherTypeLink(request)} ${correctionLink(request)}`;
  const dismiss = may(caller, "handle_exceptions") && dismissForm(request, back);
  return html`${failed}
    ${(retry || dismiss) && html`<div class="row-actions">${retry} ${dismiss}</div>`}`;
}

/** A request, for a page that has the actions and the reason of its failure in another place. */
export function requestCard(request: MappedTrackingRequest, options: Omit<RequestStateOptions, "back">): Html {
  const { requestNumber, requestType, scac, refNumbers, shipmentTags, customer, createdAt } = request;
  const name = customer?.companyName ?? "";
  return html`
    <section class="card"><h2>Tracking request</h2>
      <dl>
        ${fact(requestTypeLabels[requestType], html`<span class="number">${requestNumber}</span>`)}
        ${fact("Carrier", scac ?? html`<span class="muted">not detected</span>`)}
        ${fact("Status", requestState(request, { ...options, back: null }))}
        ${fact("Customer", name === "" ? null : html`<a href="${customerListPath("/shipments", name)}">${name}</a>`)}
        ${fact("References", refNumbers.join(", ") || null)}
        ${fact("Tags", shipmentTags.join(", ") || null)}
        ${fact("Requested", localTime(instant(createdAt), "UTC"))}
      </dl></section>`;
}
