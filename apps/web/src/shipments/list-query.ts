import { type Instant, readInstant } from "@svc/domain";
import { isLocode } from "@svc/domain/identifiers";
import { type ArrivalChoice, arrivalBetween, viewOptions } from "@svc/domain/saved-views";
import { overviewStatuses, type ShipmentOverviewStatus } from "@svc/domain/shipments";
import type { ListDocument } from "@svc/sdk";
import { customFieldsText } from "../custom-fields/list-fields.ts";
import { listCall } from "../pages/same-from-api.ts";
import { readPort } from "../saved-views/port-choice.ts";
import { readColumns, readCustomer, readKey, readSaved, readText } from "../saved-views/view-parameters.ts";

export const pageSizes = [25, 50, 100] as const;

type PageSize = (typeof pageSizes)[number];

export const sortLabels = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-last_changed_at": "Recently updated",
  last_changed_at: "Least recently updated",
  "-updated_at": "Record changed recently",
  updated_at: "Record unchanged for longest",
  arrival: "Earliest arrival first",
  "-arrival": "Latest arrival first",
} as const;

export type ListSort = keyof typeof sortLabels;

export const trackingLabels = { active: "Tracked", stopped: "Tracking stopped" } as const;

export const arrivalLabels = {
  this_week: "This week, from today (UTC)",
  next_7_days: "In the next 7 days",
  next_30_days: "In the next 30 days",
  past_7_days: "In the past 7 days",
  past_30_days: "In the past 30 days",
} as const satisfies Readonly<Record<ArrivalChoice, string>>;

type TrackingChoice = keyof typeof trackingLabels;

/** The filters in the address of the list. Null or an empty text: not filtered. */
export interface ListQuery {
  /** The search text as typed. */
  readonly typed: string;
  readonly status: ShipmentOverviewStatus | null;
  /** SCAC as typed. */
  readonly carrier: string;
  /** UN/LOCODE, or a name that no port was found for. */
  readonly port: string;
  /** Part of the name, or IMO number. */
  readonly vessel: string;
  /** Part of the name. */
  readonly customer: string;
  /** The whole name. */
  readonly customer_name: string;
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
  readonly from: { readonly side: "after" | "before"; readonly cursor: string } | null;
}

/** Form of the API's cursors. */
const cursorShape = /^[\w-]{20,400}$/;
/** The customer is usually beside the references, below the number. */
export const defaultColumns = viewOptions.shipments.columns.filter((column) => column !== "customer");
const defaultSort: ListSort = "-created_at";

/** Maximum length of the search text that is shown again; no number or reference is as long. */
const inputLengthMax = 1_000;

/** Reads the query of the address. Ignores invalid values. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const cursor = (side: "after" | "before") => {
    const value = readText(query[side], 400);
    return cursorShape.test(value) ? { side, cursor: value } : null;
  };
  return {
    typed: readText(typeof query.q === "string" ? query.q.slice(0, inputLengthMax) : "", inputLengthMax),
    status: overviewStatuses.find((status) => status === query.status) ?? null,
    carrier: readText(query.carrier, 4).trim().toUpperCase(),
    port: readPort(query.port),
    vessel: readText(query.vessel, 100).trim(),
    ...readCustomer(query),
    tag: readText(query.tag, 50).normalize("NFC"),
    tracking: readKey(trackingLabels, query.tracking),
    arrival: readKey(arrivalLabels, query.arrival),
    updatedAfter: readInstant(readText(query.updated_after, 40)) === null ? "" : readText(query.updated_after, 40),
    sort: readKey(sortLabels, query.sort) ?? defaultSort,
    pageSize: pageSizes.find((size) => String(size) === query.page_size) ?? pageSizes[0],
    columns: readColumns(query.columns, viewOptions.shipments.columns, defaultColumns),
    saved: readSaved(query.saved),
    from: cursor("after") ?? cursor("before"),
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
  if (from) parameters.set(from.side, from.cursor);
  return `/shipments${suffix}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** The API request for the same list, relative to /v2. */
export const apiPathOf = (query: ListQuery, now: Instant): string =>
  listCall("/shipment_overviews", apiFiltersOf(query, now), {
    sort: query.sort === defaultSort ? null : query.sort,
    "page[size]": String(query.pageSize),
    custom_fields: customFieldsText(query),
  });

export const isFiltered = ({
  status,
  carrier,
  port,
  vessel,
  customer,
  customer_name,
  tag,
  tracking,
  arrival,
  updatedAfter,
}: ListQuery): boolean =>
  status !== null ||
  tracking !== null ||
  arrival !== null ||
  [carrier, port, vessel, customer, customer_name, tag, updatedAfter].some((value) => value !== "");

/** The filters of the API, and for calendar feeds of the same rows, except the search. */
export function filtersOf(query: ListQuery, now: Instant) {
  const { status, carrier, port, vessel, customer, customer_name, tag, tracking, arrival } = query;
  const updatedAfter = readInstant(query.updatedAfter);
  return {
    ...(status && { status: [status] }),
    ...(carrier !== "" && { carrier: [carrier] }),
    ...(isLocode(port) && { endPort: [port] }),
    ...(vessel !== "" && { vessel: [vessel] }),
    ...(customer !== "" && { customer: [customer] }),
    ...(customer_name !== "" && { customerName: [customer_name] }),
    ...(tag !== "" && { tag: [tag] }),
    ...(tracking && { trackingStopped: tracking === "stopped" }),
    ...(arrival && arrivalBetween(arrival, now)),
    ...(updatedAfter && { updatedAfter }),
  };
}

export const apiFiltersOf = (query: ListQuery, now: Instant) => ({
  ...filtersOf(query, now),
  ...(query.typed.trim() !== "" && { search: query.typed.trim() }),
});

/** Addresses of the previous and the next page; null where the list ends. */
export function neighbours(query: ListQuery, { links, meta }: Pick<ListDocument<unknown>, "links" | "meta">) {
  const before = links?.prev && new URL(links.prev).searchParams.get("page[before]");
  const after = links?.next && meta?.page?.end_cursor;
  return {
    previous: before ? listPath(query, { from: { side: "before", cursor: before } }) : null,
    next: after ? listPath(query, { from: { side: "after", cursor: after } }) : null,
  };
}
