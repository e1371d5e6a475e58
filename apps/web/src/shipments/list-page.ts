import { type Instant, plural } from "@svc/domain";
import { readSearchQuery } from "@svc/domain/search";
import type { ListDocument, OverviewCountResource, ShipmentOverviewResource } from "@svc/sdk";
import { formatNumber, type Html, html, listTable, wideColumn } from "@svc/views";
import { type Caller, may } from "../access/callers.ts";
import { chosenFields, fieldHeadings, fieldLabels, type ListField } from "../custom-fields/list-fields.ts";
import { exportMenu } from "../exports/export-menu.ts";
import { filterChips } from "../pages/filter-chips.ts";
import { listHead } from "../pages/list-head.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { neighbourLinks } from "../pages/page-links.ts";
import { printedLine, rowsText } from "../pages/printed-line.ts";
import { type ApiCall, curlCommand, sameFromApi } from "../pages/same-from-api.ts";
import { allRowsCheckbox } from "../rows/rows-form.ts";
import { mayChangeRows, shipmentRowsForm } from "../rows/shipment-rows.ts";
import { unknownPortNote } from "../saved-views/unknown-port.ts";
import { type ListViews, viewBar, viewTools } from "../saved-views/view-bar.ts";
import { withoutView } from "../saved-views/view-parameters.ts";
import { looksLikeNumber, type NamedRecords } from "../search/find-named.ts";
import { namedList, namedNote } from "../search/named-note.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import { type OpenRequests, openRequests, requestList } from "../tracking-requests/open-requests.ts";
import { chosenFilters, printedFilters, searchForm, statusLinks, withoutFilters } from "./list-filters.ts";
import {
  apiPathOf,
  isFiltered,
  type ListQuery,
  type ListSort,
  listPath,
  neighbours,
  readListQuery,
  sortLabels,
} from "./list-query.ts";
import { columnLabels, listRow, type ShipmentColumn, shownColumns, wideColumns } from "./list-row.ts";

export interface ListPageOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** Present time on the clock of the tracked shipments. */
  readonly now: Instant;
  readonly query: ListQuery;
  /** Custom fields of shipments. */
  readonly fields: readonly ListField[];
  readonly page: ListDocument<ShipmentOverviewResource>;
  /** Number of shipments by status. */
  readonly counts: readonly OverviewCountResource[];
  /** Number of shipments that arrive in seven days, within the other filters. */
  readonly arriving: number;
  readonly lines: readonly CarrierChoice[];
  /** SCACs of carriers that are not connected, if a row waits for data. */
  readonly unconnected: ReadonlySet<string>;
  readonly requests: OpenRequests;
  /** The shipments by what the text of a search names. */
  readonly named: readonly NamedRecords[];
  /** No port has the name or UN/LOCODE of the filter. */
  readonly isUnknownPort: boolean;
  readonly views: ListViews | null;
  /** Note about the action on rows that was just performed. */
  readonly note: Html | null;
}

/** The heading of a sortable column; its link toggles between the two orders. */
function sortable(
  query: ListQuery,
  text: string,
  [first, other]: readonly [ListSort, ListSort],
  className?: string,
): Html {
  const isSorted = query.sort === first || query.sort === other;
  const next = query.sort === first ? other : first;
  const direction = query.sort.startsWith("-") ? "descending" : "ascending";
  const order = isSorted && html` aria-sort="${direction}"`;
  const content = html`${text}<span class="hidden">: ${sortLabels[next]}</span>`;
  const classAttribute = className && html` class="${className}"`;
  return html`
    <th scope="col"${classAttribute}${order}><a href="${listPath(query, { sort: next })}">${content}</a></th>`;
}

function table({ caller, page, query, fields, lines, unconnected, now }: ListPageOptions): Html {
  const { columns } = query;
  const hasDefaultColumns = columns.length === 0;
  const [hasCheckboxes, mayShare] = [mayChangeRows(caller), may(caller, "share")];
  const matches = new Map(page.meta?.search?.containers.map((container) => [container.shipment_id, container]));
  const custom = chosenFields(query, fields);
  const lineNames = new Map(lines.map(({ scac, shortName }) => [scac, shortName]));
  const heading = (column: ShipmentColumn) => {
    const label = columnLabels[column];
    if (column === "arrival") return sortable(query, label, ["arrival", "-arrival"]);
    if (column === "updated")
      return sortable(query, label, ["-last_changed_at", "last_changed_at"], hasDefaultColumns ? "wide" : undefined);
    return hasDefaultColumns && (column === "departure" || column === "carrier") ? wideColumn(label) : label;
  };
  return listTable({
    className: `dense cards shipments${hasDefaultColumns ? "" : " chosen"}${hasCheckboxes ? " picks" : ""}`,
    caption: `Shipments. Order: ${sortLabels[query.sort]}`,
    columns: [
      html`<th scope="col">${hasCheckboxes && allRowsCheckbox}Shipment</th>`,
      ...shownColumns(query).map(heading),
      ...fieldHeadings(custom),
      ...(mayShare ? [html`<th class="act" scope="col"><span class="hidden">Actions</span></th>`] : []),
    ],
    rows: page.data.map((shipment) =>
      listRow(shipment, { matches, lineNames, unconnected, query, custom, now, mayShare, hasBox: hasCheckboxes }),
    ),
  });
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

/** Whether the account has no shipments: the page then explains the first step. */
const isFirstUse = ({ page, query }: ListPageOptions): boolean =>
  page.data.length === 0 && query.typed.trim() === "" && query.from === null && !isFiltered(query);

const namedPath = (filter: NamedRecords["filter"]): string => `/shipments?${new URLSearchParams(filter)}`;

function nothing({ caller, query, apiBaseUrl, requests, named }: ListPageOptions): Html {
  const { typed } = query;
  const all = html`<p><a href="${listPath(readListQuery({ saved: withoutView }))}">Show all shipments</a></p>`;
  if (query.from) return html`<section class="card empty"><h2>No more shipments</h2>${all}</section>`;
  if (requests.items.length > 0 && typed.trim() !== "") {
    return html`
      <section class="card empty">
        <h2>No shipment yet for “${typed}”</h2>
        ${requestList(requests, caller)}
        <p><a href="/tracking-requests">All tracking requests</a></p>
        ${all}
      </section>`;
  }
  if (typed.trim() !== "") {
    const isNumber = named.length === 0 && looksLikeNumber(typed);
    return html`
      <section class="card empty">
        <h2>No shipments match “${typed}”</h2>
        <p>Searched: container numbers, bills of lading, bookings, references and custom
          fields${isFiltered(query) && ", within the filters above"}; then vessels, ports, customers and tags.</p>
        ${namedList(named, namedPath)}
        ${
          may(caller, "track") &&
          html`<p><a${isNumber && html` class="button"`}
          href="/track?number=${encodeURIComponent(typed.trim().toWellFormed())}">Track it as a new number</a></p>`
        }
        ${all}
      </section>`;
  }
  if (isFiltered(query)) {
    return html`<section class="card empty"><h2>No shipments match these filters</h2>${all}</section>`;
  }
  return html`
    <section class="card empty">
      <h2>No shipments yet</h2>
      <p>Enter a bill of lading, booking or container number. We query the carrier and show updates here.</p>
      ${
        may(caller, "track") &&
        html`<p><a class="button" href="/track">Track a number</a> <a href="/track/bulk">Track many</a></p>`
      }
      <p class="muted">API request:</p>
      <pre tabindex="0">${curlCommand(apiBaseUrl, firstRequest)}</pre>
    </section>`;
}

function pages({ query, page }: ListPageOptions): Html | null {
  const { previous, next } = neighbours(query, page);
  return neighbourLinks({ previous, next, first: query.from && listPath(query) });
}

/** Shorter texts are searched in the newest shipments only (find-matching-shipments.ts). */
const longText = 3;

function count({ query, page: { data, meta } }: ListPageOptions): Html | null {
  if (data.length === 0) return null;
  const { total = 0, total_is_exact: isExact } = meta?.page ?? {};
  const text = `${formatNumber(total)}${isExact === false ? "+" : ""} ${plural(total, "shipment")}`;
  const isShort = (readSearchQuery(query.typed)?.text.length ?? longText) < longText;
  const short = isShort && ". One or two characters are searched in the newest 1,000 shipments only";
  const rest =
    meta?.search?.is_complete === false && ". Not all matches are shown: type more of the number to see others";
  const order = ` · ${sortLabels[query.sort].toLowerCase()}`;
  return html`<p class="muted" role="status">${text}${order}${short}${rest}</p>`;
}

function tools({ views, query, fields }: ListPageOptions): Html {
  const wide = query.columns.length === 0 ? wideColumns : new Set<ShipmentColumn>();
  const labels = { ...columnLabels, ...fieldLabels(fields) };
  const shown = [...shownColumns(query), ...query.columns];
  return html`${viewTools(views, { labels, shown, wide })} ${exportMenu((ending) => listPath(query, {}, ending))}`;
}

function printed({ query, page: { data, meta }, now }: ListPageOptions): Html {
  const { total = null, total_is_exact: isExact } = meta?.page ?? {};
  return printedLine({
    filters: printedFilters(query),
    order: sortLabels[query.sort].toLowerCase(),
    rows: rowsText(data.length, total, ["shipment", isExact === false ? "shipments or more" : "shipments"]),
    now,
  });
}

export function listPage(options: ListPageOptions): LivePage {
  const { caller, query, page, lines, requests } = options;
  const rows = page.data.length > 0 ? table(options) : nothing(options);
  return livePage({
    title: query.typed === "" ? "Shipments" : `Search: ${query.typed}`,
    caller,
    events: accountEvents,
    content: html`
      ${listHead({
        heading: "Shipments",
        form: searchForm(query, lines, page.data),
        count: count(options),
        tools: isFirstUse(options) ? null : tools(options),
      })}
      ${viewBar(options.views)}
      <div class="chip-bar">
        ${part("statuses", statusLinks(query, options))}
        ${part("requests", (page.data.length > 0 || query.typed === "") && openRequests(requests, caller))}</div>
      ${filterChips(chosenFilters(query), withoutFilters(query))}
      ${options.isUnknownPort && unknownPortNote(query.port)}
      ${part("named", (page.data.length > 0 || requests.items.length > 0) && namedNote(options.named, namedPath))}
      ${part("note", options.note)}
      ${mayChangeRows(caller) && shipmentRowsForm(listPath(query, { from: query.from }), "shipments")}
      ${printed(options)}
      ${part("rows", html`${rows} ${pages(options)}`)}
      ${!isFirstUse(options) && sameFromApi(options.apiBaseUrl, [{ path: apiPathOf(query, options.now) }])}`,
  });
}
