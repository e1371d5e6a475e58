import { type Page, type TrackingRequest, type TrackingRequestStatus, trackingRequestStatuses } from "@svc/domain";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { type LivePage, part } from "../pages/live-page.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { localTime } from "../shipments/local-time.ts";
import { requestStateWords, requestStatusWords, requestTypeWords } from "./request-words.ts";
import { liveTrackingLayout } from "./track-page.ts";

export interface RequestsPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  readonly page: Page<TrackingRequest>;
  readonly status: TrackingRequestStatus | null;
  /** What was tracked just now, in words. */
  readonly note: string | null;
  /** Address of the next page. */
  readonly older: string | null;
}

export const requestsPath = (status: TrackingRequestStatus | null, after?: string): string => {
  const parameters = new URLSearchParams({ ...(status && { status }), ...(after && { after }) });
  return parameters.size === 0 ? "/tracking-requests" : `/tracking-requests?${parameters}`;
};

function row(request: TrackingRequest): Html {
  const { requestNumber, requestType, scac, refNumbers, shipmentTags, shipmentId, status, createdAt } = request;
  const number = html`<span class="number">${requestNumber}</span>`;
  return html`
    <tr><th scope="row" data-label="Number">${shipmentId ? html`<a class="row-link" href="/shipments/${shipmentId}">${number}</a>` : number}
        ${refNumbers.length > 0 && html`<span class="muted"> ${refNumbers.join(", ")}</span>`}
        ${shipmentTags.map((tag) => html` <span class="tag">${tag}</span>`)}</th>
      <td data-label="Kind">${requestTypeWords[requestType]}</td>
      <td data-label="Line">${scac ?? html`<span class="muted">not known yet</span>`}</td>
      <td data-label="State">${status === "failed" ? html`<span class="late">${requestStateWords(request)}</span>` : requestStateWords(request)}</td>
      <td data-label="Asked for">${localTime(createdAt, "UTC")}</td></tr>`;
}

/** `GET /tracking-requests`: what was asked to be tracked, and how far it came. */
export function requestsPage({ caller, apiBaseUrl, page, status, note, older }: RequestsPageOptions): LivePage {
  const link = (value: TrackingRequestStatus | null, words: string) =>
    html`<a href="${requestsPath(value)}"${value === status && html` aria-current="true"`}>${words}</a>`;
  return liveTrackingLayout({
    title: "Tracking requests",
    caller,
    way: "all",
    content: html`
      ${note && html`<p class="notice" role="status">${note}</p>`}
      <nav class="chips" aria-label="State">
        ${link(null, "All")}
        ${trackingRequestStatuses.map((value) => link(value, requestStatusWords[value]))}
      </nav>
      ${part(
        "rows",
        html`${
          page.items.length === 0
            ? html`<section class="card empty"><h2>${status ? "No request is in this state" : "Nothing was asked to be tracked yet"}</h2>
              <p><a href="/track">Track a number</a></p></section>`
            : html`<table class="list">
              <caption class="hidden">Tracking requests, the newest first</caption>
              <thead><tr><th scope="col">Number</th><th scope="col">Kind</th><th scope="col">Line</th><th scope="col">State</th><th scope="col">Asked for</th></tr></thead>
              <tbody>${page.items.map(row)}</tbody>
            </table>`
        }
      ${older && html`<nav class="pages" aria-label="Pages"><a rel="next" href="${older}">Older →</a></nav>`}`,
      )}
      ${sameFromApi(apiBaseUrl, [{ path: `/tracking_requests${apiQuery({ "filter[status]": status })}` }])}`,
  });
}
