import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** A vessel's voyage between two ports, by the ids of the records. */
export interface VesselVoyage {
  readonly vesselId: string;
  readonly fromPortId: string;
  readonly toPortId: string;
}

/**
 * Selects the container with the next estimated arrival at the port; otherwise the last that departed from the other
 * port, whatever its destination; otherwise an overdue one. The first and the third case use the shipment's port of
 * discharge, the second uses the index of departures.
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

/** The container of the account that represents a vessel's voyage best; null when none travels on it. */
export async function findContainerOfVoyage(
  sql: AccountSql,
  accountId: string,
  { vesselId, fromPortId, toPortId }: VesselVoyage,
  now: Instant,
): Promise<string | null> {
  const rows = await sql.rows<{ id: string }>(findContainer, [accountId, vesselId, fromPortId, toPortId, now]);
  return rows[0]?.id ?? null;
}
