import type { Instant } from "../instant.ts";
import { sortByTime } from "./gate-moves.ts";
import { buildJourney, type Journey } from "./journey.ts";
import type { ResolvedSourceEvents } from "./resolve-retractions.ts";
import { mergeSeries } from "./series.ts";
import { type ContainerDescription, collectFacts, type GroupFacts, withinWindow } from "./source-event-groups.ts";
import { type VoyageWindow, voyageWindow } from "./voyage-window.ts";

/** The voyage of one container, from its own source events and from those of every container of the shipment. */
export interface ContainerJourney {
  readonly number: string;
  readonly journey: Journey;
  readonly description: ContainerDescription;
}

/** @param sharedFacts the facts of `shared`, which the caller reduces once for all containers. */
export function containerJourney(
  number: string,
  own: ResolvedSourceEvents,
  shared: ResolvedSourceEvents,
  sharedFacts: GroupFacts,
  trackingBeganAt: Instant | null,
): ContainerJourney {
  const window = trackingBeganAt === null ? null : voyageWindow(own.current, trackingBeganAt);
  const facts = collectFacts(window === null ? own : withinWindow(window, own));
  const common = window === null ? sharedFacts : sharedWithin(window, shared, sharedFacts);
  const gates = sortByTime([...facts.gates, ...common.gates]);
  const journey = buildJourney(mergeSeries(facts.series, common.series), gates, facts.terminal);
  return { number, journey, description: facts.description };
}

/** Reuses the facts reduced by the caller unless the voyage window excludes some of the shared source events. */
function sharedWithin(window: VoyageWindow, shared: ResolvedSourceEvents, sharedFacts: GroupFacts): GroupFacts {
  const remaining = withinWindow(window, shared);
  const isComplete =
    remaining.current.length === shared.current.length && remaining.superseded.length === shared.superseded.length;
  return isComplete ? sharedFacts : collectFacts(remaining);
}
