import {
  addMs,
  dayMs,
  type Instant,
  type Page,
  type PageRequest,
  readInstant,
  type Shipment,
  type ShipmentStatus,
  shipmentArrival,
  shipmentStatuses,
  unknownArrival,
} from "@svc/domain";
import type { ShipmentFilters, ShipmentSortKey } from "@svc/persistence";
import { apiQuery } from "../pages/same-from-api.ts";

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
} as const;

type ArrivalChoice = keyof typeof arrivalWords;

const arrivalDays: Readonly<Record<ArrivalChoice, number>> = {
  next_7_days: 7,
  next_30_days: 30,
  past_7_days: -7,
  past_30_days: -30,
};

type TrackingChoice = keyof typeof trackingWords;

/** What the address of the list says, so that the address is the view. Null or an empty text: not filtered by it. */
export interface ListQuery {
  /** What was searched for, as it was typed. */
  readonly typed: string;
  readonly status: ShipmentStatus | null;
  /** SCAC, as it was typed. */
  readonly carrier: string;
  /** UN/LOCODE, as it was typed. */
  readonly port: string;
  readonly tag: string;
  readonly tracking: TrackingChoice | null;
  /** Actual or expected, where the journey ends. */
  readonly arrival: ArrivalChoice | null;
  /** A day in UTC or a moment, as it was typed. */
  readonly updatedAfter: string;
  readonly sort: ListSort;
  readonly pageSize: PageSize;
  /** The row that the page begins after, or ends before; null: the first page. */
  readonly from: { readonly side: "after" | "before"; readonly row: string } | null;
}

const rowShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)~([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
export const defaultSort: ListSort = "-created_at";

const text = (value: unknown, longest: number): string =>
  typeof value === "string" && value.length <= longest ? value.toWellFormed().replaceAll("\0", "") : "";

function keyOf<Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): Key | null {
  return typeof value === "string" && Object.hasOwn(words, value) ? (value as Key) : null;
}

/** Of what is searched for, more is no number; what is left of it still finds nothing and stands in the search box. */
const longestTyped = 1_000;

/** Reads the query of the address. What makes no sense in it counts as absent. */
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
    from: row("after") ?? row("before"),
  };
}

/** The address of a list or, with ".csv", of its file. Unless it is said where the page begins, it is the first one. */
export function listPath(query: ListQuery, changes: Partial<ListQuery> = {}, suffix = ""): string {
  const { typed, updatedAfter, sort, pageSize, from, ...filters } = { ...query, from: null, ...changes };
  const parameters = new URLSearchParams();
  if (typed !== "") parameters.set("q", typed);
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && value !== "") parameters.set(name, value);
  }
  if (updatedAfter !== "") parameters.set("updated_after", updatedAfter);
  if (sort !== defaultSort) parameters.set("sort", sort);
  if (pageSize !== pageSizes[0]) parameters.set("page_size", String(pageSize));
  if (from) parameters.set(from.side, from.row);
  return `/shipments${suffix}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** How a program asks the API for the same: below /v2. A search is one of the API's own, which is not filtered. */
export function apiPathOf(query: ListQuery, now: Instant): string {
  const { typed, status, carrier, port, tag, tracking, arrival, updatedAfter, sort, pageSize } = query;
  if (typed.trim() !== "") return `/search${apiQuery({ query: typed.trim() })}`;
  const { arrivalAfter, arrivalBefore } = arrival ? arrivalBetween(arrival, now) : {};
  const parameters = {
    "filter[status]": status,
    "filter[carrier]": carrier,
    "filter[port]": port,
    // There a comma separates tags; here one is typed.
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

function arrivalBetween(choice: ArrivalChoice, now: Instant): ShipmentFilters {
  const end = addMs(now, arrivalDays[choice] * dayMs);
  return end > now ? { arrivalAfter: now, arrivalBefore: end } : { arrivalAfter: end, arrivalBefore: now };
}

/** All but the one by status, which is also what each status is counted within. */
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

/** What rows are continued after. */
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

/** Addresses of the pages beside the one that was read; null where the list ends. */
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
