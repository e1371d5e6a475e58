import type { RoutePlace, RouteRecords } from "@svc/domain/container-route";
import type { DerivedPlace } from "@svc/domain/derivation";
import type { Observation, ObservedPlace, ObservedVessel } from "@svc/domain/observations";
import type { Port, Terminal, Vessel } from "@svc/domain/reference-data";
import {
  metroAreaColumns,
  portColumns,
  terminalColumns,
  vesselColumns,
} from "../reference-data/reference-data-repository.ts";
import type { Sql, Statement } from "../sql.ts";

type Keyed<Row> = Row & { readonly key: string };

interface RecordRows {
  readonly ports: readonly Keyed<Port>[];
  readonly metroAreas: readonly Keyed<Omit<Port, "city">>[];
  readonly terminals: readonly Terminal[];
  readonly vessels: readonly Keyed<Vessel>[];
}

const jsonArray = (rows: string): string => `(SELECT COALESCE(json_agg(r), '[]') FROM (${rows}) r)`;

/** One statement for all kinds of record; `key` is the code that the source uses. */
const readRecords: Statement = {
  name: "container-route.records",
  text: `
    WITH port_keys AS (
      SELECT locode AS key, id FROM ports WHERE locode = ANY($1)
      UNION ALL SELECT locode, port_id FROM port_aliases WHERE locode = ANY($1))
    SELECT
      ${jsonArray(`SELECT k.key, ${portColumns} FROM port_keys k JOIN ports p ON p.id = k.id`)} AS ports,
      ${jsonArray(`SELECT m.locode AS key, ${metroAreaColumns} FROM metro_areas m
        WHERE m.locode = ANY($1)`)} AS "metroAreas",
      ${jsonArray(`SELECT ${terminalColumns} FROM terminals t
        WHERE t.bic_facility_code = ANY($2) OR (t.smdg_code = ANY($2) AND (t.port_id IN (SELECT id FROM port_keys)
          OR t.metro_area_id IN (SELECT id FROM metro_areas WHERE locode = ANY($1))))`)} AS terminals,
      ${jsonArray(`SELECT COALESCE(v.imo, upper(v.name)) AS key, ${vesselColumns} FROM vessels v
        WHERE v.imo = ANY($3) OR (v.imo IS NULL AND upper(v.name) = ANY($3))`)} AS vessels`,
};

/** The records of every place, facility and vessel that the observations name. */
export function readRouteRecords(sql: Sql, observations: readonly Observation[]): Promise<RouteRecords> {
  return readNamedRecords(sql, {
    locodes: observations.map(({ place }) => place.locode),
    facilityCodes: observations.map(({ place }) => place.facilityCode),
    vessels: observations.map(({ call }) => call?.vessel ?? null),
  });
}

/** Codes and vessels as sources report them, also several times. */
export interface NamedRecords {
  readonly locodes: readonly (string | null)[];
  readonly facilityCodes: readonly (string | null)[];
  readonly vessels: readonly (ObservedVessel | null)[];
}

/** The records of all that are named, read with one statement. */
export async function readNamedRecords(
  sql: Sql,
  { locodes, facilityCodes, vessels }: NamedRecords,
): Promise<RouteRecords> {
  const distinct = (keys: readonly (string | null)[]): string[] => [...new Set(keys.filter((key) => key !== null))];
  const [rows] = await sql.rows<RecordRows>(readRecords, [
    distinct(locodes.map(normalizeCode)),
    distinct(facilityCodes.map(normalizeCode)),
    distinct(vessels.map(vesselKey)),
  ]);
  return toRouteRecords(rows ?? { ports: [], metroAreas: [], terminals: [], vessels: [] });
}

function toRouteRecords({ ports, metroAreas, terminals, vessels }: RecordRows): RouteRecords {
  const places = new Map<string, RoutePlace>([
    ...metroAreas.map((area) => [area.key, withoutKey({ ...area, kind: "metro_area" as const })] as const),
    ...ports.map((port) => [port.key, withoutKey({ ...port, kind: "port" as const })] as const),
  ]);
  const vesselByKey = new Map(vessels.map((vessel) => [vessel.key, withoutKey(vessel)]));
  const findPlace = ({ locode }: Pick<DerivedPlace, "locode">) =>
    locode === null ? null : (places.get(locode) ?? null);
  return {
    canonicalLocode: (locode) => places.get(locode)?.locode ?? locode,
    kindOf: (locode) => places.get(locode)?.kind ?? null,
    nameOf: (locode) => places.get(locode)?.name ?? null,
    place: findPlace,
    facility(facility, at) {
      const place = findPlace(at);
      const code = normalizeCode(facility.facilityCode);
      if (code === null) return null;
      const isThis = (terminal: Terminal) =>
        facility.facilityCodeProvider === "BIC"
          ? terminal.bicFacilityCode === code
          : terminal.smdgCode === code && place !== null && [terminal.portId, terminal.metroAreaId].includes(place.id);
      const found = terminals.find(isThis);
      return found === undefined ? null : { id: found.id, kind: found.kind };
    },
    vessel: (vessel) => vesselByKey.get(vesselKey(vessel) ?? "") ?? null,
  };
}

function withoutKey<Row>({ key: _key, ...row }: Keyed<Row>): Omit<Keyed<Row>, "key"> {
  return row;
}

function normalizeCode(code: ObservedPlace["locode"]): string | null {
  return code?.trim().toUpperCase() || null;
}

function vesselKey(vessel: ObservedVessel | null): string | null {
  return vessel?.imo || vessel?.name?.trim().toUpperCase() || null;
}
