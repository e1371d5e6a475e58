import type { Instant, ShipmentStatus } from "@svc/domain";
import type { Condition } from "../lists/list-rows.ts";

/** Filters of a list of shipments (contract-decisions.md 2). Several values of one: any of them; several filters: all. */
export interface ShipmentFilters {
  readonly status?: readonly ShipmentStatus[];
  /** UN/LOCODEs of lading, discharge or destination. */
  readonly port?: readonly string[];
  /** SCACs. */
  readonly carrier?: readonly string[];
  readonly updatedAfter?: Instant;
  readonly createdAfter?: Instant;
  /** Normalised shipment or booking numbers. */
  readonly number?: readonly string[];
  readonly refNumber?: readonly string[];
  readonly tag?: readonly string[];
  readonly trackingStopped?: boolean;
}

/** Ids of the places with these UN/LOCODEs, aliases included. */
const placeIds = (placeholder: string): string =>
  `ARRAY(SELECT id FROM ports WHERE locode = ANY(${placeholder}::text[])
    UNION SELECT port_id FROM port_aliases WHERE locode = ANY(${placeholder}::text[])
    UNION SELECT id FROM metro_areas WHERE locode = ANY(${placeholder}::text[]))`;

/** Whether the shipment `s` calls at one of the places. */
export const callsAt = (placeholder: string): string => {
  const ids = placeIds(placeholder);
  const columns = ["port_of_lading_id", "port_of_discharge_id", "destination_port_id", "destination_metro_area_id"];
  return `(${columns.map((column) => `s.${column} = ANY(${ids})`).join(" OR ")})`;
};

export function shipmentConditions(filters: ShipmentFilters): Condition[] {
  const conditions: Condition[] = [];
  const add = (key: keyof ShipmentFilters, sql: Condition["sql"]): void => {
    if (filters[key] !== undefined) conditions.push({ key, sql, value: filters[key] });
  };
  add(
    "status",
    (p) => `shipment_status(s.pol_etd_at, s.pol_atd_at, s.pod_ata_at, s.destination_ata_at) = ANY(${p}::text[])`,
  );
  add("port", callsAt);
  add("carrier", (p) => `s.shipping_line_scac = ANY(${p}::text[])`);
  add("updatedAfter", (p) => `s.updated_at > ${p}::timestamptz`);
  add("createdAfter", (p) => `s.created_at > ${p}::timestamptz`);
  add("number", (p) => `(s.normalized_number = ANY(${p}::text[]) OR s.booking_number = ANY(${p}::text[]))`);
  add("refNumber", (p) => `s.ref_numbers && ${p}::text[]`);
  add("tag", (p) => `s.tags && ${p}::text[]`);
  // Two texts, so that the stopped ones are found by their own index.
  const stopped = filters.trackingStopped
    ? (p: string) => `(s.line_tracking_stopped_at IS NOT NULL AND ${p}::boolean)`
    : (p: string) => `(s.line_tracking_stopped_at IS NULL AND NOT ${p}::boolean)`;
  if (filters.trackingStopped !== undefined) {
    const key = filters.trackingStopped ? "stopped" : "running";
    conditions.push({ key, sql: stopped, value: filters.trackingStopped });
  }
  return conditions;
}
