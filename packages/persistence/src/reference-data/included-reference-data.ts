import type { MetroArea, Port, Terminal, Vessel } from "@svc/domain/reference-data";
import type { Sql, Statement } from "../sql.ts";
import { metroAreaColumns, portColumns, terminalColumns, vesselColumns } from "./reference-data-repository.ts";

const byIds = (name: string, columns: string, table: string, alias: string): Statement => ({
  name: `${name}.by-ids`,
  text: `SELECT ${columns} FROM ${table} ${alias} WHERE ${alias}.id = ANY($1::uuid[])`,
});

const ports = byIds("ports", portColumns, "ports", "p");
const metroAreas = byIds("metro-areas", metroAreaColumns, "metro_areas", "m");
const terminals = byIds("terminals", terminalColumns, "terminals", "t");
const vessels = byIds("vessels", vesselColumns, "vessels", "v");

/** Several records of the reference data, in no particular order; unknown ids are omitted. */
export interface IncludedReferenceData {
  ports(ids: readonly string[]): Promise<Port[]>;
  metroAreas(ids: readonly string[]): Promise<MetroArea[]>;
  terminals(ids: readonly string[]): Promise<Terminal[]>;
  vessels(ids: readonly string[]): Promise<Vessel[]>;
}

export function createIncludedReferenceData(sql: Sql): IncludedReferenceData {
  return {
    ports: (ids) => sql.rows<Port>(ports, [ids]),
    metroAreas: (ids) => sql.rows<MetroArea>(metroAreas, [ids]),
    terminals: (ids) => sql.rows<Terminal>(terminals, [ids]),
    vessels: (ids) => sql.rows<Vessel>(vessels, [ids]),
  };
}
