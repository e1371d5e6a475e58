import { compareText } from "../compare-text.ts";
import type { ObservedVessel } from "../observations/observation.ts";
import type { TransportEventName } from "../transport-events/transport-event.ts";
import { transportEventNames } from "../transport-events/transport-event.ts";
import type { DerivedTransportEvent } from "./derived-shipment.ts";
import type { SourceEvent } from "./source-event.ts";

/** An actual event of the journey, found by a rule. */
export interface Milestone {
  /** The row of the mapping table, for example "E4 vessel_loaded": the provenance of the derived attributes. */
  readonly rule: string;
  readonly event: TransportEventName;
  /** Identifies the milestone within the container's journey, independent of its time. */
  readonly key: string;
  readonly sourceEvent: SourceEvent;
  /** Source event of the same call with the vessel and voyage that this one lacks. */
  readonly companion: SourceEvent | null;
}

const journeyOrder: ReadonlyMap<TransportEventName, number> = new Map(
  transportEventNames.map((event, index) => [event, index]),
);

function journeyPosition(event: TransportEventName): number {
  return journeyOrder.get(event) ?? 0;
}

/** Compares by time, then by journey order. */
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

export function toTransportEvent({ event, key, sourceEvent, companion }: Milestone): DerivedTransportEvent {
  const { observation } = sourceEvent;
  return {
    event,
    milestoneKey: key,
    occurredAt: observation.eventAt,
    timePrecision: observation.timePrecision,
    place: { ...observation.place, locode: sourceEvent.locode },
    placeKind: sourceEvent.placeKind,
    vessel: vesselOf(sourceEvent) ?? vesselOf(companion),
    voyageNumber: voyageOf(sourceEvent) ?? voyageOf(companion),
    dataSource: observation.dataSource,
    observationId: observation.id,
  };
}

export function vesselOf(sourceEvent: SourceEvent | null): ObservedVessel | null {
  const vessel = sourceEvent?.observation.call?.vessel ?? null;
  return vessel === null || (vessel.imo === null && vessel.name === null) ? null : vessel;
}

/** A vessel may change its voyage number in port: discharged containers arrived on the import voyage. */
export function voyageOf(sourceEvent: SourceEvent | null): string | null {
  const call = sourceEvent?.observation.call ?? null;
  if (sourceEvent === null || call === null) return null;
  const isInbound = sourceEvent.observation.code === "ARRI" || sourceEvent.observation.code === "DISC";
  return isInbound ? (call.importVoyage ?? call.exportVoyage) : (call.exportVoyage ?? call.importVoyage);
}
