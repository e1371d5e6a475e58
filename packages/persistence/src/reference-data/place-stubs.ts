import type { TerminalKind } from "@svc/domain";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

// Rows are inserted in the order of their keys: two workers that create the same ones at once then wait for each other
// instead of blocking each other for ever.

const insertPorts: Statement = {
  name: "ports.insert-stubs",
  text: `
    INSERT INTO ports (id, locode, name, country_code, time_zone, source)
    SELECT id, locode, name, "countryCode", "timeZone", 'carrier'
    FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, locode text, name text, "countryCode" text, "timeZone" text)
    ORDER BY locode ON CONFLICT DO NOTHING`,
};
const insertMetroAreas: Statement = {
  name: "metro-areas.insert-stubs",
  text: `
    INSERT INTO metro_areas (id, locode, name, country_code, time_zone)
    SELECT id, locode, name, "countryCode", "timeZone"
    FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, locode text, name text, "countryCode" text, "timeZone" text)
    ORDER BY locode ON CONFLICT DO NOTHING`,
};
const insertTerminals: Statement = {
  name: "terminals.insert-stubs",
  text: `
    INSERT INTO terminals (id, port_id, metro_area_id, kind, name, smdg_code, bic_facility_code, source)
    SELECT id, "portId", "metroAreaId", kind, name, "smdgCode", "bicFacilityCode", 'carrier'
    FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, "portId" uuid, "metroAreaId" uuid, kind text, name text,
      "smdgCode" text, "bicFacilityCode" text)
    ORDER BY "bicFacilityCode", "portId", "metroAreaId", "smdgCode" ON CONFLICT DO NOTHING`,
};
const insertVessels: Statement = {
  name: "vessels.insert-stubs",
  text: `
    INSERT INTO vessels (id, imo, name)
    SELECT id, imo, name FROM jsonb_to_recordset($1::jsonb) AS s(id uuid, imo text, name text)
    ORDER BY imo, upper(name) ON CONFLICT DO NOTHING`,
};

const withIds = (rows: readonly object[]): string => JSON.stringify(rows.map((row) => ({ id: uuidV7.next(), ...row })));

/** The zone of a country that has only one; null for the others and for unknown countries. */
function onlyZoneOf(countryCode: string): string | null {
  const locale = new Intl.Locale(`und-${countryCode}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined };
  const zones = locale.getTimeZones?.() ?? [];
  return zones.length === 1 ? (zones[0] ?? null) : null;
}

export interface PlaceStub {
  readonly kind: "port" | "metro_area";
  readonly locode: string;
  readonly name: string | null;
}

export async function createPlaceStubs(sql: Sql, stubs: readonly PlaceStub[]): Promise<void> {
  const rowsOf = (kind: PlaceStub["kind"]) =>
    stubs
      .filter((stub) => stub.kind === kind)
      .map(({ locode, name }) => {
        const countryCode = locode.slice(0, 2);
        return { locode, name: name ?? locode, countryCode, timeZone: onlyZoneOf(countryCode) };
      });
  const ports = rowsOf("port");
  const metroAreas = rowsOf("metro_area");
  if (ports.length > 0) await sql.execute(insertPorts, [withIds(ports)]);
  if (metroAreas.length > 0) await sql.execute(insertMetroAreas, [withIds(metroAreas)]);
}

export interface TerminalStub {
  readonly kind: TerminalKind;
  readonly placeKind: "port" | "metro_area";
  readonly placeId: string | null;
  readonly smdgCode: string | null;
  readonly bicFacilityCode: string | null;
}

/** A stub is called by its code: the names in replies are those of the town. */
export async function createTerminalStubs(sql: Sql, stubs: readonly TerminalStub[]): Promise<void> {
  if (stubs.length === 0) return;
  const rows = stubs.map(({ kind, placeKind, placeId, smdgCode, bicFacilityCode }) => ({
    kind,
    smdgCode,
    bicFacilityCode,
    name: smdgCode ?? bicFacilityCode,
    portId: placeKind === "port" ? placeId : null,
    metroAreaId: placeKind === "metro_area" ? placeId : null,
  }));
  await sql.execute(insertTerminals, [withIds(rows)]);
}

export interface VesselStub {
  readonly imo: string | null;
  readonly name: string | null;
}

export async function createVesselStubs(sql: Sql, stubs: readonly VesselStub[]): Promise<void> {
  if (stubs.length === 0) return;
  const rows = stubs.map(({ imo, name }) => ({ imo, name: name ?? `IMO ${imo}` }));
  await sql.execute(insertVessels, [withIds(rows)]);
}
