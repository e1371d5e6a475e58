import type { Instant } from "@svc/domain";
import type { StoredVesselPosition } from "@svc/domain/vessel-positions";
import type { Sql, Statement } from "../sql.ts";
import { positionColumns } from "./vessel-position-store.ts";

const newest: Statement = {
  name: "vessel-positions.newest",
  text: `
    SELECT p.vessel_id AS "vesselId", ${positionColumns} FROM unnest($1::uuid[]) AS wanted(id)
    CROSS JOIN LATERAL (SELECT * FROM vessel_positions WHERE vessel_id = wanted.id AND at <= $2
      ORDER BY at DESC LIMIT 1) p`,
};

const between: Statement = {
  name: "vessel-positions.between",
  text: `
    SELECT ${positionColumns} FROM vessel_positions p
    WHERE p.vessel_id = $1 AND p.at >= $2 AND p.at <= $3 ORDER BY p.at DESC LIMIT $4`,
};

/** Positions that vessels reported by AIS. All accounts share them. */
export interface VesselPositionReader {
  /** The newest position of each vessel by its id, not later than `now`. Vessels without one are omitted. */
  newest(vesselIds: readonly string[], now: Instant): Promise<ReadonlyMap<string, StoredVesselPosition>>;
  /** The newest positions of a period, at most `limit`, in chronological order. */
  between(vesselId: string, from: Instant, to: Instant, limit: number): Promise<StoredVesselPosition[]>;
}

export function createVesselPositionReader(sql: Sql): VesselPositionReader {
  return {
    async newest(vesselIds, now) {
      if (vesselIds.length === 0) return new Map();
      const rows = await sql.rows<StoredVesselPosition & { vesselId: string }>(newest, [vesselIds, now]);
      return new Map(rows.map(({ vesselId, ...position }) => [vesselId, position]));
    },
    async between(vesselId, from, to, limit) {
      return (await sql.rows<StoredVesselPosition>(between, [vesselId, from, to, limit])).toReversed();
    },
  };
}
