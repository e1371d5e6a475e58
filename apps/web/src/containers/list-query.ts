import { type ContainerStatus, containerStatuses } from "@svc/domain/containers";
import { type EquipmentType, equipmentTypes, isLocode } from "@svc/domain/identifiers";
import {
  type ContainerCondition,
  conditionFilters,
  dayFilters,
  defaultTracking,
  hidesReturned,
  isDay,
  viewOptions,
} from "@svc/domain/saved-views";
import { customFieldsText } from "../custom-fields/list-fields.ts";
import { listCall } from "../pages/same-from-api.ts";
import { readPort } from "../saved-views/port-choice.ts";
import { readColumns, readCustomer, readKey, readSaved, readText } from "../saved-views/view-parameters.ts";

/** Predefined views of the list, each as filters of the API. */
export const views = {
  all: "All",
  last_free_day_over: "Over the last free day",
  last_free_day_today: "Last free day today",
  last_free_day_soon: "Last free day within 3 days",
  last_free_day_within_7_days: "Last free day within 7 days",
  last_free_day_this_week: "Last free day this week",
  last_free_day: "Last free day within 3 days or over",
  holds: "On hold",
  available: "Available",
  fees: "With charges",
  late: "2+ days late",
  stale: "Carrier silent",
  not_returned: "Not returned",
} as const satisfies Readonly<Record<ContainerCondition | "all", string>>;

type ContainerView = keyof typeof views;

export const containerSorts = {
  last_free_day: "Last free day",
  arrival: "Arrival",
  delay: "Delay",
  number: "Container",
  last_changed_at: "Carrier update",
  updated_at: "Record updated",
  created_at: "Created",
} as const;

type ContainerSort = keyof typeof containerSorts;

export const trackingChoices = { active: "Tracked", stopped: "Tracking stopped", any: "All" } as const;

/** Query of the URL of the list. An empty string or null means no filter. */
export interface ContainerQuery {
  readonly view: ContainerView;
  /** Null: the usual one. */
  readonly tracking: keyof typeof trackingChoices | null;
  readonly status: ContainerStatus | null;
  /** `any` lists containers that were returned empty, too. Default: a list of tracked containers leaves them out. */
  readonly returned: "any" | null;
  /** Part of a number or reference, as typed; or a name, where no container has it. */
  readonly number: string;
  /** A whole reference of the container or its shipment, as typed. */
  readonly reference: string;
  /** SCAC, as typed. */
  readonly carrier: string;
  /** UN/LOCODE, or a name that no port was found for. */
  readonly port: string;
  /** Part of the name, or IMO number. */
  readonly vessel: string;
  readonly equipment: EquipmentType | null;
  /** Days as YYYY-MM-DD, inclusive: of the last free day, and of the arrival in UTC. */
  readonly last_free_day_from: string;
  readonly last_free_day_to: string;
  readonly arrival_from: string;
  readonly arrival_to: string;
  /** Minimum delay in days. */
  readonly late_days: string;
  /** Part of the name. */
  readonly customer: string;
  /** The whole name. */
  readonly customer_name: string;
  readonly tag: string;
  readonly sortBy: ContainerSort;
  readonly descending: boolean;
  /** Columns that are shown; empty: the usual ones. */
  readonly columns: readonly string[];
  /** The id of the saved view that the page was opened with, "none", or "". */
  readonly saved: string;
  /** Starts at 1. */
  readonly page: number;
}

type Search = Pick<ContainerQuery, "number" | "reference">;

/** A number or reference finds its containers in any state. */
const isSearch = ({ number, reference }: Search): boolean => number !== "" || reference !== "";

/** The tracking of the containers of the list, unless another is chosen. */
export const defaultTrackingOf = (query: Search & Pick<ContainerQuery, "view">): "active" | "any" =>
  isSearch(query) ? "any" : defaultTracking(query.view);

const trackingOf = (query: ContainerQuery): keyof typeof trackingChoices => query.tracking ?? defaultTrackingOf(query);

/** Whether the list leaves out containers that were returned empty. */
export const leavesOutReturned = (query: ContainerQuery): boolean =>
  !isSearch(query) && hidesReturned({ ...query, tracking: trackingOf(query) });

/** Whether the list leaves out containers whose tracking stopped. */
export const leavesOutStopped = (query: ContainerQuery): boolean => trackingOf(query) === "active";

export const pageSize = 50;
/** The API paginates up to 10,000 rows; the export has all of them. */
const pagesMax = 10_000 / pageSize;

type Lateness = Pick<ContainerQuery, "view" | "late_days">;

/** Whether the list is of late containers. */
export const listsLateContainers = ({ view, late_days }: Lateness): boolean => view === "late" || late_days !== "";

/**
 * Sort key unless another is chosen: the most delayed first among late containers, the earliest arrival first where
 * the arrival is filtered, else the earliest last free day.
 */
function defaultSort(query: Lateness & Pick<ContainerQuery, "arrival_from" | "arrival_to">): string {
  if (listsLateContainers(query)) return "-delay";
  return query.arrival_from === "" && query.arrival_to === "" ? "last_free_day" : "arrival";
}

const lateColumns: readonly string[] = ["status", "route", "arrival", "delay", "reason", "carrier", "updated"];

/** The customer is usually in the first column, below the number, and the delay below the arrival. */
const nonDefaultColumns: ReadonlySet<string> = new Set(["customer", "equipment", "delay", "reason"]);

/** The columns that are shown unless others are chosen: the reason of a delay among late containers. */
export const defaultColumns = (query: Lateness): readonly string[] =>
  listsLateContainers(query)
    ? lateColumns
    : viewOptions.containers.columns.filter((column) => !nonDefaultColumns.has(column));

function readDay(value: unknown): string {
  const day = readText(value, 10);
  return isDay(day) ? day : "";
}

/** Reads the query of the URL. Invalid values are ignored. */
export function readContainerQuery(query: Readonly<Record<string, unknown>>): ContainerQuery {
  const page = Number(readText(query.page, 3));
  const lateDays = readText(query.late_days, 3);
  const lateness: Lateness = {
    view: readKey(views, query.view) ?? "all",
    late_days: /^[1-9]\d{0,2}$/.test(lateDays) && Number(lateDays) <= 365 ? lateDays : "",
  };
  const arrival = { arrival_from: readDay(query.arrival_from), arrival_to: readDay(query.arrival_to) };
  const input = readText(query.sort, 20);
  const isSort = readKey(containerSorts, input.replace("-", "")) !== null;
  const sort = isSort ? input : defaultSort({ ...lateness, ...arrival });
  const search: Search = {
    number: readText(query.number, 100).trim(),
    reference: readText(query.reference, 100).trim(),
  };
  const tracking = readKey(trackingChoices, query.tracking);
  return {
    view: lateness.view,
    tracking: tracking === defaultTrackingOf({ ...search, view: lateness.view }) ? null : tracking,
    status: containerStatuses.find((status) => status === query.status) ?? null,
    returned: query.returned === "any" ? "any" : null,
    ...search,
    carrier: readText(query.carrier, 4).trim().toUpperCase(),
    port: readPort(query.port),
    vessel: readText(query.vessel, 100).trim(),
    equipment: equipmentTypes.find((type) => type === query.equipment) ?? null,
    last_free_day_from: readDay(query.last_free_day_from),
    last_free_day_to: readDay(query.last_free_day_to),
    ...arrival,
    late_days: lateness.late_days,
    ...readCustomer(query),
    tag: readText(query.tag, 50).trim().normalize("NFC"),
    sortBy: sort.replace("-", "") as ContainerSort,
    descending: sort.startsWith("-"),
    columns: readColumns(query.columns, viewOptions.containers.columns, defaultColumns(lateness)),
    saved: readSaved(query.saved),
    page: Number.isInteger(page) && page >= 1 && page <= pagesMax ? page : 1,
  };
}

export const sortText = ({ sortBy, descending }: Pick<ContainerQuery, "sortBy" | "descending">): string =>
  `${descending ? "-" : ""}${sortBy}`;

export const isDefaultSort = (query: ContainerQuery): boolean => sortText(query) === defaultSort(query);

/** What does not limit the list, and the view, which is not a parameter when it has all containers. */
const notFilters: ReadonlySet<string> = new Set<keyof ContainerQuery>([
  "view",
  "sortBy",
  "descending",
  "columns",
  "saved",
  "page",
]);

/** The parameters that limit the list, which the map of the same containers has, too. */
export function filterParameters(query: ContainerQuery): URLSearchParams {
  const parameters = new URLSearchParams();
  if (query.view !== "all") parameters.set("view", query.view);
  for (const [name, value] of Object.entries(query)) {
    if (value && !notFilters.has(name)) parameters.set(name, String(value));
  }
  return parameters;
}

/** URL of the list or, with ".csv" or ".xlsx", of its export. Starts at the first page unless `changes` has a page. */
export function containersPath(query: ContainerQuery, changes: Partial<ContainerQuery> = {}, suffix = ""): string {
  const changed = { ...query, page: 1, ...changes };
  const { page, columns, saved } = changed;
  const parameters = filterParameters(changed);
  const followsDefaultSort = changes.sortBy === undefined && isDefaultSort(query);
  const sort = followsDefaultSort ? defaultSort(changed) : sortText(changed);
  if (sort !== defaultSort(changed)) parameters.set("sort", sort);
  if (columns.length > 0) parameters.set("columns", columns.join(","));
  if (saved !== "") parameters.set("saved", saved);
  if (page > 1) parameters.set("page", String(page));
  return `/containers${suffix}${parameters.size === 0 ? "" : `?${parameters}`}`;
}

/** The filters of the API, and for calendar feeds of the same rows, except the search. */
export function filtersOf(query: ContainerQuery) {
  const { view, status, reference, carrier, port, vessel, customer, customer_name, tag, equipment } = query;
  const tracking = trackingOf(query);
  return {
    ...(leavesOutReturned(query) && { emptyReturned: false }),
    ...(view !== "all" && conditionFilters(view)),
    ...(tracking !== "any" && { trackingStopped: tracking === "stopped" }),
    ...(status && { status: [status] }),
    ...(reference !== "" && { refNumber: [...new Set([reference, reference.toUpperCase()])] }),
    ...(carrier !== "" && { carrier: [carrier] }),
    ...(isLocode(port) && { port: [port] }),
    ...(vessel !== "" && { vessel: [vessel] }),
    ...(customer !== "" && { customer: [customer] }),
    ...(customer_name !== "" && { customerName: [customer_name] }),
    ...(tag !== "" && { tag: [tag] }),
    ...(equipment && { equipment: [equipment] }),
    ...dayFilters(query),
  };
}

export const containerFiltersOf = (query: ContainerQuery) => ({
  ...filtersOf(query),
  ...(query.number !== "" && { search: query.number }),
});

/** The API request for the same list, relative to the base URL. */
export const containersApiPath = (query: ContainerQuery): string =>
  listCall("/container_overviews", containerFiltersOf(query), {
    sort: sortText(query),
    "page[size]": String(pageSize),
    "page[number]": query.page > 1 ? String(query.page) : null,
    custom_fields: customFieldsText(query),
  });
