import type { TransportEvent } from "@svc/domain/transport-events";
import type { IncludedReferenceData } from "./included-reference-data.ts";

/** Names of the ports, inland places, terminals and vessels of the events, by id. */
export async function readEventNames(
  referenceData: IncludedReferenceData,
  events: readonly Pick<TransportEvent, "portId" | "metroAreaId" | "terminalId" | "vesselId">[],
): Promise<ReadonlyMap<string, string>> {
  /** Most voyages reference no record of some kinds. */
  const read = async <Named>(find: (ids: string[]) => Promise<Named[]>, ids: readonly (string | null)[]) => {
    const known = [...new Set(ids.filter((id) => id !== null))];
    return known.length === 0 ? [] : find(known);
  };
  const named = await Promise.all([
    read(
      referenceData.ports,
      events.map(({ portId }) => portId),
    ),
    read(
      referenceData.metroAreas,
      events.map(({ metroAreaId }) => metroAreaId),
    ),
    read(
      referenceData.terminals,
      events.map(({ terminalId }) => terminalId),
    ),
    read(
      referenceData.vessels,
      events.map(({ vesselId }) => vesselId),
    ),
  ]);
  return new Map(named.flat().map(({ id, name }) => [id, name]));
}
