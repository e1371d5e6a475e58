import type { Instant } from "@svc/domain";
import type { Container } from "@svc/domain/containers";
import { columnsFromFacts, eventValidAt, factsAsOf } from "../history/facts-as-of.ts";
import { shipmentRowsAsOf, timeBy } from "../shipments/shipments-as-of.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { trackedContainerColumns, unknownColumns } from "../tracking/container-rows.ts";
import { type ContainerRow, containerColumns, containerJoinsOf, toContainer } from "./container-row.ts";

/** Columns that have a value for unknown instead of null. */
const unknownValues: readonly (readonly [name: string, sql: string])[] = Object.entries({
  currentStatus: "new",
  ...unknownColumns,
}).map(([name, value]) => [name, `COALESCE(facts -> '${name}', '${JSON.stringify(value)}')`]);

const timeZoneOf = (table: string, id: string): string => `(SELECT z.time_zone FROM ${table} z WHERE z.id = ${id})`;

/**
 * Columns over the container `x`, its `facts`, and its shipment `s` at that time; places are those of the shipment, as
 * in tracking-patches.ts.
 */
const columns = columnsFromFacts(trackedContainerColumns, {
  ...Object.fromEntries(unknownValues),
  podTerminalId: "s.pod_terminal_id",
  pickupFacilityId: `CASE WHEN COALESCE(s.destination_port_id, s.destination_metro_area_id) IS NULL
    THEN s.pod_terminal_id ELSE s.destination_terminal_id END`,
  finalDestinationTimezone: `COALESCE(${timeZoneOf("ports", "s.destination_port_id")},
    ${timeZoneOf("metro_areas", "s.destination_metro_area_id")})`,
  emptyTerminatedTimezone: `(SELECT e.time_zone FROM transport_events e
    WHERE e.account_id = $1 AND e.container_id = x.id AND e.event = 'empty_in' AND facts ? 'emptyTerminatedAt'
      AND ${eventValidAt("$3")}
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT 1)`,
});

const findByIds: Statement = {
  name: "containers.find-many-as-of",
  text: `
    WITH past_shipments AS (${shipmentRowsAsOf(`x.id IN (
      SELECT container.shipment_id FROM containers container
      WHERE container.account_id = $1 AND container.id = ANY($2::uuid[]))`)}),
    c AS (
      SELECT past.* FROM containers x JOIN past_shipments s ON s.id = x.shipment_id
      CROSS JOIN LATERAL (${factsAsOf("x.id")}) AS known
      CROSS JOIN LATERAL jsonb_populate_record(x, jsonb_build_object(${columns})) AS past
      WHERE x.account_id = $1 AND x.id = ANY($2::uuid[]) AND x.created_at <= $3::timestamptz)
    SELECT ${containerColumns} FROM c ${containerJoinsOf("past_shipments")}`,
};

/**
 * The containers as they were known at `asOf`, in no particular order. Containers that were not known yet are omitted.
 */
export async function findContainersAsOf(
  sql: AccountSql,
  accountId: string,
  ids: readonly string[],
  asOf: Instant,
): Promise<Container[]> {
  const rows = await sql.rows<ContainerRow>(findByIds, [accountId, ids, asOf]);
  return rows.map((row) => ({
    ...toContainer(row),
    terminalCheckedAt: timeBy(row.terminalCheckedAt, asOf),
    shipmentLastTrackingRequestAt: timeBy(row.shipmentLastTrackingRequestAt, asOf),
  }));
}
