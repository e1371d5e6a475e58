import type { TransportEvent } from "@svc/domain";
import { createIncludedReferenceData, type Database } from "@svc/persistence";

/** Names of ports, terminals, inland places and vessels by id. */
export type KnownNames = ReadonlyMap<string, string>;

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined)),
];

/** Reads the names of all that events mention by id, and of the given terminals. */
export function createNameReader(sql: Database["sql"]) {
  const referenceData = createIncludedReferenceData(sql);
  return async (
    timeline: readonly TransportEvent[],
    terminalIds: readonly (string | null | undefined)[],
  ): Promise<KnownNames> => {
    const [ports, metroAreas, terminals, vessels] = await Promise.all([
      referenceData.ports(present(timeline.map((event) => event.portId))),
      referenceData.metroAreas(present(timeline.map((event) => event.metroAreaId))),
      referenceData.terminals(present([...timeline.map((event) => event.terminalId), ...terminalIds])),
      referenceData.vessels(present(timeline.map((event) => event.vesselId))),
    ]);
    return new Map([...ports, ...metroAreas, ...terminals, ...vessels].map(({ id, name }) => [id, name] as const));
  };
}
