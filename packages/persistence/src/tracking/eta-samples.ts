import type { Instant } from "@svc/domain";
import { type DerivedShipment, etaSampleChanges, type TrackingChanges } from "@svc/domain/derivation";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

const insert: Statement = {
  name: "tracking.insert-eta-sample",
  text: `
    INSERT INTO eta_samples (account_id, id, shipment_id, shipping_line_scac, port_of_lading_locode,
      port_of_discharge_locode, observed_at, eta_at)
    SELECT account_id, $3, id, shipping_line_scac, $4, $5, $6, $7 FROM shipments WHERE account_id = $1 AND id = $2`,
};

const close: Statement = {
  name: "tracking.close-eta-samples",
  text: `
    UPDATE eta_samples SET arrived_at = closed.arrived_at, port_of_lading_locode = COALESCE($5, port_of_lading_locode)
    FROM (SELECT id, CASE WHEN port_of_discharge_locode = $3 THEN $4::timestamptz END AS arrived_at
      FROM eta_samples WHERE account_id = $1 AND shipment_id = $2) AS closed
    WHERE eta_samples.account_id = $1 AND eta_samples.id = closed.id
      AND eta_samples.arrived_at IS DISTINCT FROM closed.arrived_at`,
};

/**
 * Stores each reported estimate of the arrival while the vessel is under way, and closes those of the port of arrival.
 * A corrected or withdrawn arrival updates them too.
 */
export async function writeEtaSamples(
  sql: Sql,
  accountId: string,
  write: {
    readonly shipmentId: string;
    readonly derived: DerivedShipment;
    readonly changes: TrackingChanges;
    readonly now: Instant;
  },
): Promise<void> {
  const { shipmentId, derived, changes, now } = write;
  const { estimate, arrival } = etaSampleChanges(derived, {
    shipment: new Set(changes.shipment.map(({ field }) => field)),
    containers: new Set(changes.containers.flatMap(({ fields }) => fields.map(({ field }) => field))),
  });
  if (estimate !== null) {
    await sql.execute(insert, [accountId, shipmentId, uuidV7.next(), estimate.from, estimate.to, now, estimate.etaAt]);
  }
  if (arrival !== null) {
    await sql.execute(close, [accountId, shipmentId, arrival.to, arrival.arrivedAt, arrival.from]);
  }
}
