import type { PlaceDirectory } from "@svc/domain/derivation";
import { createPlaceNames } from "@svc/domain/reference-data";
import type { Sql, Statement } from "../sql.ts";

/**
 * Every known place, in memory, because derivation and the carrier adapters read places far more often than these
 * change.
 */
export interface CachedPlaceDirectory extends PlaceDirectory {
  /** IANA time zone of a UN/LOCODE or alias; null when it is unknown. */
  timeZoneOf(locode: string): string | null;
  /** UN/LOCODE of a place in words, for example `Qingdao,Shandong,China`; null: unknown, or not certain. */
  locodeOf(text: string): string | null;
  /** Reloads all places. The previous ones stay in use until the reload is complete. */
  refresh(): Promise<void>;
}

interface KnownPlace {
  readonly kind: "port" | "metro_area";
  readonly locode: string;
  readonly name: string | null;
  /** City of a port, when its name differs from the port's. */
  readonly city: string | null;
  readonly timeZone: string | null;
}

/**
 * When a code is both a port and an inland place, a verified port wins and a port stub of a carrier loses. Places that
 * only an account reported are excluded, because one account's import must not turn another's port into an inland
 * place.
 */
const allPlaces: Statement = {
  name: "places.all",
  text: `
    SELECT 'port' AS kind, locode AS key, locode, name, city, time_zone AS "timeZone" FROM ports
      WHERE source = 'core' OR (source = 'carrier' AND NOT EXISTS (
        SELECT FROM metro_areas WHERE metro_areas.locode = ports.locode AND metro_areas.source <> 'account'))
    UNION ALL
    SELECT 'metro_area', locode, locode, name, NULL, time_zone FROM metro_areas
      WHERE source <> 'account'
        AND NOT EXISTS (SELECT FROM ports WHERE ports.locode = metro_areas.locode AND ports.source = 'core')
    UNION ALL
    SELECT 'port', a.locode, p.locode, p.name, p.city, p.time_zone
      FROM port_aliases a JOIN ports p ON p.id = a.port_id`,
};

async function readPlaces(sql: Sql): Promise<ReadonlyMap<string, KnownPlace>> {
  const rows = await sql.rows<KnownPlace & { key: string }>(allPlaces, []);
  return new Map(rows.map(({ key, ...place }) => [key, place]));
}

/** Resolves when all places are loaded. */
export async function loadPlaceDirectory(sql: Sql): Promise<CachedPlaceDirectory> {
  let places = await readPlaces(sql);
  let locodeOf = createPlaceNames([...places.values()]);
  return {
    canonicalLocode: (locode) => places.get(locode)?.locode ?? locode,
    kindOf: (locode) => places.get(locode)?.kind ?? null,
    timeZoneOf: (locode) => places.get(locode.toUpperCase())?.timeZone ?? null,
    locodeOf: (text) => locodeOf(text),
    nameOf: (locode) => places.get(locode)?.name ?? null,
    async refresh() {
      places = await readPlaces(sql);
      locodeOf = createPlaceNames([...places.values()]);
    },
  };
}
