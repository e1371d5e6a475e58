import { compareText } from "../compare-text.ts";
import type { Instant } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";
import { bookingCancelledAt, bookingNumber } from "./booking.ts";
import { containerAttributes } from "./container-attributes.ts";
import { type ContainerJourney, containerJourney } from "./container-journey.ts";
import { containerLocation } from "./container-location.ts";
import type { DerivedContainer, DerivedShipment } from "./derived-shipment.ts";
import { present } from "./derived-value.ts";
import { containerDocuments } from "./document-holds.ts";
import { buildJourney, type Journey } from "./journey.ts";
import { compareEvents, toTransportEvent } from "./milestone.ts";
import { deriveMilestones } from "./milestone-rules.ts";
import type { PlaceDirectory } from "./place-directory.ts";
import { resolveRetractions } from "./resolve-retractions.ts";
import { type SeparateArrivals, separateArrivals } from "./separate-arrivals.ts";
import { shipmentAttributes } from "./shipment-attributes.ts";
import { type SourceEvent, toSourceEvents } from "./source-event.ts";
import { collectFacts, groupSourceEvents } from "./source-event-groups.ts";
import { hasNextVoyage } from "./voyage-window.ts";

/**
 * Derives the state of a shipment from all its observations: a pure fold. The result depends neither on the order nor
 * on repetition of observations, so a replay verifies the stored state (docs/contract/decisions.md 4, Truth).
 *
 * Steps: observations become source events (place, mode and classifier resolved); retracted and superseded ones are
 * separated; the rest is reduced to one series per move; ports get their roles; each row of the mapping table
 * (docs/tracking-rules.md) selects its milestones and attributes.
 */
export function deriveShipment(observations: readonly Observation[], places: PlaceDirectory): DerivedShipment {
  const { tracked, journeys, documents } = deriveJourneys(observations, places);
  const arrivals = separateArrivals(tracked.map(({ journey }) => journey));
  const containers = tracked.map((container) => derivedContainer(container, documents, arrivals));
  const isAshore = journeys.every(({ firstVesselEvent }) => firstVesselEvent === null);
  const cancelledAt = isAshore ? bookingCancelledAt(documents) : null;
  const lastObservedAt = observations
    .map(({ observedAt }) => observedAt)
    .toSorted(compareText)
    .at(-1);
  return {
    attributes: { ...shipmentAttributes(journeys), ...present({ bookingNumber: bookingNumber(documents) }) },
    containers,
    bookingCancelled: cancelledAt !== null,
    ...present({ bookingCancelledAt: cancelledAt, lastObservedAt }),
  };
}

/** The journeys of the containers; while none is known, the one that the events without a container describe. */
export function deriveJourneys(observations: readonly Observation[], places: PlaceDirectory) {
  const groups = groupSourceEvents(resolveRetractions(toSourceEvents(observations, places)));
  const sharedFacts = collectFacts(groups.shared);
  const trackingBeganAt = earliestObservedAt(observations);
  const tracked = [...groups.containers]
    .toSorted(([a], [b]) => compareText(a, b))
    .map(([number, own]) => containerJourney(number, own, groups.shared, sharedFacts, trackingBeganAt));
  const known = tracked.map(({ journey }) => journey);
  const journeys: readonly Journey[] = known.length > 0 ? known : [buildJourney(sharedFacts.series, sharedFacts.gates)];
  return { tracked, journeys, documents: groups.documents };
}

/**
 * Whether a carrier reply shows that the container has started another voyage after the tracked one.
 * @param known the stored observations of the shipment.
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
  const { current } = resolveRetractions(toSourceEvents([...known, ...reported], places));
  const own = current.filter(({ observation }) => observation.containerNumber === containerNumber);
  return hasNextVoyage(own, trackingBeganAt);
}

function derivedContainer(
  { number, journey, description }: ContainerJourney,
  documents: readonly SourceEvent[],
  arrivals: SeparateArrivals,
): DerivedContainer {
  const milestones = deriveMilestones(journey);
  const events = milestones.map(toTransportEvent).toSorted(compareEvents);
  return {
    number,
    attributes: {
      ...containerAttributes(journey, milestones, events, description, containerDocuments(number, documents)),
      ...arrivals.get(journey),
    },
    events,
    location: containerLocation(journey, events),
  };
}

function earliestObservedAt(observations: readonly Observation[]): Instant | null {
  return observations.reduce<Instant | null>(
    (first, { observedAt }) => (first === null || observedAt < first ? observedAt : first),
    null,
  );
}
