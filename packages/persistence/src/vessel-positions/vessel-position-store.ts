import type { Instant } from "@svc/domain";
import type { StoredVesselPosition, VesselIdentity } from "@svc/domain/vessel-positions";
import type { Sql, Statement } from "../sql.ts";

/** A vessel of a tracked shipment. */
export interface TrackedVessel {
  readonly id: string;
  readonly imo: string;
  readonly mmsi: string | null;
  /** Newest stored position. */
  readonly latest: StoredVesselPosition | null;
}

export interface VesselPositionRow extends StoredVesselPosition {
  readonly vesselId: string;
}

/** Columns of a position `p` as a StoredVesselPosition. */
export const positionColumns = `json_build_array(p.longitude, p.latitude) AS position, p.at,
  p.speed_knots AS "speedKnots", p.course_degrees AS "courseDegrees", p.heading_degrees AS "headingDegrees", p.source`;

/** A vessel that a container was loaded on so long ago is not on that voyage any more. */
const voyageDaysMax = 90;

/**
 * The vessels that the shipments which are tracked and have not arrived are expected on at the port of discharge, and
 * those that their containers were loaded on last.
 */
const trackedVessels: Statement = {
  name: "vessel-positions.tracked-vessels",
  text: `
    WITH under_way AS (
      SELECT account_id, id, pod_vessel_id, pol_atd_at FROM shipments
      WHERE pod_ata_at IS NULL AND line_tracking_stopped_at IS NULL AND superseded_at IS NULL),
    wanted AS (
      SELECT pod_vessel_id AS id FROM under_way WHERE pod_vessel_id IS NOT NULL
      UNION
      SELECT last.vessel_id FROM under_way s CROSS JOIN LATERAL (
        SELECT DISTINCT ON (e.container_id) e.vessel_id FROM transport_events e
        WHERE e.account_id = s.account_id AND e.shipment_id = s.id AND e.invalidated_at IS NULL
          AND e.vessel_id IS NOT NULL AND e.occurred_at > $1::timestamptz - interval '${voyageDaysMax} days'
        ORDER BY e.container_id, e.occurred_at DESC) AS last
      WHERE s.pol_atd_at IS NOT NULL)
    SELECT v.id, v.imo, v.mmsi, p.latest
    FROM wanted JOIN vessels v ON v.id = wanted.id
    LEFT JOIN LATERAL (SELECT jsonb_build_object('position', jsonb_build_array(longitude, latitude),
        'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'speedKnots', speed_knots,
        'courseDegrees', course_degrees, 'headingDegrees', heading_degrees, 'source', source) AS latest
      FROM vessel_positions WHERE vessel_id = v.id ORDER BY at DESC LIMIT 1) p ON true
    WHERE v.imo IS NOT NULL`,
};

/** Reads the tracked vessels of all accounts: positions are shared, as vessels are. */
export function readTrackedVessels(sql: Sql, now: Instant): Promise<TrackedVessel[]> {
  return sql.rows<TrackedVessel>(trackedVessels, [now]);
}

const insertPositions: Statement = {
  name: "vessel-positions.insert",
  text: `
    INSERT INTO vessel_positions (vessel_id, at, longitude, latitude, speed_knots, course_degrees, heading_degrees,
      source)
    SELECT r."vesselId", r.at, (r.position->>0)::float8, (r.position->>1)::float8, r."speedKnots", r."courseDegrees",
      r."headingDegrees", r.source
    FROM jsonb_to_recordset($1::jsonb) AS r("vesselId" uuid, at timestamptz, position jsonb, "speedKnots" float8,
      "courseDegrees" float8, "headingDegrees" float8, source text)
    WHERE EXISTS (SELECT FROM vessels v WHERE v.id = r."vesselId")
    ORDER BY r."vesselId", r.at ON CONFLICT DO NOTHING`,
};

/** Positions that are stored already stay as they are. */
export async function storeVesselPositions(sql: Sql, positions: readonly VesselPositionRow[]): Promise<void> {
  if (positions.length > 0) await sql.execute(insertPositions, [JSON.stringify(positions)]);
}

const setIdentity: Statement = {
  name: "vessels.set-identity",
  text: `
    UPDATE vessels SET mmsi = CASE WHEN imo = $1 THEN $2 END
    WHERE (imo = $1 AND mmsi IS DISTINCT FROM $2) OR (mmsi = $2 AND imo IS DISTINCT FROM $1)`,
};

/** Sets the MMSI of vessels. Another vessel that had it loses it. */
export async function storeVesselIdentities(sql: Sql, pairs: readonly VesselIdentity[]): Promise<void> {
  for (const { imo, mmsi } of pairs) await sql.execute(setIdentity, [imo, mmsi]);
}

const removeOld: Statement = {
  name: "vessel-positions.remove-old",
  text: `
    DELETE FROM vessel_positions p
    USING (SELECT vessel_id, at FROM vessel_positions WHERE at < $1 ORDER BY at LIMIT $2) AS old
    WHERE p.vessel_id = old.vessel_id AND p.at = old.at`,
};

/** Removes at most `limit` positions. @returns their number. */
export function removeOldVesselPositions(sql: Sql, before: Instant, limit: number): Promise<number> {
  return sql.execute(removeOld, [before, limit]);
}
