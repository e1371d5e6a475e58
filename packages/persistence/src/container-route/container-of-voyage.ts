import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** A vessel's way between two ports; ids of the records. */
export interface VesselVoyage {
  readonly vesselId: string;
  readonly fromPortId: string;
  readonly toPortId: string;
}

/**
 * The first that is expected at the port; else the last that left the other port, wherever it goes; else one that is overdue.
 * The first and the last are found by the shipment's port of discharge, the others by the index of departures.
 */
const findContainer: Statement = {
  name: "container-route.of-voyage",
  text: `
    SELECT id FROM (
      (SELECT c.id, CASE WHEN s.pod_eta_at >= $5 THEN 1 ELSE 3 END AS rank
        FROM shipments s JOIN containers c ON c.account_id = s.account_id AND c.shipment_id = s.id
        WHERE s.account_id = $1 AND s.pod_vessel_id = $2 AND s.port_of_discharge_id = $4 AND s.pod_ata_at IS NULL
        ORDER BY s.pod_eta_at < $5, s.pod_eta_at, c.id LIMIT 1)
      UNION ALL
      (SELECT e.container_id, 2 FROM transport_events e
        WHERE e.account_id = $1 AND e.vessel_id = $2 AND e.port_id = $3 AND e.invalidated_at IS NULL
          AND e.event IN ('vessel_departed', 'transshipment_departed', 'feeder_departed')
        ORDER BY e.occurred_at DESC NULLS LAST, e.container_id LIMIT 1)) found
    ORDER BY rank LIMIT 1`,
};

/** A container of the account that tells best of a vessel's voyage. Null: none of the account's travels on it. */
export async function findContainerOfVoyage(
  sql: AccountSql,
  accountId: string,
  { vesselId, fromPortId, toPortId }: VesselVoyage,
  now: Instant,
): Promise<string | null> {
  const rows = await sql.rows<{ id: string }>(findContainer, [accountId, vesselId, fromPortId, toPortId, now]);
  return rows[0]?.id ?? null;
}
