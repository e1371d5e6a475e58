import type { TransportEvent } from "@svc/domain/transport-events";
import type { Database } from "@svc/persistence";
import { createIncludedReferenceData } from "@svc/persistence/reference-data";

/** Names of ports, terminals, inland places and vessels by id. */
export type KnownNames = ReadonlyMap<string, string>;

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null && id !== undefined)),
];

/** Reads the names of the records that events reference by id, and of the given terminals. */
export function createNameReader(sql: Database["sql"]) {
  const referenceData = createIncludedReferenceData(sql);
  /** Most voyages reference no record of some kinds. */
  const read = async <Named>(of: (ids: string[]) => Promise<Named[]>, ids: readonly (string | null | undefined)[]) => {
    const known = present(ids);
    return known.length === 0 ? [] : of(known);
  };
  return async (
    timeline: readonly TransportEvent[],
    terminalIds: readonly (string | null | undefined)[],
  ): Promise<KnownNames> => {
    const [ports, metroAreas, terminals, vessels] = await Promise.all([
      read(
        referenceData.ports,
        timeline.map((event) => event.portId),
      ),
      read(
        referenceData.metroAreas,
        timeline.map((event) => event.metroAreaId),
      ),
      read(referenceData.terminals, [...timeline.map((event) => event.terminalId), ...terminalIds]),
      read(
        referenceData.vessels,
        timeline.map((event) => event.vesselId),
      ),
    ]);
    return new Map([...ports, ...metroAreas, ...terminals, ...vessels].map(({ id, name }) => [id, name] as const));
  };
}
