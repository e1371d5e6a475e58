import type { Instant } from "@svc/domain";
import type { ContainerStatus } from "@svc/domain/containers";
import { type Condition, conditionsOf, type FilterSql, flagSql } from "../lists/list-rows.ts";
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

const shipmentSql = (condition: string): string =>
  `EXISTS (SELECT 1 FROM own_shipments s WHERE s.account_id = c.account_id AND s.id = c.shipment_id AND ${condition})`;

/** @param placeIds the ids of the port filter's places. */
export function containerFilterConditions(
  filters: ContainerFilters,
  placeIds: readonly string[] | undefined,
): Condition[] {
  const { trackingStopped, hasHolds, availableForPickup } = filters;
  const filterSql: FilterSql<ContainerFilters> = {
    status: (p) => `c.current_status = ANY(${p}::text[])`,
    port: (p) => shipmentSql(callsAt(p)),
    carrier: (p) => shipmentSql(`s.shipping_line_scac = ANY(${p}::text[])`),
    updatedAfter: (p) => `c.updated_at > ${p}::timestamptz`,
    createdAfter: (p) => `c.created_at > ${p}::timestamptz`,
    number: (p) => `c.number = ANY(${p}::text[])`,
    refNumber: (p) => `c.ref_numbers && ${p}::text[]`,
    tag: (p) => shipmentSql(`s.tags && ${p}::text[]`),
    pickupLfdBefore: (p) => `c.pickup_lfd < ${p}::timestamptz`,
    trackingStopped: flagSql(
      trackingStopped,
      shipmentSql("s.line_tracking_stopped_at IS NOT NULL"),
      shipmentSql("s.line_tracking_stopped_at IS NULL"),
    ),
    hasHolds: flagSql(hasHolds, "c.holds_at_pod_terminal <> '[]'", "c.holds_at_pod_terminal = '[]'"),
    availableForPickup: flagSql(availableForPickup, "c.available_for_pickup", "c.available_for_pickup IS NOT TRUE"),
  };
  return conditionsOf(filterSql, filters, { port: placeIds });
}
