import type { Instant } from "@svc/domain";
import { type ShipmentStatus, unknownArrival } from "@svc/domain/shipments";
import { type Condition, conditionsOf, type FilterSql, flagSql } from "../lists/list-rows.ts";

/**
 * Filters of a list of shipments (docs/contract/decisions.md 2). Several values of one filter match any of them;
 * several filters must all match.
 */
export interface ShipmentFilters {
  /** Ids of shipments, for example results of a search. */
  readonly id?: readonly string[];
  readonly status?: readonly ShipmentStatus[];
  /** UN/LOCODEs of lading, discharge or destination. */
  readonly port?: readonly string[];
  /** SCACs. */
  readonly carrier?: readonly string[];
  readonly updatedAfter?: Instant;
  readonly createdAfter?: Instant;
  /** Actual or estimated arrival at the end of the journey; shipments without one match neither filter. */
  readonly arrivalAfter?: Instant;
  readonly arrivalBefore?: Instant;
  /** Normalised shipment or booking numbers. */
  readonly number?: readonly string[];
  readonly refNumber?: readonly string[];
  readonly tag?: readonly string[];
  readonly trackingStopped?: boolean;
}

/** Whether the shipment `s` calls at one of the places with the given ids. */
export const callsAt = (placeholder: string): string => {
  const columns = ["port_of_lading_id", "port_of_discharge_id", "destination_port_id", "destination_metro_area_id"];
  return `(${columns.map((column) => `s.${column} = ANY(${placeholder}::uuid[])`).join(" OR ")})`;
};

/** Expressions equal to the functions of the same names in packages/domain; the indexes use exactly these. */
export const statusExpression = "shipment_status(s.pol_etd_at, s.pol_atd_at, s.pod_ata_at, s.destination_ata_at)";
export const arrivalExpression =
  "shipment_arrival(s.destination_ata_at, s.destination_eta_at, s.pod_ata_at, s.pod_eta_at)";

/** @param placeIds the ids of the port filter's places. */
export function shipmentConditions(filters: ShipmentFilters, placeIds: readonly string[] | undefined): Condition[] {
  const filterSql: FilterSql<ShipmentFilters> = {
    id: (p) => `s.id = ANY(${p}::uuid[])`,
    status: (p) => `${statusExpression} = ANY(${p}::text[])`,
    port: callsAt,
    carrier: (p) => `s.shipping_line_scac = ANY(${p}::text[])`,
    updatedAfter: (p) => `s.updated_at > ${p}::timestamptz`,
    createdAfter: (p) => `s.created_at > ${p}::timestamptz`,
    arrivalAfter: (p) =>
      `(${arrivalExpression} > ${p}::timestamptz AND ${arrivalExpression} < timestamptz '${unknownArrival}')`,
    arrivalBefore: (p) => `${arrivalExpression} < LEAST(${p}::timestamptz, timestamptz '${unknownArrival}')`,
    number: (p) => `(s.normalized_number = ANY(${p}::text[]) OR s.booking_number = ANY(${p}::text[]))`,
    refNumber: (p) => `s.ref_numbers && ${p}::text[]`,
    tag: (p) => `s.tags && ${p}::text[]`,
    trackingStopped: flagSql(
      filters.trackingStopped,
      "s.line_tracking_stopped_at IS NOT NULL",
      "s.line_tracking_stopped_at IS NULL",
    ),
  };
  return conditionsOf(filterSql, filters, { port: placeIds });
}
