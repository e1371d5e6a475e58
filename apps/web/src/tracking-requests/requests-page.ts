import { type Instant, instant } from "@svc/domain";
import { type TrackingRequestStatus, trackingRequestStatuses } from "@svc/domain/tracking-requests";
import type { MappedTrackingRequest } from "@svc/sdk";
import { type Html, html, listTable, localTime } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { customerListPath } from "../customers/customer-names.ts";
import { accountEvents, type LivePage, part } from "../pages/live-page.ts";
import { type NoticeTone, noticeBanner } from "../pages/notice-banner.ts";
import { pageLinks } from "../pages/page-links.ts";
import { printedLine, rowsText } from "../pages/printed-line.ts";
import { apiQuery, sameFromApi } from "../pages/same-from-api.ts";
import { firstReferences, otherReferences } from "../pages/visible-references.ts";
import type { ConnectionProblems } from "./connection-problems.ts";
import { requestStatusLabels, requestTypeLabels } from "./request-labels.ts";
import { requestState } from "./request-state.ts";
import { liveTrackingLayout } from "./track-page.ts";

/** Chips above the list: of `failed`, requests that need action; of `resolved`, failed ones that do not any more. */
export const listedStatuses = [...trackingRequestStatuses, "resolved"] as const;

/** States whose requests are counted: those that wait or need action. */
export const countedStatuses = ["failed", "pending", "awaiting_manifest"] as const satisfies readonly ListedStatus[];
export type ListedStatus = (typeof listedStatuses)[number];

const statusLabels: Readonly<Record<ListedStatus, string>> = { ...requestStatusLabels, resolved: "Resolved" };

export interface RequestsPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** Current time of the tracking clock. */
  readonly now: Instant;
  readonly items: readonly MappedTrackingRequest[];
  readonly number: number;
  readonly hasMore: boolean;
  readonly status: ListedStatus | null;
  /** Part of a number or reference that the list is limited to; empty: all. */
  readonly search: string;
  /** Number of requests of a state, "12" or "1000+", within the search. */
  readonly counts: ReadonlyMap<ListedStatus, string>;
  /** Names the numbers that were just submitted. */
  readonly note: { readonly tone: NoticeTone; readonly text: Html | string } | null;
  /** A number that was just submitted has no shipment yet. */
  readonly isPending: boolean;
  /** Address of the shipment of the number that was just submitted. */
  readonly opens: string | null;
  readonly problems: ConnectionProblems;
  /** Ids of failed requests that need no action any more. */
  readonly resolved: ReadonlySet<string>;
}

interface StatusFilter {
  readonly status?: TrackingRequestStatus;
  readonly resolved?: boolean;
}

/** The filters of the API for a chip. */
export function toStatusFilter(status: ListedStatus | null): StatusFilter {
  if (status === null) return {};
  if (status === "resolved") return { status: "failed", resolved: true };
  return status === "failed" ? { status, resolved: false } : { status };
}

const requestsPath = (status: ListedStatus | null, search: string, page = 1): string => {
  const parameters = new URLSearchParams({
    ...(status && { status }),
    ...(search !== "" && { number: search }),
    ...(page > 1 && { page: String(page) }),
  });
  return parameters.size === 0 ? "/tracking-requests" : `/tracking-requests?${parameters}`;
};

function row(request: MappedTrackingRequest, { caller, problems, resolved, ...page }: RequestsPageOptions): Html {
  const back = requestsPath(page.status, page.search, page.number);
  const state = { caller, problem: problems.get(request.id), isResolved: resolved.has(request.id), back };
  const { requestNumber, requestType, scac, refNumbers, shipmentTags, shipment, customer, createdAt } = request;
  const name = customer?.companyName ?? "";
  const named = name !== "" && html`<a href="${customerListPath("/shipments", name)}">${name}</a>`;
  const number = html`<span class="number">${requestNumber}</span>`;
  const undetected = request.status === "failed" ? "not detected" : "not detected yet";
  return html`
    <tr><th scope="row" data-label="Number">
        ${shipment ? html`<a class="row-link" href="/shipments/${shipment.id}">${number}</a>` : number}
        <span class="muted">${firstReferences(refNumbers)}</span>
        ${shipmentTags.map((tag) => html` <span class="tag">${tag}</span>`)}
        ${otherReferences(refNumbers, request.id)}
        ${named && html`<span class="below">${named}</span>`}</th>
      <td class="phrase" data-label="Type">${requestTypeLabels[requestType]}</td>
      <td data-label="Carrier">${scac ?? html`<span class="muted">${undetected}</span>`}</td>
      <td data-label="Status">${requestState(request, state)}</td>
      <td data-label="Requested">${localTime(instant(createdAt), "UTC")}</td></tr>`;
}

function nothing({ status, search }: RequestsPageOptions): string {
  if (search !== "") return `No requests match “${search}”`;
  return status ? "No requests in this state" : "No tracking requests yet";
}

/** `GET /tracking-requests`: tracking requests and their state. */
export function requestsPage(options: RequestsPageOptions): LivePage {
  const { caller, apiBaseUrl, items, status, search, counts, note, isPending, opens } = options;
  const { status: statusFilter = null, resolved = null } = toStatusFilter(status);
  const filter = {
    "filter[status]": statusFilter,
    "filter[resolved]": resolved === null ? null : String(resolved),
    "filter[search]": search || null,
  };
  const link = (value: ListedStatus | null, label: string) => {
    const count = value && counts.get(value);
    return html`<a href="${requestsPath(value, search)}"${value === status && html` aria-current="true"`}>${label}${count && html` <span class="count">${count}</span>`}</a>`;
  };
  const needsAction = (counts.get("failed") ?? "0") !== "0";
  const ordered = needsAction
    ? (["failed", ...listedStatuses.filter((one) => one !== "failed")] as const)
    : listedStatuses;
  return liveTrackingLayout({
    title: "Tracking requests",
    caller,
    way: "all",
    events: accountEvents,
    isPending,
    opens,
    content: html`
      ${part("note", note && noticeBanner(note.tone, note.text))}
      ${part(
        "states",
        html`<nav class="chips" aria-label="Status">
          ${link(null, "All")}
          ${ordered.map((value) => link(value, statusLabels[value]))}
        </nav>`,
      )}
      <form class="search" role="search" aria-label="This list" action="/tracking-requests" data-in-place>
        ${status && html`<input type="hidden" name="status" value="${status}">`}
        <label class="hidden" for="f-number">Number or reference</label>
        <input id="f-number" name="number" value="${search}" maxlength="100" placeholder="Number or reference">
        <button class="quiet">Filter</button>
      </form>
      ${
        search !== "" &&
        html`<ul class="active" aria-label="Filters that are on"><li><a href="${requestsPath(status, "")}"><span
          class="hidden">Remove the filter</span> Number: ${search} <span aria-hidden="true">×</span></a></li></ul>`
      }
      ${printedLine({
        filters: [
          ...(status ? [{ name: "Status", value: statusLabels[status] }] : []),
          ...(search === "" ? [] : [{ name: "Number", value: search }]),
        ],
        order: "time of the request, the newest first",
        rows: rowsText(items.length, null, ["request", "requests"]),
        now: options.now,
      })}
      ${part(
        "rows",
        html`${
          items.length === 0
            ? html`<section class="card empty">
              <h2>${nothing(options)}</h2>
              ${may(caller, "track") && html`<p><a href="/track">Track a number</a></p>`}</section>`
            : listTable({
                className: "names",
                caption: "Tracking requests, the newest first",
                columns: ["Number", "Type", "Carrier", "Status", "Requested"],
                rows: items.map((request) => row(request, options)),
              })
        }
      ${pageLinks({ ...options, addressOf: (number) => requestsPath(status, search, number) })}`,
      )}
      ${sameFromApi(apiBaseUrl, [{ path: `/tracking_requests${apiQuery(filter)}` }])}`,
  });
}
