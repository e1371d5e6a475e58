import type { Instant } from "@svc/domain";
import type { ContainerStatus } from "@svc/domain/containers";
import type { Condition } from "../lists/list-rows.ts";
import { callsAt } from "../shipments/shipment-filters.ts";

/**
 * Filters of a list of containers (docs/contract/decisions.md 2). Several values of one filter match any of them;
 * several filters must all match.
 */
export interface ContainerFilters {
  readonly status?: readonly ContainerStatus[];
  /** UN/LOCODEs of the shipment's lading, discharge or destination. */
  readonly port?: readonly string[];
  /** SCACs. */
  readonly carrier?: readonly string[];
  readonly updatedAfter?: Instant;
  readonly createdAfter?: Instant;
  /** Normalised container numbers. */
  readonly number?: readonly string[];
  readonly refNumber?: readonly string[];
  /** Tags of the shipment. */
  readonly tag?: readonly string[];
  readonly trackingStopped?: boolean;
  readonly pickupLfdBefore?: Instant;
  readonly hasHolds?: boolean;
  readonly availableForPickup?: boolean;
}

const ofShipment = (condition: string): string =>
  `EXISTS (SELECT 1 FROM own_shipments s WHERE s.account_id = c.account_id AND s.id = c.shipment_id AND ${condition})`;

/** @param placeIds the ids of the port filter's places. */
export function containerConditions(filters: ContainerFilters, placeIds: readonly string[] | undefined): Condition[] {
  const conditions: Condition[] = [];
  const add = (key: keyof ContainerFilters, sql: Condition["sql"]): void => {
    if (filters[key] !== undefined) conditions.push({ key, sql, value: filters[key] });
  };
  /** One condition for true and one for false, so that the rarer value uses its own partial index. */
  const addFlag = (key: "trackingStopped" | "hasHolds" | "availableForPickup", yes: string, no: string): void => {
    const value = filters[key];
    if (value === undefined) return;
    const sql = value ? (p: string) => `(${yes} AND ${p}::boolean)` : (p: string) => `(${no} AND NOT ${p}::boolean)`;
    conditions.push({ key: `${value ? "" : "not-"}${key}`, sql, value });
  };
  add("status", (p) => `c.current_status = ANY(${p}::text[])`);
  if (placeIds) conditions.push({ key: "port", sql: (p) => ofShipment(callsAt(p)), value: placeIds });
  add("carrier", (p) => ofShipment(`s.shipping_line_scac = ANY(${p}::text[])`));
  add("updatedAfter", (p) => `c.updated_at > ${p}::timestamptz`);
  add("createdAfter", (p) => `c.created_at > ${p}::timestamptz`);
  add("number", (p) => `c.number = ANY(${p}::text[])`);
  add("refNumber", (p) => `c.ref_numbers && ${p}::text[]`);
  add("tag", (p) => ofShipment(`s.tags && ${p}::text[]`));
  add("pickupLfdBefore", (p) => `c.pickup_lfd < ${p}::timestamptz`);
  addFlag(
    "trackingStopped",
    ofShipment("s.line_tracking_stopped_at IS NOT NULL"),
    ofShipment("s.line_tracking_stopped_at IS NULL"),
  );
  addFlag("hasHolds", "c.holds_at_pod_terminal <> '[]'", "c.holds_at_pod_terminal = '[]'");
  addFlag("availableForPickup", "c.available_for_pickup", "c.available_for_pickup IS NOT TRUE");
  return conditions;
}
