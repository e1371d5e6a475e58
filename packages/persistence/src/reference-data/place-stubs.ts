import type { TerminalKind } from "@svc/domain/reference-data";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

// Rows are inserted in the order of their keys, so that two workers that create the same ones concurrently wait for
// each other and do not deadlock.

/**
 * The source of a place or vessel. Only a carrier of the service names a shared row. Places that an account imports or
 * pushes get a row named by its code, which a carrier's report completes later. A carrier's name stays until the
 * reference data has another one.
 */
export type StubSource = "carrier" | "account";

const completes = (table: string, unnamed: string): string =>
  `excluded.source = 'carrier' AND (${table}.source = 'account' OR (${table}.source = 'carrier' AND ${table}.name = ${unnamed}))`;

const insertPlaces = (table: "ports" | "metro_areas", name: string): Statement => ({
  name,
  text: `
    INSERT INTO ${table} AS t (id, locode, name, country_code, time_zone, source)
    SELECT id, locode, name, "countryCode", "timeZone", source
    FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, locode text, name text, "countryCode" text, "timeZone" text,
      source text)
    ORDER BY locode ON CONFLICT (locode) DO UPDATE SET name = excluded.name, source = excluded.source
      WHERE ${completes("t", "t.locode")}`,
});
const insertPorts = insertPlaces("ports", "ports.insert-stubs");
const insertMetroAreas = insertPlaces("metro_areas", "metro-areas.insert-stubs");
const completeTerminals: Statement = {
  name: "terminals.complete-stubs",
  text: `
    UPDATE terminals t SET kind = s.kind, source = 'carrier',
      port_id = CASE WHEN s."bicFacilityCode" IS NULL THEN t.port_id ELSE s."portId" END,
      metro_area_id = CASE WHEN s."bicFacilityCode" IS NULL THEN t.metro_area_id ELSE s."metroAreaId" END
    FROM jsonb_to_recordset($1::jsonb) AS s("portId" uuid, "metroAreaId" uuid, kind text, "smdgCode" text,
      "bicFacilityCode" text)
    WHERE t.source = 'account' AND CASE WHEN s."bicFacilityCode" IS NULL
      THEN t.smdg_code = s."smdgCode" AND (t.port_id = s."portId" OR t.metro_area_id = s."metroAreaId")
      ELSE t.bic_facility_code = s."bicFacilityCode" END`,
};
const insertTerminals: Statement = {
  name: "terminals.insert-stubs",
  text: `
    INSERT INTO terminals (id, port_id, metro_area_id, kind, name, smdg_code, bic_facility_code, source)
    SELECT id, "portId", "metroAreaId", kind, name, "smdgCode", "bicFacilityCode", source
    FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, "portId" uuid, "metroAreaId" uuid, kind text, name text,
      "smdgCode" text, "bicFacilityCode" text, source text)
    ORDER BY "bicFacilityCode", "portId", "metroAreaId", "smdgCode" ON CONFLICT DO NOTHING`,
};
const insertVessels: Statement = {
  name: "vessels.insert-stubs",
  text: `
    INSERT INTO vessels AS t (id, imo, name, source)
    SELECT id, imo, name, source FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, imo text, name text, source text)
    WHERE imo IS NOT NULL
    ORDER BY imo ON CONFLICT (imo) DO UPDATE SET name = excluded.name, source = excluded.source
      WHERE ${completes("t", "'IMO ' || t.imo")}`,
};
/** Identified by its name only, in which sources differ at most in case. */
const insertNamedVessels: Statement = {
  name: "vessels.insert-named-stubs",
  text: `
    INSERT INTO vessels (id, imo, name, source)
    SELECT id, NULL, upper(name), source FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, imo text, name text,
      source text)
    WHERE imo IS NULL
    ORDER BY upper(name) ON CONFLICT DO NOTHING`,
};

const withIds = (rows: readonly object[]): string => JSON.stringify(rows.map((row) => ({ id: uuidV7.next(), ...row })));

/** The time zone of a country that has only one; null for other and unknown countries. */
function singleTimeZone(countryCode: string): string | null {
  const locale = new Intl.Locale(`und-${countryCode}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined };
  const zones = locale.getTimeZones?.() ?? [];
  return zones.length === 1 ? (zones[0] ?? null) : null;
}

export interface PlaceStub {
  readonly source: StubSource;
  readonly kind: "port" | "metro_area";
  readonly locode: string;
  readonly name: string | null;
}

export async function createPlaceStubs(sql: Sql, stubs: readonly PlaceStub[]): Promise<void> {
  const toRows = (kind: PlaceStub["kind"]) =>
    stubs
      .filter((stub) => stub.kind === kind)
      .map(({ locode, name, source }) => {
        const countryCode = locode.slice(0, 2);
        const displayName = (source === "carrier" ? name : null) ?? locode;
        return { locode, name: displayName, countryCode, timeZone: singleTimeZone(countryCode), source };
      });
  const ports = toRows("port");
  const metroAreas = toRows("metro_area");
  if (ports.length > 0) await sql.execute(insertPorts, [withIds(ports)]);
  if (metroAreas.length > 0) await sql.execute(insertMetroAreas, [withIds(metroAreas)]);
}

export interface TerminalStub {
  readonly source: StubSource;
  readonly kind: TerminalKind;
  readonly placeKind: "port" | "metro_area";
  readonly placeId: string | null;
  readonly smdgCode: string | null;
  readonly bicFacilityCode: string | null;
}

/** A stub is named by its code, because replies contain the name of the town. */
export async function createTerminalStubs(sql: Sql, stubs: readonly TerminalStub[]): Promise<void> {
  if (stubs.length === 0) return;
  const rows = stubs.map(({ source, kind, placeKind, placeId, smdgCode, bicFacilityCode }) => ({
    source,
    kind,
    smdgCode,
    bicFacilityCode,
    name: smdgCode ?? bicFacilityCode,
    portId: placeKind === "port" ? placeId : null,
    metroAreaId: placeKind === "metro_area" ? placeId : null,
  }));
  const reported = rows.filter(({ source }) => source === "carrier");
  if (reported.length > 0) await sql.execute(completeTerminals, [JSON.stringify(reported)]);
  await sql.execute(insertTerminals, [withIds(rows)]);
}

export interface VesselStub {
  readonly source: StubSource;
  readonly imo: string | null;
  readonly name: string | null;
}

export async function createVesselStubs(sql: Sql, stubs: readonly VesselStub[]): Promise<void> {
  if (stubs.length === 0) return;
  const rows = stubs.map(({ source, imo, name }) => ({
    source,
    imo,
    name: imo === null ? name : ((source === "carrier" ? name : null) ?? `IMO ${imo}`),
  }));
  if (rows.some(({ imo }) => imo !== null)) await sql.execute(insertVessels, [withIds(rows)]);
  if (rows.some(({ imo }) => imo === null)) await sql.execute(insertNamedVessels, [withIds(rows)]);
}
