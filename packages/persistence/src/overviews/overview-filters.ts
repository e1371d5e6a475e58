import { addMs, dayMs, type Instant } from "@svc/domain";
import type { ContainerStatus } from "@svc/domain/containers";
import type { LastFreeDayPeriod } from "@svc/domain/overviews";
import { otherSpellings, type SearchQuery } from "@svc/domain/search";
import { type ShipmentOverviewStatus, unknownArrival } from "@svc/domain/shipments";
import { type Condition, conditionsOf, type FilterSql, flagSql } from "../lists/list-rows.ts";
import { fieldsThatBegin } from "../search/find-field-matches.ts";
import { likePattern } from "../search/like-pattern.ts";
import { withoutAccents, withoutAccentsSql } from "../search/without-accents.ts";
import { delayDays } from "./overview-arrivals.ts";
import { containerTable, isPickedUpOnly, isReturned } from "./overview-tables.ts";

/**
 * Filters of overviews of containers and of shipments. Several values of one filter match any of them; several filters
 * must all match.
 */
export interface SharedOverviewFilters {
  /** UN/LOCODEs of any call: lading, transshipment (also planned), discharge, destination. */
  readonly port?: readonly string[];
  /** UN/LOCODEs of lading, discharge or destination. */
  readonly endPort?: readonly string[];
  /** UN/LOCODEs of a call between lading and discharge. */
  readonly transshipmentPort?: readonly string[];
  /** SCACs. */
  readonly carrier?: readonly string[];
  /** Parts of the customer's name. */
  readonly customer?: readonly string[];
  /** Names of customers, in any case. */
  readonly customerName?: readonly string[];
  readonly tag?: readonly string[];
  readonly refNumber?: readonly string[];
  /** Container, bill of lading or booking numbers, normalised. */
  readonly number?: readonly string[];
  /** Part of a name, or an IMO number: of the vessel that arrives at the port of discharge, or carried it before. */
  readonly vessel?: readonly string[];
  readonly arrivalAfter?: Instant;
  readonly arrivalBefore?: Instant;
  /** Minimum of `delayDays` of packages/domain. */
  readonly delayedByDays?: number;
  readonly trackingStopped?: boolean;
  readonly updatedAfter?: Instant;
  readonly createdAfter?: Instant;
  /** Ids of shipments. */
  readonly shipment?: readonly string[];
  /** Words of the container's equipment, for example "40" and "reefer". */
  readonly equipment?: readonly string[];
  readonly hasHolds?: boolean;
  readonly hasFees?: boolean;
  readonly availableForPickup?: boolean;
  /** Local date at the place of pickup, YYYY-MM-DD. */
  readonly lastFreeDayBefore?: string;
  readonly lastFreeDayAfter?: string;
  /** Before today, today, from today for three days, or until Sunday, on the clock of the place of pickup. */
  readonly lastFreeDay?: LastFreeDayPeriod;
  /** Number of days from today on the clock of the place of pickup, at most; what is over matches, too. */
  readonly lastFreeDayWithinDays?: number;
  /** Minimum number of days since gate-out full, without an empty return. */
  readonly notReturnedForDays?: number;
  /** Whether the container was returned empty. */
  readonly emptyReturned?: boolean;
}

export interface ContainerOverviewFilters extends SharedOverviewFilters {
  readonly status?: readonly ContainerStatus[];
  /**
   * Part of the number, or of a number or reference of the shipment, or the beginning of a custom field. Reads all rows
   * that the other filters leave.
   */
  readonly search?: SearchQuery;
  /** Limits the list to containers of shipments whose containers have different ETAs. */
  readonly arrivesSeparately?: true;
}

export interface ShipmentOverviewFilters extends SharedOverviewFilters {
  readonly status?: readonly ShipmentOverviewStatus[];
}

type Filters = ContainerOverviewFilters | ShipmentOverviewFilters;

const isCallAt = (
  p: string,
): string => `(o.port_of_lading_id = ANY(${p}::uuid[]) OR o.port_of_discharge_id = ANY(${p}::uuid[])
  OR o.destination_port_id = ANY(${p}::uuid[]) OR o.destination_metro_area_id = ANY(${p}::uuid[]))`;

/** Past calls are events; planned calls exist only in the carrier's observations. */
const passes = (p: string, condition: string): string => `(
  EXISTS (SELECT 1 FROM transport_events e WHERE e.account_id = o.account_id AND e.shipment_id = o.shipment_id
    AND e.invalidated_at IS NULL AND (e.port_id = ANY(${p}::uuid[]) OR e.metro_area_id = ANY(${p}::uuid[]))
    AND ${condition.replaceAll("$place", "e.port_id")})
  OR o.pod_ata_at IS NULL AND EXISTS (
    SELECT 1 FROM observations b JOIN ports called ON called.id = ANY(${p}::uuid[])
      AND called.locode = b.fact->'place'->>'locode'
    WHERE b.account_id = o.account_id AND b.subject_id = o.subject_id AND b.withdrawn_at IS NULL
      AND ${condition.replaceAll("$place", "called.id")}))`;

/**
 * Condition that a vessel carried the container. Planned vessels of later legs are left out: a replaced plan stays
 * among the observations.
 */
const wasCarriedBy = (p: string): string => `EXISTS (
    SELECT 1 FROM transport_events e JOIN vessels carrying ON carrying.id = e.vessel_id
    WHERE e.account_id = o.account_id AND e.shipment_id = o.shipment_id AND e.invalidated_at IS NULL
      AND (carrying.name ILIKE ANY(${p}::text[]) OR carrying.imo ILIKE ANY(${p}::text[])))`;

const hasCustomer = (p: string): string => `o.customer_id IN (SELECT customer.id FROM parties customer
  WHERE customer.account_id = $1 AND ${withoutAccentsSql("customer.company_name")} ILIKE ANY(${p}::text[]))`;

const hasCustomerName = (p: string): string => `o.customer_id IN (SELECT customer.id FROM parties customer
  WHERE customer.account_id = $1
    AND lower(customer.company_name) = ANY (SELECT lower(name) FROM unnest(${p}::text[]) AS name))`;

const isBetween = `$place IS DISTINCT FROM o.port_of_lading_id AND $place IS DISTINCT FROM o.port_of_discharge_id
  AND $place IS DISTINCT FROM o.destination_port_id`;

/** Ids of the places of each filter by port. */
export interface PlaceIds {
  readonly port: readonly string[] | undefined;
  readonly endPort: readonly string[] | undefined;
  readonly transshipmentPort: readonly string[] | undefined;
}

const isNotPickedUp = "(o.pod_full_out_at IS NULL AND o.final_destination_full_out_at IS NULL)";

/** The value: the current time and the number of days. A day of the place is not always 24 hours long. */
const isWithinDays = (p: string): string => `${isNotPickedUp} AND o.last_free_day <=
  ((${p}::text[])[1]::timestamptz AT TIME ZONE o.last_free_day_timezone)::date + (${p}::text[])[2]::int`;

/** The value: the current time and the period. Weeks end on Sunday. */
function isInPeriod(p: string): string {
  const today = `(${p}::text[])[1]::timestamptz AT TIME ZONE o.last_free_day_timezone`;
  return `${isNotPickedUp} AND o.last_free_day
    BETWEEN CASE (${p}::text[])[2] WHEN 'over' THEN '-infinity' ELSE (${today})::date END AND (${today})::date
      + CASE (${p}::text[])[2] WHEN 'over' THEN -1 WHEN 'today' THEN 0 WHEN 'within_3_days' THEN 3
        WHEN 'within_7_days' THEN 7 ELSE 7 - extract(isodow FROM ${today})::int END`;
}

/** Conditions on attributes of containers; for a shipment, each must be met by one of its containers. */
function containerOnlyConditions(filters: Filters, now: Instant): Condition[] {
  const { hasHolds, hasFees, emptyReturned, availableForPickup, lastFreeDayWithinDays, notReturnedForDays } = filters;
  const filterSql: Partial<FilterSql<Filters>> = {
    equipment: (p) => `o.equipment ILIKE ALL(${p}::text[])`,
    hasHolds: flagSql(hasHolds, "o.holds <> '[]'"),
    hasFees: flagSql(hasFees, "o.fees <> '[]'"),
    emptyReturned: flagSql(emptyReturned, "o.empty_terminated_at IS NOT NULL"),
    availableForPickup: flagSql(availableForPickup, "o.available_for_pickup IS TRUE"),
    lastFreeDayBefore: (p) => `o.last_free_day < ${p}::date AND ${isNotPickedUp}`,
    lastFreeDayAfter: (p) => `o.last_free_day > ${p}::date AND ${isNotPickedUp}`,
    lastFreeDay: isInPeriod,
    lastFreeDayWithinDays: isWithinDays,
    notReturnedForDays: (p) => `o.full_out_at <= ${p}::timestamptz AND o.empty_terminated_at IS NULL`,
  };
  return conditionsOf(filterSql, filters, {
    equipment: filters.equipment?.map(likePattern),
    lastFreeDay: [now, filters.lastFreeDay],
    lastFreeDayWithinDays: [now, String(lastFreeDayWithinDays)],
    notReturnedForDays: addMs(now, -(notReturnedForDays ?? 0) * dayMs),
  });
}

/** The value: the current time and the number of days. */
const isDelayedByDays = (p: string): string =>
  `${delayDays(`(${p}::text[])[1]::timestamptz`)} >= (${p}::text[])[2]::int`;

function sharedConditions(filters: Filters, places: PlaceIds, now: Instant): Condition[] {
  const filterSql: Partial<FilterSql<Filters>> = {
    port: (p) => `(${isCallAt(p)} OR ${passes(p, "true")})`,
    endPort: isCallAt,
    transshipmentPort: (p) => passes(p, isBetween),
    carrier: (p) => `o.shipping_line_scac = ANY(${p}::text[])`,
    customer: hasCustomer,
    customerName: hasCustomerName,
    tag: (p) => `o.tags && ${p}::text[]`,
    refNumber: (p) => `o.ref_numbers && ${p}::text[]`,
    vessel: (p) => `(o.pod_vessel_id IN (SELECT v.id FROM vessels v
      WHERE v.name ILIKE ANY(${p}::text[]) OR v.imo ILIKE ANY(${p}::text[]))
      OR o.own_vessel_name ILIKE ANY(${p}::text[]) OR o.own_vessel_imo ILIKE ANY(${p}::text[]) OR ${wasCarriedBy(p)})`,
    arrivalAfter: (p) => `o.arrival_at > ${p}::timestamptz AND o.arrival_at < timestamptz '${unknownArrival}'`,
    arrivalBefore: (p) => `o.arrival_at < LEAST(${p}::timestamptz, timestamptz '${unknownArrival}')`,
    delayedByDays: isDelayedByDays,
    trackingStopped: flagSql(
      filters.trackingStopped,
      "o.line_tracking_stopped_at IS NOT NULL",
      "o.line_tracking_stopped_at IS NULL",
    ),
    updatedAfter: (p) => `o.updated_at > ${p}::timestamptz`,
    createdAfter: (p) => `o.created_at > ${p}::timestamptz`,
    shipment: (p) => `o.shipment_id = ANY(${p}::uuid[])`,
  };
  const { customer, vessel, delayedByDays } = filters;
  return conditionsOf(filterSql, filters, {
    ...places,
    delayedByDays: [now, String(delayedByDays)],
    customer: customer?.map((part) => likePattern(withoutAccents(part))),
    vessel: vessel?.map(likePattern),
  });
}

const isCancelled = "o.line_tracking_stopped_reason = 'booking_cancelled'";

/** Conditions of the statuses that end the journey, by the indexes of picked up, returned and stopped shipments. */
const endingStatuses: Readonly<Partial<Record<ShipmentOverviewStatus, string>>> = {
  picked_up: isPickedUpOnly("o"),
  returned: `(${isReturned("o")} AND ${isCancelled} IS NOT TRUE)`,
  booking_cancelled: `(o.line_tracking_stopped_at IS NOT NULL AND ${isCancelled})`,
};
const isOpen = `(NOT o.containers_picked_up AND (${isReturned("o")} OR ${isCancelled}) IS NOT TRUE)`;

/** Whether a shipment has the status, by the index of the journey's status or that of an ending status. */
export const statusIs = (status: ShipmentOverviewStatus): string =>
  endingStatuses[status] ?? `(o.journey_status = '${status}' AND ${isOpen})`;

function statusIsOneOf(statuses: readonly ShipmentOverviewStatus[], p: string): string {
  const ended = statuses.flatMap((status) => endingStatuses[status] ?? []);
  const isEnded = ended.join(" OR ");
  const hasJourneyStatus = `(o.journey_status = ANY(${p}::text[]) AND ${isOpen})`;
  if (ended.length === statuses.length) return `(${p}::text[] IS NOT NULL AND (${isEnded}))`;
  return ended.length === 0 ? hasJourneyStatus : `(${hasJourneyStatus} OR ${isEnded})`;
}

const isShipmentNumber = (p: string): string =>
  `o.normalized_number = ANY(${p}::text[]) OR o.booking_number = ANY(${p}::text[])`;

/**
 * The parameter is an array: the text in the form of a container number, the text in the form of a shipment number,
 * then patterns of the text and its other spellings for references. An empty form matches no row.
 */
export function hasText(p: string): string {
  const form = (position: number): string => `NULLIF((${p}::text[])[${position}], '')`;
  return `(strpos(o.number, ${form(1)}) > 0 OR strpos(o.normalized_number, ${form(2)}) > 0
    OR search_text(concat_ws(chr(10), o.bill_of_lading_number, o.normalized_number, o.booking_number,
      array_to_string(o.ref_numbers, chr(10)))) LIKE ANY((${p}::text[])[3:]))`;
}

/** Whether a text of a custom field of the container or of its shipment begins with the text; `p` as of `hasText`. */
export const hasField = (p: string): string => `EXISTS (
  SELECT FROM ${fieldsThatBegin(`(${p}::text[])[3:]`)}
  WHERE f.account_id = o.account_id AND f.entity_id IN (o.id, o.shipment_id))`;

/** The value of `hasText`. */
export const textForms = ({ containerNumber, number, text }: SearchQuery): readonly string[] => [
  containerNumber,
  number,
  ...[text, ...otherSpellings(text)].map(likePattern),
];

/** @param now on the tracking clock, for filters by days. */
export function containerOverviewConditions(
  filters: ContainerOverviewFilters,
  places: PlaceIds,
  now: Instant,
): Condition[] {
  const filterSql: Partial<FilterSql<ContainerOverviewFilters>> = {
    number: (p) => `(o.number = ANY(${p}::text[]) OR ${isShipmentNumber(p)})`,
    search: (p) => `(${hasText(p)} OR ${hasField(p)})`,
    arrivesSeparately: (p) => `(o.arrives_separately AND ${p}::boolean)`,
    status: (p) => `o.status = ANY(${p}::text[])`,
  };
  const { search } = filters;
  const own = conditionsOf(filterSql, filters, { search: search && textForms(search) });
  return [...own, ...sharedConditions(filters, places, now), ...containerOnlyConditions(filters, now)];
}

export function shipmentOverviewConditions(
  filters: ShipmentOverviewFilters,
  places: PlaceIds,
  now: Instant,
): Condition[] {
  const filterSql: Partial<FilterSql<ShipmentOverviewFilters>> = {
    number: (p) => `(${isShipmentNumber(p)} OR EXISTS (SELECT 1 FROM containers c
      WHERE c.account_id = o.account_id AND c.shipment_id = o.id AND c.number = ANY(${p}::text[])))`,
    status: (p) => statusIsOneOf(filters.status ?? [], p),
  };
  const own = conditionsOf(filterSql, filters);
  const containerConditions = containerOnlyConditions(filters, now).map((condition) => ({
    ...condition,
    sql: (p: string) =>
      `o.id IN (SELECT o.shipment_id FROM ${containerTable} AS o WHERE o.account_id = $1 AND ${condition.sql(p)})`,
  }));
  return [...own, ...sharedConditions(filters, places, now), ...containerConditions];
}
