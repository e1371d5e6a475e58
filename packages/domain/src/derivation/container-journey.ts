import type { Instant } from "../instant.ts";
import { inOrderOfTime } from "./gate-moves.ts";
import { type Journey, journeyOf } from "./journey.ts";
import { mergeSeries } from "./series.ts";
import type { StandingStatements } from "./standing-statements.ts";
import { type ContainerDescription, factsOf, type GroupFacts, withinWindow } from "./statement-groups.ts";
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
  own: StandingStatements,
  shared: StandingStatements,
  sharedFacts: GroupFacts,
  trackingBeganAt: Instant | null,
): ContainerJourney {
  const window = trackingBeganAt === null ? null : voyageWindow(own.holding, trackingBeganAt);
  const facts = factsOf(window === null ? own : withinWindow(window, own));
  const common = window === null ? sharedFacts : sharedWithin(window, shared, sharedFacts);
  const gates = inOrderOfTime([...facts.gates, ...common.gates]);
  const journey = journeyOf(mergeSeries(facts.series, common.series), gates, facts.terminal);
  return { number, journey, description: facts.description };
}

/** Shared source events are reduced once, and again only for a container whose voyage excludes some of them. */
function sharedWithin(window: VoyageWindow, shared: StandingStatements, sharedFacts: GroupFacts): GroupFacts {
  const remaining = withinWindow(window, shared);
  const isWhole =
    remaining.holding.length === shared.holding.length && remaining.lapsed.length === shared.lapsed.length;
  return isWhole ? sharedFacts : factsOf(remaining);
}
