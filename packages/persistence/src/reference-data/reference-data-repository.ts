import { isUuid } from "@svc/domain/identifiers";
import {
  type MetroArea,
  metroAreaFields,
  type Port,
  portFields,
  type ShippingLine,
  shippingLineFields,
  type Terminal,
  type Vessel,
  vesselFields,
} from "@svc/domain/reference-data";
import { selectList } from "../records/select-list.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import { serviceConnected } from "./shipping-line-catalogue.ts";

export const portColumns = selectList(Object.keys(portFields), "p", {
  terminalIds: `ARRAY(SELECT t.id::text FROM terminals t WHERE t.port_id = p.id AND t.source <> 'account'
    ORDER BY t.name, t.id LIMIT 100)`,
});
export const metroAreaColumns = selectList(Object.keys(metroAreaFields), "m");
export const terminalColumns = `t.id, t.kind, t.port_id AS "portId", t.metro_area_id AS "metroAreaId", t.name,
  t.nickname, t.firms_code AS "firmsCode", t.smdg_code AS "smdgCode", t.bic_facility_code AS "bicFacilityCode",
  t.street, t.city, t.state, t.state_abbr AS "stateAbbr", t.zip, t.country`;
export const vesselColumns = selectList(Object.keys(vesselFields), "v");
const shippingLineColumns = selectList(Object.keys(shippingLineFields), "l", {
  serviceConnected: serviceConnected("l.scac"),
});

type ReferenceTable = "ports" | "metro_areas" | "terminals" | "vessels" | "shipping_lines";

const statementName = (table: ReferenceTable, suffix: string): string => `${table.replace("_", "-")}.${suffix}`;

const byId = (table: ReferenceTable, columns: string, alias: string): Statement => ({
  name: statementName(table, "by-id"),
  text: `SELECT ${columns} FROM ${table} ${alias} WHERE ${alias}.id = $1`,
});

const byIds = (table: ReferenceTable, columns: string, alias: string): Statement => ({
  name: statementName(table, "by-ids"),
  text: `SELECT ${columns} FROM ${table} ${alias} WHERE ${alias}.id = ANY($1::uuid[])`,
});

const portById = byId("ports", portColumns, "p");
const portByLocode: Statement = {
  name: "ports.by-locode",
  text: `SELECT ${portColumns} FROM ports p
    WHERE p.id = COALESCE((SELECT port_id FROM port_aliases WHERE locode = $1),
      (SELECT id FROM ports WHERE locode = $1 AND source <> 'account'))`,
};
const verifiedPorts: Statement = {
  name: "ports.verified",
  text: `SELECT ${portColumns} FROM ports p WHERE p.source = 'core' ORDER BY p.locode`,
};
const verifiedMetroAreas: Statement = {
  name: "metro-areas.verified",
  text: `SELECT ${metroAreaColumns} FROM metro_areas m WHERE m.source = 'core' ORDER BY m.locode`,
};
const metroAreaById = byId("metro_areas", metroAreaColumns, "m");
const metroAreaByLocode: Statement = {
  name: "metro-areas.by-locode",
  text: `SELECT ${metroAreaColumns} FROM metro_areas m WHERE m.locode = $1 AND m.source <> 'account'`,
};
const terminalById = byId("terminals", terminalColumns, "t");
const vesselById = byId("vessels", vesselColumns, "v");
const vesselByImo: Statement = {
  name: "vessels.by-imo",
  text: `SELECT ${vesselColumns} FROM vessels v WHERE v.imo = $1 AND v.source <> 'account'`,
};
const shippingLineById = byId("shipping_lines", shippingLineColumns, "l");
const shippingLineByScac: Statement = {
  name: "shipping-lines.by-scac",
  text: `SELECT ${shippingLineColumns} FROM shipping_lines l WHERE l.scac = $1 OR $1 = ANY(l.alternative_scacs)
    ORDER BY l.scac = $1 DESC, l.scac LIMIT 1`,
};
const allShippingLines: Statement = {
  name: "shipping-lines.all",
  text: `SELECT ${shippingLineColumns} FROM shipping_lines l ORDER BY l.name, l.scac`,
};
const portsByIds = byIds("ports", portColumns, "p");
const metroAreasByIds = byIds("metro_areas", metroAreaColumns, "m");
const terminalsByIds = byIds("terminals", terminalColumns, "t");
const vesselsByIds = byIds("vessels", vesselColumns, "v");

const recordsByIds: Statement = {
  name: "reference-data.by-ids",
  text: `
    SELECT 'ports' AS kind, to_jsonb(r) AS record
    FROM (SELECT ${portColumns} FROM ports p WHERE p.id = ANY($1::uuid[])) AS r
    UNION ALL SELECT 'metroAreas', to_jsonb(r)
    FROM (SELECT ${metroAreaColumns} FROM metro_areas m WHERE m.id = ANY($1::uuid[])) AS r
    UNION ALL SELECT 'terminals', to_jsonb(r)
    FROM (SELECT ${terminalColumns} FROM terminals t WHERE t.id = ANY($1::uuid[])) AS r
    UNION ALL SELECT 'vessels', to_jsonb(r)
    FROM (SELECT ${vesselColumns} FROM vessels v WHERE v.id = ANY($1::uuid[])) AS r`,
};

export interface ReferenceRecords {
  readonly ports: readonly Port[];
  readonly metroAreas: readonly MetroArea[];
  readonly terminals: readonly Terminal[];
  readonly vessels: readonly Vessel[];
}

/** Reference data, which all accounts share. Every `find…` returns null for unknown values. */
export interface ReferenceDataRepository {
  /** Finds a port by id or UN/LOCODE, aliases included. */
  findPort(idOrLocode: string): Promise<Port | null>;
  findMetroArea(idOrLocode: string): Promise<MetroArea | null>;
  findTerminal(id: string): Promise<Terminal | null>;
  /** Finds a vessel by id or IMO number. */
  findVessel(idOrImo: string): Promise<Vessel | null>;
  /** Finds a shipping line by id or SCAC, alternative SCACs included. */
  findShippingLine(idOrScac: string): Promise<ShippingLine | null>;
  /** Ordered by name. */
  listShippingLines(): Promise<ShippingLine[]>;
  /** Ports of the service's directory, without those that only carriers or imports reported, by UN/LOCODE. */
  listPorts(): Promise<Port[]>;
  /** Metro areas of the service's directory, with the same exclusions and order. */
  listMetroAreas(): Promise<MetroArea[]>;
  /** Several rows by id, in no particular order; unknown ids are omitted. An empty list runs no statement. */
  findPorts(ids: readonly string[]): Promise<Port[]>;
  findMetroAreas(ids: readonly string[]): Promise<MetroArea[]>;
  findTerminals(ids: readonly string[]): Promise<Terminal[]>;
  findVessels(ids: readonly string[]): Promise<Vessel[]>;
  /** Rows of every kind by id, in one statement. */
  findRecords(ids: readonly string[]): Promise<ReferenceRecords>;
}

export function createReferenceDataRepository(sql: Sql): ReferenceDataRepository {
  const first = async <Row extends object>(statement: Statement, value: string): Promise<Row | null> =>
    firstRow(sql.rows<Row>(statement, [value]));
  const byIdOr = <Row extends object>(byId: Statement, byCode: Statement, value: string): Promise<Row | null> =>
    isUuid(value) ? first(byId, value) : first(byCode, value.toUpperCase());
  const findByIds = async <Row extends object>(statement: Statement, ids: readonly string[]): Promise<Row[]> =>
    ids.length === 0 ? [] : sql.rows<Row>(statement, [ids]);
  return {
    findPort: (idOrLocode) => byIdOr<Port>(portById, portByLocode, idOrLocode),
    findMetroArea: (idOrLocode) => byIdOr<MetroArea>(metroAreaById, metroAreaByLocode, idOrLocode),
    findTerminal: async (id) => (isUuid(id) ? first<Terminal>(terminalById, id) : null),
    findVessel: (idOrImo) => byIdOr<Vessel>(vesselById, vesselByImo, idOrImo),
    findShippingLine: (idOrScac) => byIdOr<ShippingLine>(shippingLineById, shippingLineByScac, idOrScac),
    listShippingLines: () => sql.rows<ShippingLine>(allShippingLines, []),
    listPorts: () => sql.rows<Port>(verifiedPorts, []),
    listMetroAreas: () => sql.rows<MetroArea>(verifiedMetroAreas, []),
    findPorts: (ids) => findByIds<Port>(portsByIds, ids),
    findMetroAreas: (ids) => findByIds<MetroArea>(metroAreasByIds, ids),
    findTerminals: (ids) => findByIds<Terminal>(terminalsByIds, ids),
    findVessels: (ids) => findByIds<Vessel>(vesselsByIds, ids),
    async findRecords(ids) {
      const records = { ports: [], metroAreas: [], terminals: [], vessels: [] };
      const rows = await findByIds<{ kind: keyof ReferenceRecords; record: never }>(recordsByIds, ids);
      for (const { kind, record } of rows) records[kind].push(record);
      return records;
    },
  };
}
