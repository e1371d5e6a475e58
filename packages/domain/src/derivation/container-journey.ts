import type { Instant } from "../instant.ts";
import { inOrderOfTime } from "./gate-moves.ts";
import { type Journey, journeyOf } from "./journey.ts";
import { type JourneyWindow, journeyWindow } from "./journey-window.ts";
import { mergeSeries } from "./series.ts";
import type { StandingStatements } from "./standing-statements.ts";
import { type BoxDescription, factsOf, type GroupFacts, withinWindow } from "./statement-groups.ts";

/** A container's own way, told from what concerns it and what concerns every container of the shipment. */
export interface ContainerJourney {
  readonly number: string;
  readonly journey: Journey;
  readonly box: BoxDescription;
}

/** `sharedFacts` are the facts of `shared`: they are the same for every container and are reduced once by the caller. */
export function containerJourney(
  number: string,
  own: StandingStatements,
  shared: StandingStatements,
  sharedFacts: GroupFacts,
  trackingBeganAt: Instant | null,
): ContainerJourney {
  const window = trackingBeganAt === null ? null : journeyWindow(own.holding, trackingBeganAt);
  const facts = factsOf(window === null ? own : withinWindow(window, own));
  const common = window === null ? sharedFacts : sharedWithin(window, shared, sharedFacts);
  const gates = inOrderOfTime([...facts.gates, ...common.gates]);
  const journey = journeyOf(mergeSeries(facts.series, common.series), gates, facts.terminal);
  return { number, journey, box: facts.box };
}

/** What concerns every container is reduced once, and anew only for a box whose journey leaves some of it out. */
function sharedWithin(window: JourneyWindow, shared: StandingStatements, sharedFacts: GroupFacts): GroupFacts {
  const remaining = withinWindow(window, shared);
  const isWhole =
    remaining.holding.length === shared.holding.length && remaining.lapsed.length === shared.lapsed.length;
  return isWhole ? sharedFacts : factsOf(remaining);
}
