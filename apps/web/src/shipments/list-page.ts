import type { Instant, Page, Shipment } from "@svc/domain";
import type { CatalogueLine, ContainerSummary, StatusCounts } from "@svc/persistence";
import type { Caller } from "../access/callers.ts";
import { type Html, html } from "../http/html.ts";
import { type LivePage, livePage, part } from "../pages/live-page.ts";
import { type ApiCall, curlCommand, sameFromApi } from "../pages/same-from-api.ts";
import { type OpenRequests, openRequests } from "../requests/open-requests.ts";
import { activeFilters, searchForm, statusLinks } from "./list-filters.ts";
import { apiPathOf, isFiltered, type ListQuery, type ListSort, listPath, neighbours, sortWords } from "./list-query.ts";
import { listRow } from "./list-row.ts";

export interface ListPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** On the clock of what is tracked. */
  readonly now: Instant;
  readonly query: ListQuery;
  readonly page: Page<Shipment>;
  readonly counts: StatusCounts;
  /** By shipment. */
  readonly boxes: ReadonlyMap<string, ContainerSummary>;
  /** More match the search than were looked at. */
  readonly cut: boolean;
  readonly lines: readonly CatalogueLine[];
  readonly requests: OpenRequests;
}

/** The heading of a column that the list can be ordered by: leads to its first order, and from there back and forth. */
function sortable(query: ListQuery, words: string, [first, other]: readonly [ListSort, ListSort]): Html {
  const isSorted = query.sort === first || query.sort === other;
  const next = query.sort === first ? other : first;
  const direction = query.sort.startsWith("-") ? "descending" : "ascending";
  return html`
    <th scope="col"${isSorted && html` aria-sort="${direction}"`}><a href="${listPath(query, { sort: next })}">${words}<span class="hidden">: ${sortWords[next]}</span></a></th>`;
}

function table({ page, query, boxes, now }: ListPageOptions): Html {
  return html`
    <table class="list shipments">
      <caption class="hidden">Shipments. Order: ${sortWords[query.sort]}</caption>
      <thead><tr>
        <th scope="col">Shipment</th><th scope="col">Status</th><th scope="col">Route</th><th scope="col">Containers</th>
        <th scope="col">Departure</th>${sortable(query, "Arrival", ["arrival", "-arrival"])}<th scope="col">Line</th>
        ${sortable(query, "Updated", ["-updated_at", "updated_at"])}
      </tr></thead>
      <tbody>${page.items.map((shipment) => listRow(shipment, boxes.get(shipment.id), query, now))}</tbody>
    </table>`;
}

const firstRequest: ApiCall = {
  method: "POST",
  path: "/tracking_requests",
  body: {
    data: {
      type: "tracking_request",
      attributes: { request_type: "bill_of_lading", request_number: "…", scac: "…" },
    },
  },
};

/** Nothing is narrowed, and yet there is nothing: the page then says how to begin. */
const isFirstUse = ({ page, query }: ListPageOptions): boolean =>
  page.items.length === 0 && query.typed.trim() === "" && query.from === null && !isFiltered(query);

function nothing({ query, apiBaseUrl }: ListPageOptions): Html {
  const { typed } = query;
  const all = html`<p><a href="/shipments">Show all shipments</a></p>`;
  if (query.from) return html`<section class="card empty"><h2>The list ends before this page</h2>${all}</section>`;
  if (typed.trim() !== "") {
    return html`
      <section class="card empty">
        <h2>Nothing here matches “${typed}”</h2>
        <p>Container numbers, bills of lading, bookings and references of this account were searched${isFiltered(query) && ", within the filters above"}.</p>
        <p><a class="button" href="/track?number=${encodeURIComponent(typed.trim().toWellFormed())}">Track it as a new number</a></p>
        ${all}
      </section>`;
  }
  if (isFiltered(query)) {
    return html`<section class="card empty"><h2>No shipment is like that</h2><p>No shipment of this account passes the filters above.</p>${all}</section>`;
  }
  return html`
    <section class="card empty">
      <h2>No shipments yet</h2>
      <p>Give the service a bill of lading, booking or container number: it asks the carrier, and shows here what it hears.</p>
      <p><a class="button" href="/track">Track a number</a> <a href="/track/bulk">Track many</a></p>
      <p class="muted">The same from a program:</p>
      <pre tabindex="0">${curlCommand(apiBaseUrl, firstRequest)}</pre>
    </section>`;
}

function pages({ query, page }: ListPageOptions): Html | null {
  const { previous, next } = neighbours(query, page);
  if (previous === null && next === null) return null;
  return html`
    <nav class="pages" aria-label="Pages">
      ${query.from && html`<a href="${listPath(query)}">First page</a>`}
      ${previous && html`<a rel="prev" href="${previous}">← Before</a>`}
      ${next && html`<a rel="next" href="${next}">After →</a>`}
    </nav>`;
}

const numbers = new Intl.NumberFormat("en-GB");

function count({ page: { total, totalIsExact, items }, cut }: ListPageOptions): Html | null {
  if (items.length === 0) return null;
  const words = `${totalIsExact ? "" : "more than "}${numbers.format(total)} ${total === 1 ? "shipment" : "shipments"}`;
  const rest = cut && " Only the newest matches were looked at: type more of the number to see others.";
  return html`<p class="muted" role="status">${words}.${rest}</p>`;
}

export function listPage(options: ListPageOptions): LivePage {
  const { caller, query, page, counts, lines, requests } = options;
  return livePage({
    title: query.typed === "" ? "Shipments" : `Search: ${query.typed}`,
    caller,
    content: html`
      <div class="title"><h1>Shipments</h1>${caller.user && html`<a class="button" href="/track">Track a number</a>`}</div>
      ${searchForm(query, lines, page.items)}
      ${part("statuses", statusLinks(query, counts))}
      ${activeFilters(query)}
      ${part("requests", openRequests(requests))}
      ${part("rows", html`${count(options)} ${page.items.length > 0 ? table(options) : nothing(options)} ${pages(options)}`)}
      ${!isFirstUse(options) && sameFromApi(options.apiBaseUrl, [{ path: apiPathOf(query, options.now) }])}`,
  });
}
