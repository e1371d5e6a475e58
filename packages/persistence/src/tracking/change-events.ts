import type { ListedTransportEvent } from "@svc/domain/transport-events";
import type { AccountSql, Statement } from "../sql.ts";

const insert: Statement = {
  name: "tracking.insert-change-events",
  text: `
    INSERT INTO container_change_events (account_id, id, shipment_id, container_id, event, occurred_at, time_zone,
      location_locode, port_id, metro_area_id, terminal_id, vessel_id, voyage_number, data_source, value, created_at)
    SELECT $1, e.id, e."shipmentId", e."containerId", e.event, e."occurredAt", e."timeZone", e."locationLocode",
      e."portId",
      e."metroAreaId", e."terminalId", e."vesselId", e."voyageNumber", e."dataSource", e.value, e."createdAt"
    FROM jsonb_to_recordset($2::jsonb) AS e(id uuid, "shipmentId" uuid, "containerId" uuid, event text,
      "occurredAt" timestamptz,
      "timeZone" text, "locationLocode" text, "portId" uuid, "metroAreaId" uuid, "terminalId" uuid, "vesselId" uuid,
      "voyageNumber" text, "dataSource" text, value timestamptz, "createdAt" timestamptz)`,
};

/**
 * Stores changes of estimates, deadlines and appointments, so that clients can read the reference object of a
 * notification.
 */
export async function writeChangeEvents(
  sql: AccountSql,
  accountId: string,
  events: readonly ListedTransportEvent[],
): Promise<void> {
  if (events.length > 0) await sql.execute(insert, [accountId, JSON.stringify(events)]);
}
