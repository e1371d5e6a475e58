import { type Page, type PageRequest, type Shipment, type ShipmentStatus, shipmentStatuses } from "@svc/domain";
import type { ShipmentFilters, ShipmentSortKey } from "@svc/persistence";

const pageSize = 25;

export const sortWords = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Changed last",
  updated_at: "Unchanged longest",
} as const;

type ListSort = keyof typeof sortWords;

export const trackingWords = { active: "Being tracked", stopped: "Tracking stopped" } as const;

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
  readonly sort: ListSort;
  /** The row that the page begins after, or ends before; null: the first page. */
  readonly from: { readonly side: "after" | "before"; readonly row: string } | null;
}

const rowShape = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)~([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;
const defaultSort: ListSort = "-created_at";

const text = (value: unknown, longest: number): string =>
  typeof value === "string" && value.length <= longest ? value.toWellFormed().replaceAll("\0", "") : "";

function keyOf<Key extends string>(words: Readonly<Record<Key, string>>, value: unknown): Key | null {
  return typeof value === "string" && Object.hasOwn(words, value) ? (value as Key) : null;
}

/** Reads the query of the address. What makes no sense in it counts as absent. */
export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const row = (side: "after" | "before") =>
    rowShape.test(text(query[side], 80)) ? { side, row: text(query[side], 80) } : null;
  return {
    typed: text(query.q, 1_000),
    status: shipmentStatuses.find((status) => status === query.status) ?? null,
    carrier: text(query.carrier, 4).trim().toUpperCase(),
    port: text(query.port, 5).trim().toUpperCase(),
    tag: text(query.tag, 50).normalize("NFC"),
    tracking: keyOf(trackingWords, query.tracking),
    sort: keyOf(sortWords, query.sort) ?? defaultSort,
    from: row("after") ?? row("before"),
  };
}

/** The address of a list. Unless it is said where the page begins, it is the first one. */
export function listPath(query: ListQuery, changes: Partial<ListQuery> = {}): string {
  const { typed, sort, from, ...filters } = { ...query, from: null, ...changes };
  const parameters = new URLSearchParams();
  if (typed !== "") parameters.set("q", typed);
  for (const [name, value] of Object.entries(filters)) {
    if (value !== null && value !== "") parameters.set(name, value);
  }
  if (sort !== defaultSort) parameters.set("sort", sort);
  if (from) parameters.set(from.side, from.row);
  return parameters.size === 0 ? "/shipments" : `/shipments?${parameters}`;
}

export const isFiltered = ({ status, carrier, port, tag, tracking }: ListQuery): boolean =>
  status !== null || tracking !== null || [carrier, port, tag].some((value) => value !== "");

export function filtersOf({ status, carrier, port, tag, tracking }: ListQuery): ShipmentFilters {
  return {
    ...(status && { status: [status] }),
    ...(carrier !== "" && { carrier: [carrier] }),
    ...(port !== "" && { port: [port] }),
    ...(tag !== "" && { tag: [tag] }),
    ...(tracking && { trackingStopped: tracking === "stopped" }),
  };
}

const sortKey = (sort: ListSort): ShipmentSortKey => (sort.endsWith("created_at") ? "created_at" : "updated_at");

export function pageRequestOf({ sort, from }: ListQuery): PageRequest<ShipmentSortKey> {
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
  const rowOf = (shipment: Shipment): string =>
    `${sortKey(query.sort) === "created_at" ? shipment.createdAt : shipment.updatedAt}~${shipment.id}`;
  const [first, last] = [page.items[0], page.items.at(-1)];
  const backwards = query.from?.side === "before";
  const hasPrevious = backwards ? page.hasMore : query.from !== null;
  const hasNext = backwards || page.hasMore;
  return {
    previous: hasPrevious && first ? listPath(query, { from: { side: "before", row: rowOf(first) } }) : null,
    next: hasNext && last ? listPath(query, { from: { side: "after", row: rowOf(last) } }) : null,
  };
}
