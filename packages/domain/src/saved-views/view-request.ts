import { type Instant, readInstant } from "../instant.ts";
import { snakeCase } from "../name-case.ts";
import { applicableSettings, type SavedView, type ViewFilters } from "./saved-view.ts";
import {
  type ArrivalChoice,
  arrivalBetween,
  type ContainerCondition,
  conditionFilters,
  type DayFilters,
  dayFilters,
  defaultTracking,
  hidesReturned,
} from "./view-choices.ts";

type Values = Readonly<Record<string, unknown>>;

/** A comma separates values of the API's filters. */
const escaped = (text: string): string => text.replaceAll(",", "\\,");

/** Whether the page has filters or a sort key that overviews of shipments have, and shipments have not. */
function needsOverviews({ filters, sort }: Pick<SavedView, "filters" | "sort">): boolean {
  const { customer, customer_name: customerName, vessel, status } = filters;
  // Other statuses of shipments include those of returned shipments and of cancelled bookings.
  const isOtherStatus = status !== undefined && status !== "in_transit";
  const hasOverviewFilter = [customer, customerName, vessel].some((value) => value !== undefined);
  return hasOverviewFilter || isOtherStatus || sort?.endsWith("last_changed_at") === true;
}

/** Returns the filters of the page, where `port` matches the ends and destination of the route, not calls between. */
function shipmentFilters(filters: ViewFilters, now: Instant, isOverviewList: boolean): Values {
  const {
    port,
    customer,
    customer_name,
    tag,
    vessel,
    arrival,
    updated_after: updatedAfter,
    tracking,
    ...others
  } = filters;
  return {
    ...others,
    ...(port !== undefined && { [isOverviewList ? "endPort" : "port"]: port }),
    ...(customer !== undefined && { customer: escaped(customer) }),
    ...(customer_name !== undefined && { customer_name: escaped(customer_name) }),
    ...(tag !== undefined && { tag: escaped(tag) }),
    ...(vessel !== undefined && { vessel: escaped(vessel) }),
    ...(arrival !== undefined && arrivalBetween(arrival as ArrivalChoice, now)),
    ...(updatedAfter !== undefined && { updatedAfter: readInstant(updatedAfter) }),
    ...(tracking !== undefined && { trackingStopped: tracking === "stopped" }),
  };
}

/** Returns the filters of the page; without `tracking`, `defaultTracking` applies. */
function containerFilters(filters: ViewFilters): Values {
  const { condition, tag, customer, customer_name, vessel, returned, ...settings } = filters;
  const { tracking = defaultTracking(condition), ...rest } = settings;
  const { last_free_day_from, last_free_day_to, late_days, arrival_from, arrival_to, ...others } = rest;
  const days: DayFilters = { last_free_day_from, last_free_day_to, late_days, arrival_from, arrival_to };
  return {
    ...others,
    ...(hidesReturned({ tracking, returned, status: others.status }) && { emptyReturned: false }),
    ...(condition !== undefined && conditionFilters(condition as ContainerCondition)),
    ...(tag !== undefined && { tag: escaped(tag) }),
    ...(customer !== undefined && { customer: escaped(customer) }),
    ...(customer_name !== undefined && { customer_name: escaped(customer_name) }),
    ...(vessel !== undefined && { vessel: escaped(vessel) }),
    ...dayFilters(days),
    ...(tracking !== "any" && { trackingStopped: tracking === "stopped" }),
  };
}

/** No member has this address, so no exception matches. */
const unknownOwner = "unknown";

/** Returns the filters of the page; without `status`, open exceptions. A caller who is no member owns none. */
function exceptionFilters(filters: ViewFilters, memberEmail: string | null): Values {
  const { status = "open", owner, customer, customer_name, ...others } = filters;
  return {
    status,
    ...others,
    ...(owner !== undefined && { owner: owner === "me" ? (memberEmail ?? unknownOwner) : owner }),
    ...(customer !== undefined && { customer: escaped(customer) }),
    ...(customer_name !== undefined && { customer_name: escaped(customer_name) }),
  };
}

const paths = { shipments: "/shipments", containers: "/container_overviews", exceptions: "/exceptions" } as const;

/**
 * The API request for the records of a view, below the base address. `now`: of the tracking clock, for filters by days.
 * `memberEmail`: of the caller, for the owner `me`.
 */
export function viewRequest(
  view: Pick<SavedView, "list" | "filters" | "sort" | "columns">,
  { now, memberEmail }: { readonly now: Instant; readonly memberEmail: string | null },
): string {
  const { filters, sort } = applicableSettings(view);
  const isOverviewList = view.list === "shipments" && needsOverviews({ filters, sort });
  const values = {
    shipments: () => shipmentFilters(filters, now, isOverviewList),
    containers: () => containerFilters(filters),
    exceptions: () => exceptionFilters(filters, memberEmail),
  }[view.list]();
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) parameters.set(`filter[${snakeCase(name)}]`, String(value));
  if (sort !== null) parameters.set("sort", sort);
  const path = isOverviewList ? "/shipment_overviews" : paths[view.list];
  return `${path}${parameters.size === 0 ? "" : `?${parameters}`}`;
}
