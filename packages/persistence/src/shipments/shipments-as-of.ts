import type { Instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import { columnsFromFacts, factsAsOf } from "../history/facts-as-of.ts";
import { terminalFacilityTypes } from "../reference-data/resolve-places.ts";
import type { AccountSql, Statement } from "../sql.ts";
import { trackedShipmentColumnNames } from "../tracking/shipment-rows.ts";
import { type ShipmentRow, shipmentColumnsAsOf, shipmentJoins, toShipments } from "./shipment-row.ts";

const portId = (locode: string): string => `COALESCE((SELECT p.id FROM ports p WHERE p.locode = ${locode}),
    (SELECT a.port_id FROM port_aliases a WHERE a.locode = ${locode}))`;

const metroAreaId = (locode: string): string => `(SELECT m.id FROM metro_areas m WHERE m.locode = ${locode})`;

const locodeOf = (field: string): string => `upper(facts -> '${field}' ->> 'locode')`;

/** A place with its kind; a facility of it may be the only known information about the place. */
const facilityPlace = (field: string, facility: string): string =>
  `COALESCE(${locodeOf(field)}, ${locodeOf(facility)})`;

/**
 * The row of a facility, by BIC code or by the code within its place. Depots and customers' yards are not terminals.
 */
function terminalId(facility: string, portIdSql: string, metroAreaIdSql: string): string {
  const value = (name: string) => `facts -> '${facility}' ->> '${name}'`;
  const code = `upper(${value("facilityCode")})`;
  const types = terminalFacilityTypes.map((type) => `'${type}'`).join(", ");
  const isBic = `${value("facilityCodeProvider")} IS NOT DISTINCT FROM 'BIC'`;
  return `CASE WHEN COALESCE(${value("facilityType")}, '') IN ('', ${types}) THEN (
      SELECT t.id FROM terminals t WHERE ${isBic} AND t.bic_facility_code = ${code}
      UNION ALL SELECT t.id FROM terminals t WHERE NOT ${isBic} AND t.port_id = ${portIdSql} AND t.smdg_code = ${code}
      UNION ALL SELECT t.id FROM terminals t WHERE NOT ${isBic} AND t.metro_area_id = ${metroAreaIdSql}
        AND t.smdg_code = ${code}
      LIMIT 1) END`;
}

const vesselId = `COALESCE(
    (SELECT v.id FROM vessels v WHERE v.imo = facts -> 'podVessel' ->> 'imo'),
    (SELECT v.id FROM vessels v WHERE v.imo IS NULL AND COALESCE(facts -> 'podVessel' ->> 'imo', '') = ''
      AND upper(v.name) = upper(btrim(facts -> 'podVessel' ->> 'name'))))`;

/** The places of a journey at that time: the columns of the rows that its facts name, as in tracking-patches.ts. */
const factPlaces = `
  SELECT ${portId(locodeOf("portOfLading"))} AS lading, ${portId(locodeOf("portOfDischarge"))} AS discharge,
    ${portId(facilityPlace("portOfDischarge", "podTerminal"))} AS "podOfTerminal",
    CASE WHEN facts -> 'destination' ->> 'kind' = 'port'
      THEN ${portId(locodeOf("destination"))} END AS "destinationPort",
    CASE WHEN facts -> 'destination' ->> 'kind' = 'metro_area' THEN ${metroAreaId(locodeOf("destination"))} END
      AS "destinationMetroArea",
    CASE WHEN COALESCE(facts -> 'destination' ->> 'kind', 'port') = 'port'
      THEN ${portId(facilityPlace("destination", "destinationTerminal"))} END AS "portOfDestinationTerminal",
    CASE WHEN facts -> 'destination' ->> 'kind' = 'metro_area'
      THEN ${metroAreaId(facilityPlace("destination", "destinationTerminal"))} END AS "metroAreaOfDestinationTerminal"`;

const columns = columnsFromFacts(trackedShipmentColumnNames, {
  portOfLadingId: "place.lading",
  portOfDischargeId: "place.discharge",
  destinationPortId: `place."destinationPort"`,
  destinationMetroAreaId: `place."destinationMetroArea"`,
  podTerminalId: terminalId("podTerminal", `place."podOfTerminal"`, "NULL::uuid"),
  destinationTerminalId: terminalId(
    "destinationTerminal",
    `place."portOfDestinationTerminal"`,
    `place."metroAreaOfDestinationTerminal"`,
  ),
  podVesselId: vesselId,
});

/**
 * The rows of shipments of the account $1 as known at the time $3. Only tracked attributes are of that time; all others
 * are current.
 * @param which condition on `shipments x`.
 */
export const shipmentRowsAsOf = (which: string): string => `
  SELECT past.* FROM shipments x
  CROSS JOIN LATERAL (${factsAsOf("x.id")}) AS known
  CROSS JOIN LATERAL (${factPlaces}) AS place
  CROSS JOIN LATERAL jsonb_populate_record(x, jsonb_build_object(${columns})) AS past
  WHERE x.account_id = $1 AND x.created_at <= $3::timestamptz AND ${which}`;

const findByIds: Statement = {
  name: "shipments.find-many-as-of",
  text: `
    WITH s AS (${shipmentRowsAsOf("x.id = ANY($2::uuid[])")})
    SELECT ${shipmentColumnsAsOf} FROM s ${shipmentJoins}`,
};

/** A time without history: a value later than `asOf` was not known then. */
export const timeBy = (time: Instant | null, asOf: Instant): Instant | null =>
  time !== null && time <= asOf ? time : null;

/** The shipments as known at `asOf`, in no particular order; shipments that were not known yet are omitted. */
export async function findShipmentsAsOf(
  sql: AccountSql,
  accountId: string,
  ids: readonly string[],
  asOf: Instant,
): Promise<Shipment[]> {
  const rows = await sql.rows<ShipmentRow>(findByIds, [accountId, ids, asOf]);
  return (await toShipments(sql, accountId, rows)).map((shipment) => {
    const { lineTrackingStoppedReason, lineTrackingStoppedByUserId } = shipment;
    const stoppedAt = timeBy(shipment.lineTrackingStoppedAt, asOf);
    return {
      ...shipment,
      lineTrackingLastAttemptedAt: timeBy(shipment.lineTrackingLastAttemptedAt, asOf),
      lineTrackingLastSucceededAt: timeBy(shipment.lineTrackingLastSucceededAt, asOf),
      lineTrackingStoppedAt: stoppedAt,
      lineTrackingStoppedReason: stoppedAt === null ? null : lineTrackingStoppedReason,
      lineTrackingStoppedByUserId: stoppedAt === null ? null : lineTrackingStoppedByUserId,
    };
  });
}
