import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { bookingCancelledAt, bookingNumber } from "./booking.ts";
import { containerAttributes } from "./container-attributes.ts";
import { type ContainerJourney, containerJourney } from "./container-journey.ts";
import type { DerivedContainer, DerivedShipment } from "./derived-shipment.ts";
import { present } from "./derived-value.ts";
import { documentsOf } from "./document-holds.ts";
import { journeyOf } from "./journey.ts";
import { compareEvents, toTransportEvent } from "./milestone.ts";
import { milestonesOf } from "./milestone-rules.ts";
import type { PlaceDirectory } from "./place-directory.ts";
import { shipmentAttributes } from "./shipment-attributes.ts";
import { standingStatements } from "./standing-statements.ts";
import { compareText, type Statement, statementsOf } from "./statement.ts";
import { factsOf, groupStatements } from "./statement-groups.ts";
import { hasNextVoyage } from "./voyage-window.ts";

/**
 * The state of a shipment from everything that was observed of it: a pure fold. Any order and any repetition of the
 * same observations gives the same result, so replaying them proves what is stored (docs/contract/decisions.md 4,
 * Truth).
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
  const containers = tracked.map((container) => derivedContainer(container, groups.documents));
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

/**
 * Whether a reply shows another voyage of the container after the one that `known`, the observations of its shipment, follows.
 * @param reported the observations that the reply would add.
 */
export function showsNextVoyage(
  containerNumber: string,
  known: readonly Observation[],
  reported: readonly Observation[],
  places: PlaceDirectory,
): boolean {
  const trackingBeganAt = earliestObservedAt(known);
  if (trackingBeganAt === null) return false;
  const { holding } = standingStatements(statementsOf([...known, ...reported], places));
  const own = holding.filter(({ observation }) => observation.containerNumber === containerNumber);
  return hasNextVoyage(own, trackingBeganAt);
}

function derivedContainer(
  { number, journey, description }: ContainerJourney,
  documents: readonly Statement[],
): DerivedContainer {
  const milestones = milestonesOf(journey);
  const events = milestones.map(toTransportEvent).toSorted(compareEvents);
  return {
    number,
    attributes: containerAttributes(journey, milestones, events, description, documentsOf(number, documents)),
    events,
  };
}

function earliestObservedAt(observations: readonly Observation[]): Instant | null {
  return observations.reduce<Instant | null>(
    (first, { observedAt }) => (first === null || observedAt < first ? observedAt : first),
    null,
  );
}
