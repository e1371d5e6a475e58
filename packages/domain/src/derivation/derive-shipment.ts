import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { bookingCancelledAt, bookingNumber } from "./booking.ts";
import { containerAttributes } from "./container-attributes.ts";
import type { DerivedContainer, DerivedShipment } from "./derived-shipment.ts";
import { present } from "./derived-value.ts";
import { inOrderOfTime } from "./gate-moves.ts";
import { type Journey, journeyOf } from "./journey.ts";
import { type JourneyWindow, journeyWindow } from "./journey-window.ts";
import { compareEvents, toTransportEvent } from "./milestone.ts";
import { milestonesOf } from "./milestone-rules.ts";
import type { PlaceDirectory } from "./place-directory.ts";
import { mergeSeries } from "./series.ts";
import { shipmentAttributes } from "./shipment-attributes.ts";
import { type StandingStatements, standingStatements } from "./standing-statements.ts";
import { compareText, statementsOf } from "./statement.ts";
import { type BoxDescription, factsOf, type GroupFacts, groupStatements, withinWindow } from "./statement-groups.ts";

interface ContainerJourney {
  readonly number: string;
  readonly journey: Journey;
  readonly box: BoxDescription;
}

/**
 * The state of a shipment from everything that was observed of it: a pure fold. Any order and any repetition of the same
 * observations gives the same result, so replaying them proves what is stored (contract-decisions.md 4, Truth).
 *
 * The way there: observations become statements (place, mode and classifier settled), those taken back or replaced are
 * set aside, the rest is reduced to one series for each move, the ports get their roles, and each row of the mapping
 * table (docs/tracking-rules.md) picks its milestone and attribute.
 */
export function deriveShipment(observations: readonly Observation[], places: PlaceDirectory): DerivedShipment {
  const groups = groupStatements(standingStatements(statementsOf(observations, places)));
  const sharedFacts = factsOf(groups.shared);
  const trackingBeganAt = earliestObservedAt(observations);
  const tracked = [...groups.containers]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([number, own]) => containerJourney(number, own, groups.shared, sharedFacts, trackingBeganAt));
  const containers = tracked.map(derivedContainer);
  const journeys = tracked.map(({ journey }) => journey);
  const ways = journeys.length > 0 ? journeys : [journeyOf(sharedFacts.series, sharedFacts.gates)];
  const isAshore = ways.every(({ sailedAt }) => sailedAt === null);
  const cancelledAt = isAshore ? bookingCancelledAt(groups.documents) : null;
  const lastObservedAt = observations
    .map(({ observedAt }) => observedAt)
    .toSorted(compareText)
    .at(-1);
  return {
    attributes: { ...shipmentAttributes(ways), ...present({ bookingNumber: bookingNumber(groups.documents) }) },
    containers,
    bookingCancelled: cancelledAt !== null,
    ...present({ bookingCancelledAt: cancelledAt, lastObservedAt }),
  };
}

function containerJourney(
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
  return { number, journey: journeyOf(mergeSeries(facts.series, common.series), gates), box: facts.box };
}

/** What concerns every container is reduced once, and anew only for a box whose journey leaves some of it out. */
function sharedWithin(window: JourneyWindow, shared: StandingStatements, sharedFacts: GroupFacts): GroupFacts {
  const remaining = withinWindow(window, shared);
  const isWhole =
    remaining.holding.length === shared.holding.length && remaining.lapsed.length === shared.lapsed.length;
  return isWhole ? sharedFacts : factsOf(remaining);
}

function derivedContainer({ number, journey, box }: ContainerJourney): DerivedContainer {
  const milestones = milestonesOf(journey);
  const events = milestones.map(toTransportEvent).toSorted(compareEvents);
  return {
    number,
    attributes: containerAttributes(journey, milestones, events, box),
    events,
  };
}

function earliestObservedAt(observations: readonly Observation[]): Instant | null {
  return observations.reduce<Instant | null>(
    (first, { observedAt }) => (first === null || observedAt < first ? observedAt : first),
    null,
  );
}
