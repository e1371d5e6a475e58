import type { ObservedVessel } from "../observations/observation.ts";
import type { TransportEventName } from "../transport-events/transport-event.ts";
import { transportEventNames } from "../transport-events/transport-event.ts";
import type { DerivedTransportEvent } from "./derived-shipment.ts";
import type { Statement } from "./statement.ts";
import { compareText } from "./statement.ts";

/** An actual event of the journey, found by a rule. */
export interface Milestone {
  /** The row of the mapping table, for example "E4 vessel_loaded": the provenance of the derived attributes. */
  readonly rule: string;
  readonly event: TransportEventName;
  /** Identifies the milestone within the container's journey, independent of its time. */
  readonly key: string;
  readonly statement: Statement;
  /** Another statement about the same call, which names vessel and voyage where this one does not. */
  readonly companion: Statement | null;
}

const journeyOrder: ReadonlyMap<TransportEventName, number> = new Map(
  transportEventNames.map((event, index) => [event, index]),
);

function journeyPosition(event: TransportEventName): number {
  return journeyOrder.get(event) ?? 0;
}

/** By time, then in journey order. */
export function compareEvents(
  a: Pick<DerivedTransportEvent, "occurredAt" | "event" | "milestoneKey">,
  b: Pick<DerivedTransportEvent, "occurredAt" | "event" | "milestoneKey">,
): number {
  return (
    compareText(a.occurredAt, b.occurredAt) ||
    journeyPosition(a.event) - journeyPosition(b.event) ||
    compareText(a.milestoneKey, b.milestoneKey)
  );
}

export function toTransportEvent({ event, key, statement, companion }: Milestone): DerivedTransportEvent {
  const { observation } = statement;
  return {
    event,
    milestoneKey: key,
    occurredAt: observation.eventAt,
    timePrecision: observation.timePrecision,
    place: { ...observation.place, locode: statement.locode },
    placeKind: statement.placeKind,
    vessel: vesselOf(statement) ?? vesselOf(companion),
    voyageNumber: voyageOf(statement) ?? voyageOf(companion),
    dataSource: observation.dataSource,
    observationId: observation.id,
  };
}

export function vesselOf(statement: Statement | null): ObservedVessel | null {
  const vessel = statement?.observation.call?.vessel ?? null;
  return vessel === null || (vessel.imo === null && vessel.name === null) ? null : vessel;
}

/** A vessel may change its voyage number while it is in port: what comes off arrived on the import voyage. */
export function voyageOf(statement: Statement | null): string | null {
  const call = statement?.observation.call ?? null;
  if (statement === null || call === null) return null;
  const isInbound = statement.observation.code === "ARRI" || statement.observation.code === "DISC";
  return isInbound ? (call.importVoyage ?? call.exportVoyage) : (call.exportVoyage ?? call.importVoyage);
}
