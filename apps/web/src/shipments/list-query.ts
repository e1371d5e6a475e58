import { type Instant, readInstant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type ArrivalChoice, arrivalBetween, viewOptions } from "@svc/domain/saved-views";
import {
  type Shipment,
  type ShipmentStatus,
  shipmentArrival,
  shipmentStatuses,
  unknownArrival,
} from "@svc/domain/shipments";
import type { ShipmentFilters, ShipmentSortKey } from "@svc/persistence/shipments";
import { apiQuery } from "../pages/same-from-api.ts";
import { readColumns, readSaved } from "../saved-views/view-parameters.ts";

export const pageSizes = [25, 50, 100] as const;

type PageSize = (typeof pageSizes)[number];

export const sortWords = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Recently updated",
  updated_at: "Least recently updated",
  arrival: "Earliest arrival first",
  "-arrival": "Latest arrival first",
} as const;

export type ListSort = keyof typeof sortWords;

export const trackingWords = { active: "Tracked", stopped: "Tracking stopped" } as const;

export const arrivalWords = {
  next_7_days: "In the next 7 days",
  next_30_days: "In the next 30 days",
  past_7_days: "In the past 7 days",
  past_30_days: "In the past 30 days",
} as const satisfies Readonly<Record<ArrivalChoice, string>>;

type TrackingChoice = keyof typeof trackingWords;

/** The filters in the address of the list. Null or an empty text: not filtered. */
export interface ListQuery {
  /** The search text as typed. */
  readonly typed: string;
  readonly status: ShipmentStatus | null;
  /** SCAC as typed. */
  readonly carrier: string;
  /** UN/LOCODE as typed. */
  readonly port: string;
  readonly tag: string;
  readonly tracking: TrackingChoice | null;
  /** Actual or estimated arrival at the final place. */
  readonly arrival: ArrivalChoice | null;
  /** A day in UTC or a timestamp, as typed. */
  readonly updatedAfter: string;
  readonly sort: ListSort;
  readonly pageSize: PageSize;
  /** Columns that are shown; empty: the usual ones. */
  readonly columns: readonly string[];
  /** The id of the saved view that the page was opened with, "none", or "". */
  readonly saved: string;
  /** The cursor that the page starts after or ends before; null: the first page. */
  readonly from: { readonly side: "after" | "before"; readonly row: string } | null;
}

const rowShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)~([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
export const defaultSort: ListSort = "-created_at";

const text = (value: unknown, longest: number): string =>
  typeof value === "string" && value.length <= longest ? value.toWellFormed().replaceAll("\0", "") : "";

function keyOf<Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): Key | null {
  return typeof value === "string" && Object.hasOwn(words, value) ? (value as Key) : null;
}

/** Maximum length of the search text; no number or reference is longer. */
const longestTyped = 1_000;

/** Reads the query of the address. Ignores invalid values. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const row = (side: "after" | "before") =>
    rowShape.test(text(query[side], 80)) ? { side, row: text(query[side], 80) } : null;
  return {
    typed: text(typeof query.q === "string" ? query.q.slice(0, longestTyped) : "", longestTyped),
    status: shipmentStatuses.find((status) => status === query.status) ?? null,
    carrier: text(query.carrier, 4).trim().toUpperCase(),
    port: text(query.port, 5).trim().toUpperCase(),
    tag: text(query.tag, 50).normalize("NFC"),
    tracking: keyOf(trackingWords, query.tracking),
    arrival: keyOf(arrivalWords, query.arrival),
    updatedAfter: readInstant(text(query.updated_after, 40)) === null ? "" : text(query.updated_after, 40),
    sort: keyOf(sortWords, query.sort) ?? defaultSort,
    pageSize: pageSizes.find((size) => String(size) === query.page_size) ?? pageSizes[0],
    columns: readColumns(query.columns, viewOptions.shipments.columns),
    saved: readSaved(query.saved),
    from: row("after") ?? row("before"),
  };
}

/** The address of a list or, with ".csv" or ".xlsx", of its file. Without a cursor it is the first page. */
export function listPath(query: ListQuery, changes: Partial<ListQuery> = {}, suffix = ""): string {
  const { typed, updatedAfter, sort, pageSize, columns, saved, from, ...filters } = {
    ...query,
    from: null,
    ...changes,
  };
  const parameters = new URLSearchParams();
  if (typed !== "") parameters.set("q", typed);
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && value !== "") parameters.set(name, value);
  }
  if (updatedAfter !== "") parameters.set("updated_after", updatedAfter);
  if (sort !== defaultSort) parameters.set("sort", sort);
  if (pageSize !== pageSizes[0]) parameters.set("page_size", String(pageSize));
  if (columns.length > 0) parameters.set("columns", columns.join(","));
  if (saved !== "") parameters.set("saved", saved);
  if (from) parameters.set(from.side, from.row);
  return `/shipments${suffix}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** The API request for the same list, relative to /v2. A search uses the API's search, which has no filters. */
export function apiPathOf(query: ListQuery, now: Instant): string {
  const { typed, status, carrier, port, tag, tracking, arrival, updatedAfter, sort, pageSize } = query;
  if (typed.trim() !== "") return `/search${apiQuery({ query: typed.trim() })}`;
  const { arrivalAfter, arrivalBefore } = arrival ? arrivalBetween(arrival, now) : {};
  const parameters = {
    "filter[status]": status,
    "filter[carrier]": carrier,
    "filter[port]": port,
    // In the API a comma separates tags; here the tag is a single one.
    "filter[tag]": tag.replaceAll(",", "\\,"),
    "filter[tracking_stopped]": tracking && String(tracking === "stopped"),
    "filter[arrival_after]": arrivalAfter,
    "filter[arrival_before]": arrivalBefore,
    "filter[updated_after]": readInstant(updatedAfter),
    sort: sort === defaultSort ? null : sort,
    "page[size]": String(pageSize),
  };
  return `/shipments${apiQuery(parameters)}`;
}

export const isFiltered = ({ status, carrier, port, tag, tracking, arrival, updatedAfter }: ListQuery): boolean =>
  status !== null ||
  tracking !== null ||
  arrival !== null ||
  [carrier, port, tag, updatedAfter].some((value) => value !== "");

/** All filters except the status; the counts by status use them too. */
export function filtersOf(
  { carrier, port, tag, tracking, arrival, updatedAfter: typedAfter }: ListQuery,
  now: Instant,
): Omit<ShipmentFilters, "status"> {
  const updatedAfter = readInstant(typedAfter);
  return {
    ...(carrier !== "" && { carrier: [carrier] }),
    ...(port !== "" && { port: [port] }),
    ...(tag !== "" && { tag: [tag] }),
    ...(tracking && { trackingStopped: tracking === "stopped" }),
    ...(arrival && arrivalBetween(arrival, now)),
    ...(updatedAfter && { updatedAfter }),
  };
}

const sortKey = (sort: ListSort): ShipmentSortKey => sort.replace("-", "") as ShipmentSortKey;

/** The cursor of a row. */
export function sortValue(key: ShipmentSortKey, shipment: Shipment): Instant {
  if (key === "arrival") return shipmentArrival(shipment) ?? unknownArrival;
  return key === "created_at" ? shipment.createdAt : shipment.updatedAt;
}

export function pageRequestOf({ sort, pageSize, from }: ListQuery): PageRequest<ShipmentSortKey> {
  const [, value = "", id = ""] = rowShape.exec(from?.row ?? "") ?? [];
  return {
    size: pageSize,
    sortBy: sortKey(sort),
    descending: sort.startsWith("-"),
    position: from ? { kind: from.side, row: { value, id } } : { kind: "number", number: 1 },
  };
}

/** Addresses of the previous and the next page; null where the list ends. */
export function neighbours(query: ListQuery, page: Page<Shipment>): { previous: string | null; next: string | null } {
  const rowOf = (shipment: Shipment): string => `${sortValue(sortKey(query.sort), shipment)}~${shipment.id}`;
  const [first, last] = [page.items[0], page.items.at(-1)];
  const backwards = query.from?.side === "before";
  const hasPrevious = backwards ? page.hasMore : query.from !== null;
  const hasNext = backwards || page.hasMore;
  return {
    previous: hasPrevious && first ? listPath(query, { from: { side: "before", row: rowOf(first) } }) : null,
    next: hasNext && last ? listPath(query, { from: { side: "after", row: rowOf(last) } }) : null,
  };
}
