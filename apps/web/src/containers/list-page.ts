import { type Instant, plural } from "@svc/domain";
import type { ContainerOverviewResource } from "@svc/jsonapi/overviews";
import { formatNumber, type Html, html, listTable } from "@svc/views";
import type { Caller } from "../access/callers.ts";
import { chosenFields, fieldHeadings, fieldLabels, type ListField } from "../custom-fields/list-fields.ts";
import { exportMenu } from "../exports/export-menu.ts";
import { mapPath } from "../map/map-query.ts";
import { listHead } from "../pages/list-head.ts";
import { accountEvents, type LivePage, livePage, part } from "../pages/live-page.ts";
import { neighbourLinks } from "../pages/page-links.ts";
import { printedLine, rowsText } from "../pages/printed-line.ts";
import { sameFromApi } from "../pages/same-from-api.ts";
import { allRowsCheckbox } from "../rows/rows-form.ts";
import { mayChangeRows, shipmentRowsForm } from "../rows/shipment-rows.ts";
import { unknownPortNote } from "../saved-views/unknown-port.ts";
import { type ListViews, viewBar, viewTools } from "../saved-views/view-bar.ts";
import { withoutView } from "../saved-views/view-parameters.ts";
import type { NamedRecords } from "../search/find-named.ts";
import { matchedNameNote, namedList, namedNote } from "../search/named-note.ts";
import type { CarrierChoice } from "../tracking-requests/carrier-menu.ts";
import type { ConditionCounts } from "./condition-counts.ts";
import { conditionLinks } from "./condition-links.ts";
import { namedQuery } from "./find-containers.ts";
import { activeFilters, filterForm, printedFilters } from "./list-filters.ts";
import {
  type ContainerQuery,
  containerSorts,
  containersApiPath,
  containersPath,
  isDefaultSort,
  leavesOutReturned,
  leavesOutStopped,
  listsLateContainers,
  pageSize,
  sortText,
} from "./list-query.ts";
import {
  type ContainerColumn,
  columnClass,
  columnLabels,
  containerRow,
  visibleColumns,
  wideColumns,
} from "./list-row.ts";

export interface ContainerListOptions {
  readonly caller: Caller;
  readonly apiBaseUrl: string;
  /** Current time of the tracking clock. */
  readonly now: Instant;
  /** The query as asked for, with the text of the search. */
  readonly query: ContainerQuery;
  /** The filters of the rows: those of the query, or of what its text names. */
  readonly shown: ContainerQuery;
  /** Custom fields of containers. */
  readonly fields: readonly ListField[];
  /** Records that the text of the search names. */
  readonly named: readonly NamedRecords[];
  readonly isUnknownPort: boolean;
  readonly items: readonly ContainerOverviewResource[];
  readonly total: number | null;
  /** False: the search has more matches, which are older. */
  readonly isWhole: boolean;
  readonly lines: readonly CarrierChoice[];
  readonly views: ListViews | null;
  /** Of the other conditions, within the filters of `shown`. */
  readonly counts: ConditionCounts | null;
  /** Note about the action on rows that was just performed. */
  readonly note: Html | null;
}

/** "last free day, ascending". */
export const orderText = ({ sortBy, descending }: ContainerQuery): string =>
  `${containerSorts[sortBy].toLowerCase()}, ${orderLabel(descending)}`;

function printed({ query, items, total, now }: ContainerListOptions): Html {
  return printedLine({
    filters: printedFilters(query),
    order: orderText(query),
    rows: rowsText(items.length, total, ["container", "containers"]),
    now,
  });
}

const listState = (query: ContainerQuery): Html => html`
  ${query.columns.length > 0 && html`<input type="hidden" name="columns" value="${query.columns.join(",")}">`}
  ${query.saved && html`<input type="hidden" name="saved" value="${query.saved}">`}
  ${!isDefaultSort(query) && html`<input type="hidden" name="sort" value="${sortText(query)}">`}`;

const orderLabel = (descending: boolean): string => (descending ? "descending" : "ascending");

/** Header of a sortable column: the link sorts ascending, or descending when it is sorted ascending. */
function sortable(
  query: ContainerQuery,
  sortBy: keyof typeof containerSorts,
  className: string | null = null,
  checkbox: Html | null = null,
): Html {
  const isSorted = query.sortBy === sortBy;
  const descending = isSorted && !query.descending;
  const sort = isSorted && html` aria-sort="${orderLabel(query.descending)}"`;
  const path = containersPath(query, { sortBy, descending });
  const content = html`${containerSorts[sortBy]}<span class="hidden">: sort ${orderLabel(descending)}</span>`;
  return html`
    <th scope="col"${className && html` class="${className}"`}${sort}>${checkbox}<a href="${path}">${content}</a></th>`;
}

const sortKeys = {
  last_free_day: "last_free_day",
  arrival: "arrival",
  delay: "delay",
  updated: "last_changed_at",
} as const satisfies Partial<Record<ContainerColumn, keyof typeof containerSorts>>;

function table({ caller, shown: query, fields, items, now }: ContainerListOptions): Html {
  const hasCheckboxes = mayChangeRows(caller);
  const hasDefaultColumns = query.columns.length === 0;
  const wide = wideColumns(query);
  const custom = chosenFields(query, fields);
  const heading = (column: ContainerColumn) => {
    const className = columnClass(column, wide);
    if (Object.hasOwn(sortKeys, column)) return sortable(query, sortKeys[column as keyof typeof sortKeys], className);
    return className === null
      ? columnLabels[column]
      : html`<th class="${className}" scope="col">${columnLabels[column]}</th>`;
  };
  return listTable({
    className: `dense cards containers${hasDefaultColumns && !listsLateContainers(query) ? "" : " chosen"}${hasCheckboxes ? " picks" : ""}`,
    caption: `Containers by ${orderText(query)}`,
    columns: [
      sortable(query, "number", null, hasCheckboxes ? allRowsCheckbox : null),
      ...visibleColumns(query).map(heading),
      ...fieldHeadings(custom),
    ],
    rows: items.map((item) => containerRow(item, { query, custom, now, hasCheckbox: hasCheckboxes })),
  });
}

function pages({ shown: query, items, total }: ContainerListOptions): Html | null {
  const { page } = query;
  const hasMore = total === null ? items.length === pageSize : page * pageSize < total;
  return neighbourLinks({
    previous: page > 1 ? containersPath(query, { page: page - 1 }) : null,
    next: hasMore ? containersPath(query, { page: page + 1 }) : null,
  });
}

const lastFreeDayClock = " · Days in local time of the pickup place";

/** The containers that cost and that a list of tracked ones leaves out, which a count of it would hide. */
function stoppedOver({ shown: query, counts }: ContainerListOptions): Html | null {
  const stopped = counts?.get("stopped_over") ?? 0;
  if (stopped === 0 || query.view !== "all" || !leavesOutStopped(query)) return null;
  const path = containersPath(query, { view: "last_free_day_over", tracking: "stopped" });
  return html` · <a href="${path}">${formatNumber(stopped)} more over the last free day</a>, tracking stopped`;
}

function count(options: ContainerListOptions): Html {
  const { total, isWhole, shown: query } = options;
  const text = total !== null && `${formatNumber(total)} ${plural(total, "container")}`;
  const week = query.view === "last_free_day_this_week" && "; the week ends on Sunday";
  const clock = query.view.startsWith("last_free_day") && html`${lastFreeDayClock}${week}`;
  const rest = !isWhole && ". Not all matches are shown: type more of the number to see others";
  return html`<p class="muted" role="status">${text}${stoppedOver(options)}${clock}${rest}</p>`;
}

function tools({ views, fields, query: requestedQuery, shown: query }: ContainerListOptions): Html {
  const columns = {
    labels: { ...columnLabels, ...fieldLabels(fields) },
    shown: [...visibleColumns(requestedQuery), ...requestedQuery.columns],
    wide: wideColumns(requestedQuery),
  };
  return html`${viewTools(views, columns)}
    <a class="button quiet" href="${mapPath(query)}">On the map</a>
    ${exportMenu((ending) => containersPath(query, {}, ending))}`;
}

/** Renders, below the rows, which containers the list leaves out. */
function leftOut({ shown: query }: ContainerListOptions): Html | null {
  if (!leavesOutReturned(query)) return null;
  const all = containersPath(query, { tracking: "any", returned: "any" });
  return html`<p class="muted">Returned and stopped containers are hidden. <a href="${all}">Show all</a></p>`;
}

/** Note for a search without results: where was searched, and where to search more. */
export const searchedNote = (number: string, named: Html | null): Html => html`
  <p>Searched: container, bill of lading and booking numbers, and references and custom fields of containers and
    shipments, within the filters above; then vessels, ports, customers and tags.</p>
  ${named}
  <p><a href="/track/search?${String(new URLSearchParams({ q: number }))}">Search everything for “${number}”</a></p>`;

function nothing({ query, named }: ContainerListOptions): Html {
  const { number } = query;
  const names = namedList(named, (filter) => containersPath(namedQuery(query, filter)));
  return html`
    <section class="card empty"><h2>No containers match ${number === "" ? "these filters" : `“${number}”`}</h2>
      ${number !== "" && searchedNote(number, names)}
      <p><a href="/containers?saved=${withoutView}">Show all tracked containers</a></p></section>`;
}

/** Renders, above the rows, the records that the text of the search names. */
export function nameNote(
  { query, shown, named }: Pick<ContainerListOptions, "query" | "shown" | "named">,
  pathOf: (query: ContainerQuery) => string,
): Html | null {
  return query === shown
    ? namedNote(named, (filter) => pathOf(namedQuery(query, filter)))
    : matchedNameNote(query.number, named);
}

/** `GET /containers`: all containers of the account, by default with the earliest last free day first. */
export function containerListPage(options: ContainerListOptions): LivePage {
  const { caller, apiBaseUrl, now, query, shown, items, lines } = options;
  return livePage({
    title: "Containers",
    caller,
    section: "containers",
    events: accountEvents,
    content: html`
      ${listHead({
        heading: "Containers",
        form: filterForm("/containers", query, lines, listState(query), items),
        count: count(options),
        tools: tools(options),
      })}
      ${viewBar(options.views)}
      ${part("conditions", conditionLinks({ query: shown, now, counts: options.counts, pathOf: containersPath }))}
      ${activeFilters(query, containersPath)}
      ${options.isUnknownPort && unknownPortNote(query.port)}
      ${part("note", options.note)}
      ${part("named", items.length > 0 && nameNote(options, containersPath))}
      ${mayChangeRows(caller) && shipmentRowsForm(containersPath(shown, { page: shown.page }), "containers")}
      ${printed(options)}
      ${part(
        "rows",
        html`${items.length > 0 ? table(options) : nothing(options)} ${pages(options)} ${leftOut(options)}`,
      )}
      ${sameFromApi(apiBaseUrl, [{ path: containersApiPath(shown) }])}`,
  });
}
