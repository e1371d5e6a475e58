import type { ObservedPlace, ObservedVessel } from "@svc/domain/observations";
import type { TerminalKind } from "@svc/domain/reference-data";
import type { Sql, Statement } from "../sql.ts";
import { createPlaceStubs, createTerminalStubs, createVesselStubs, type StubSource } from "./place-stubs.ts";

/** A place of a journey as a source named it, with the kind that derivation assigned. */
export interface PlaceMention {
  readonly place: Pick<ObservedPlace, "locode" | "name"> & Partial<ObservedPlace>;
  readonly kind: "port" | "metro_area";
  /** Source of the place. Default: a carrier of the service. */
  readonly source?: StubSource;
}

/** A vessel and its source; by default a carrier of the service. */
export type VesselMention = ObservedVessel & { readonly source?: StubSource };

export interface ResolvedPlace {
  readonly id: string;
  readonly kind: "port" | "metro_area";
  readonly locode: string;
  readonly timeZone: string | null;
}

export interface ResolvedTerminal {
  readonly id: string;
  readonly kind: TerminalKind;
}

/** The rows of the requested places and vessels; null when the source gave no identification. */
export interface ResolvedPlaces {
  place(mention: PlaceMention): ResolvedPlace | null;
  terminal(mention: PlaceMention): ResolvedTerminal | null;
  vesselId(vessel: ObservedVessel): string | null;
}

const findPlaces: Statement = {
  name: "places.find",
  text: `
    SELECT 'port' AS kind, locode AS key, id, locode, time_zone AS "timeZone", source,
      source = 'carrier' AND name = locode AS "isUnnamed" FROM ports WHERE locode = ANY($1)
    UNION ALL
    SELECT 'port', a.locode, p.id, p.locode, p.time_zone, p.source, false
    FROM port_aliases a JOIN ports p ON p.id = a.port_id WHERE a.locode = ANY($1)
    UNION ALL
    SELECT 'metro_area', locode, id, locode, time_zone, source, source = 'carrier' AND name = locode
    FROM metro_areas WHERE locode = ANY($2)`,
};
const findVessels: Statement = {
  name: "vessels.find",
  text: `
    SELECT imo AS key, id, source, source = 'carrier' AND name = 'IMO ' || imo AS "isUnnamed" FROM vessels
      WHERE imo = ANY($1)
    UNION ALL
    SELECT upper(name), id, 'carrier', false FROM vessels WHERE imo IS NULL AND upper(name) = ANY($2)`,
};
const findTerminals: Statement = {
  name: "terminals.find",
  text: `
    SELECT id, kind, COALESCE(port_id, metro_area_id) AS "placeId", smdg_code AS "smdgCode", NULL AS "bicFacilityCode",
      source
    FROM terminals WHERE port_id = ANY($1) AND smdg_code = ANY($3)
    UNION ALL
    SELECT id, kind, metro_area_id, smdg_code, NULL, source FROM terminals
      WHERE metro_area_id = ANY($2) AND smdg_code = ANY($3)
    UNION ALL
    SELECT id, kind, NULL, NULL, bic_facility_code, source FROM terminals WHERE bic_facility_code = ANY($4)`,
};

const locodeShape = /^[A-Z]{2}[A-Z0-9]{3}$/;

const locodeOf = ({ place }: PlaceMention): string | null => {
  const locode = place.locode?.toUpperCase() ?? "";
  return locodeShape.test(locode) ? locode : null;
};
const placeKey = (kind: string, locode: string): string => `${kind} ${locode}`;
/** Kept as the source gave it, valid or not, because stored and derived values must compare equal. */
const imoOf = (vessel: ObservedVessel): string | null => vessel.imo || null;
const vesselKey = (vessel: ObservedVessel): string | null =>
  imoOf(vessel) ?? (vessel.name?.trim().toUpperCase() || null);

const terminalKinds: Readonly<Record<string, TerminalKind>> = {
  POTE: "terminal",
  RAMP: "rail_terminal",
  INTE: "rail_terminal",
};

/** The types of facility that are terminals. */
export const terminalFacilityTypes: readonly string[] = Object.keys(terminalKinds);

/** Depots and customers' yards have facility codes too but are not terminals. */
function terminalKindOf({ place, kind }: PlaceMention): TerminalKind | null {
  if (!place.facilityCode) return null;
  if (place.facilityType) return terminalKinds[place.facilityType] ?? null;
  return kind === "port" ? "terminal" : "rail_terminal";
}

interface Facility extends ResolvedTerminal {
  readonly placeId: string | null;
  readonly smdgCode: string | null;
  readonly bicFacilityCode: string | null;
}

const facilityKey = ({ placeId, smdgCode, bicFacilityCode }: Omit<Facility, "id" | "kind">): string =>
  bicFacilityCode ? `BIC ${bicFacilityCode}` : `${placeId} ${smdgCode}`;

const unique = <T>(values: readonly T[], keyOf: (value: T) => string): T[] => [
  ...new Map(values.map((value) => [keyOf(value), value])).values(),
];

interface StoredStub {
  readonly source: string;
  /** Whether its code is its only name. */
  readonly isUnnamed: boolean;
}

/** Whether a carrier's report completes the existing row. */
function completes(
  { source = "carrier", name }: { readonly source?: StubSource | undefined; readonly name: string | null },
  stored: StoredStub,
): boolean {
  return source === "carrier" && (stored.source === "account" || (stored.isUnnamed && name !== null));
}

/** A carrier's report takes precedence over those of accounts. */
const carriersLast = <T extends { readonly source?: StubSource | undefined }>(values: readonly T[]): T[] =>
  values.toSorted((a, b) => Number(b.source === "account") - Number(a.source === "account"));

async function findOrCreatePlaces(sql: Sql, mentions: readonly PlaceMention[]): Promise<Map<string, ResolvedPlace>> {
  const requested = unique(
    carriersLast(mentions).flatMap((mention) => {
      const locode = locodeOf(mention);
      const { kind, source = "carrier" } = mention;
      return locode === null ? [] : [{ locode, kind, name: mention.place.name, source }];
    }),
    ({ kind, locode }) => placeKey(kind, locode),
  );
  const found = new Map<string, ResolvedPlace>();
  const find = async (places: typeof requested): Promise<typeof requested> => {
    if (places.length === 0) return [];
    const locodesOf = (kind: string) => places.filter((place) => place.kind === kind).map((place) => place.locode);
    const rows = await sql.rows<ResolvedPlace & StoredStub & { key: string }>(findPlaces, [
      locodesOf("port"),
      locodesOf("metro_area"),
    ]);
    const stored = new Map(rows.map((row) => [placeKey(row.kind, row.key), row]));
    for (const [key, { kind, id, locode, timeZone }] of stored) found.set(key, { kind, id, locode, timeZone });
    return places.filter((place) => {
      const row = stored.get(placeKey(place.kind, place.locode));
      return row === undefined || completes(place, row);
    });
  };
  const unknown = await find(requested);
  await createPlaceStubs(sql, unknown);
  await find(unknown);
  return found;
}

async function findOrCreateVessels(sql: Sql, vessels: readonly VesselMention[]): Promise<Map<string, string>> {
  const requested = unique(
    carriersLast(vessels).flatMap((vessel) => {
      const key = vesselKey(vessel);
      const { source = "carrier" } = vessel;
      return key === null ? [] : [{ key, imo: imoOf(vessel), name: vessel.name?.trim() || null, source }];
    }),
    ({ key }) => key,
  );
  const found = new Map<string, string>();
  const find = async (some: typeof requested): Promise<typeof requested> => {
    if (some.length === 0) return [];
    const imos = some.flatMap(({ imo }) => imo ?? []);
    const names = some.filter(({ imo }) => imo === null).map(({ key }) => key);
    const rows = await sql.rows<StoredStub & { key: string; id: string }>(findVessels, [imos, names]);
    const stored = new Map(rows.map((row) => [row.key, row]));
    for (const { key, id } of rows) found.set(key, id);
    return some.filter((vessel) => {
      const row = stored.get(vessel.key);
      return row === undefined || completes(vessel, row);
    });
  };
  const unknown = await find(requested);
  await createVesselStubs(sql, unknown);
  await find(unknown);
  return found;
}

function facilityOf(mention: PlaceMention, places: ReadonlyMap<string, ResolvedPlace>): Omit<Facility, "id"> | null {
  const kind = terminalKindOf(mention);
  const code = mention.place.facilityCode?.toUpperCase();
  if (kind === null || !code) return null;
  const placeId = places.get(placeKey(mention.kind, locodeOf(mention) ?? ""))?.id ?? null;
  if (mention.place.facilityCodeProvider === "BIC") return { kind, placeId, smdgCode: null, bicFacilityCode: code };
  return placeId === null ? null : { kind, placeId, smdgCode: code, bicFacilityCode: null };
}

async function findOrCreateTerminals(
  sql: Sql,
  mentions: readonly PlaceMention[],
  places: ReadonlyMap<string, ResolvedPlace>,
): Promise<Map<string, ResolvedTerminal>> {
  const requested = unique(
    carriersLast(mentions).flatMap((mention) => {
      const facility = facilityOf(mention, places);
      const { source = "carrier" } = mention;
      return facility === null ? [] : [{ ...facility, placeKind: mention.kind, source }];
    }),
    facilityKey,
  );
  const found = new Map<string, ResolvedTerminal>();
  const find = async (some: typeof requested): Promise<typeof requested> => {
    if (some.length === 0) return [];
    const placeIds = (kind: string) => some.flatMap((each) => (each.placeKind === kind ? (each.placeId ?? []) : []));
    const smdgCodes = some.flatMap(({ smdgCode }) => smdgCode ?? []);
    const bicCodes = some.flatMap(({ bicFacilityCode }) => bicFacilityCode ?? []);
    const rows = await sql.rows<Facility & { source: string }>(findTerminals, [
      placeIds("port"),
      placeIds("metro_area"),
      smdgCodes,
      bicCodes,
    ]);
    const accountKeys = new Set(rows.flatMap((row) => (row.source === "account" ? facilityKey(row) : [])));
    for (const row of rows) found.set(facilityKey(row), { id: row.id, kind: row.kind });
    return some.filter((facility) => {
      const key = facilityKey(facility);
      return !found.has(key) || (facility.source === "carrier" && accountKeys.has(key));
    });
  };
  const unknown = await find(requested);
  await createTerminalStubs(sql, unknown);
  await find(unknown);
  return found;
}

/**
 * Resolves the places and vessels of a journey. Unknown ports, inland places, terminals and vessels get a stub, so that
 * an unknown place is never an error. Two workers that resolve the same unknown place concurrently get the same row.
 * Data of an account does not name a shared row. Runs at most eleven statements, three when everything is known.
 */
export async function resolvePlaces(
  sql: Sql,
  mentions: readonly PlaceMention[],
  vessels: readonly VesselMention[],
): Promise<ResolvedPlaces> {
  const places = await findOrCreatePlaces(sql, mentions);
  const terminals = await findOrCreateTerminals(sql, mentions, places);
  const vesselIds = await findOrCreateVessels(sql, vessels);
  return {
    place: (mention) => places.get(placeKey(mention.kind, locodeOf(mention) ?? "")) ?? null,
    terminal(mention) {
      const facility = facilityOf(mention, places);
      return facility === null ? null : (terminals.get(facilityKey(facility)) ?? null);
    },
    vesselId: (vessel) => vesselIds.get(vesselKey(vessel) ?? "") ?? null,
  };
}
