import { type GateMove, gateMoves, isGateCode } from "./gate-moves.ts";
import type { ResolvedSourceEvents } from "./resolve-retractions.ts";
import { type SeriesByKey, SeriesCollector } from "./series.ts";
import { newest, type SourceEvent } from "./source-event.ts";
import { isWithin, type VoyageWindow } from "./voyage-window.ts";

/** Source events by the container or document they concern. */
interface SourceEventGroups {
  readonly containers: ReadonlyMap<string, ResolvedSourceEvents>;
  /** Source events that name no container: they concern every container of the call. */
  readonly shared: ResolvedSourceEvents;
  /** Shipment events: about the booking and the bill of lading, not about a move. */
  readonly documents: readonly SourceEvent[];
}

/** The source events of a group, reduced for the rules. */
export interface GroupFacts {
  readonly series: SeriesByKey;
  readonly gates: readonly GateMove[];
  /** Source events reported by terminals. */
  readonly terminal: readonly SourceEvent[];
  readonly description: ContainerDescription;
}

/** The newest equipment attributes of the container. */
export interface ContainerDescription {
  readonly sizeType: SourceEvent | null;
  readonly seal: SourceEvent | null;
}

export function groupSourceEvents({ current, superseded }: ResolvedSourceEvents): SourceEventGroups {
  const containers = new Map<string, { current: SourceEvent[]; superseded: SourceEvent[] }>();
  const shared: { current: SourceEvent[]; superseded: SourceEvent[] } = { current: [], superseded: [] };
  const documents: SourceEvent[] = [];
  for (const sourceEvent of current) {
    const { containerNumber, eventType } = sourceEvent.observation;
    if (eventType === "SHIPMENT") documents.push(sourceEvent);
    else if (containerNumber === null) shared.current.push(sourceEvent);
    else {
      const group = containers.get(containerNumber);
      if (group === undefined) containers.set(containerNumber, { current: [sourceEvent], superseded: [] });
      else group.current.push(sourceEvent);
    }
  }
  for (const sourceEvent of superseded) {
    const { containerNumber } = sourceEvent.observation;
    const group = containerNumber === null ? shared : containers.get(containerNumber);
    group?.superseded.push(sourceEvent);
  }
  return { containers, shared, documents };
}

export function collectFacts(group: ResolvedSourceEvents): GroupFacts {
  const collector = new SeriesCollector();
  const gates: SourceEvent[] = [];
  const terminal: SourceEvent[] = [];
  let sizeType: SourceEvent | null = null;
  let seal: SourceEvent | null = null;
  for (const sourceEvent of group.current) {
    const { eventType, code, isoEquipmentCode, seals } = sourceEvent.observation;
    if (eventType === "TERMINAL") {
      terminal.push(sourceEvent);
      continue;
    }
    if (!isGateCode(code)) collector.add(sourceEvent);
    else if (sourceEvent.classifier === "ACT") gates.push(sourceEvent);
    if (isoEquipmentCode !== null) sizeType = newest(sizeType, sourceEvent);
    if (seals.length > 0 && code !== "RMVD") seal = newest(seal, sourceEvent);
  }
  for (const sourceEvent of group.superseded) collector.remember(sourceEvent);
  return { series: collector.collected(), gates: gateMoves(gates), terminal, description: { sizeType, seal } };
}

export function withinWindow(
  window: VoyageWindow,
  { current, superseded }: ResolvedSourceEvents,
): ResolvedSourceEvents {
  const isInWindow = (sourceEvent: SourceEvent) => isWithin(window, sourceEvent);
  return { current: current.filter(isInWindow), superseded: superseded.filter(isInWindow) };
}
