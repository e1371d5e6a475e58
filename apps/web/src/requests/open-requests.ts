import type { TrackingRequest } from "@svc/domain";
import { type Html, html } from "../http/html.ts";
import { requestStateWords } from "./request-words.ts";

export interface OpenRequests {
  /** The newest of them. */
  readonly items: readonly TrackingRequest[];
  readonly total: number;
  readonly totalIsExact: boolean;
}

/** Numbers that are not shipments yet, or never became one. Nothing when there are none. */
export function openRequests({ items, total, totalIsExact }: OpenRequests): Html | null {
  if (items.length === 0) return null;
  const count = totalIsExact ? String(total) : `more than ${total}`;
  const row = (request: TrackingRequest) => html`
    <li><span class="number">${request.requestNumber}</span> <span class="muted">${request.scac ?? "line not known yet"}</span>
      <span class="${request.status === "failed" ? "late" : "muted"}">${requestStateWords(request)}</span></li>`;
  return html`
    <details id="open-requests" class="card open-requests">
      <summary>${count === "1" ? "1 number is" : `${count} numbers are`} not a shipment yet</summary>
      <ul>${items.map(row)}</ul>
      <p><a href="/tracking-requests">All tracking requests</a></p>
    </details>`;
}
