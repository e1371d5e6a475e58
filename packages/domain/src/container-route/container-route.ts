import { containerJourney } from "../derivation/container-journey.ts";
import type { DerivedPlace } from "../derivation/derived-shipment.ts";
import type { Journey } from "../derivation/journey.ts";
import { vesselOf, voyageOf } from "../derivation/milestone.ts";
import { resolveRetractions } from "../derivation/resolve-retractions.ts";
import { estimate, primary, type Series } from "../derivation/series.ts";
import { type SourceEvent, toSourceEvents } from "../derivation/source-event.ts";
import { collectFacts, groupSourceEvents } from "../derivation/source-event-groups.ts";
import type { VesselCall } from "../derivation/vessel-call.ts";
import type { Instant } from "../instant.ts";
import type { Observation, TransportMode } from "../observations/observation.ts";
import type { RouteCall, RouteRecords, RouteRole, RouteStop } from "./route-stop.ts";

/** The input from which a container's route is derived. */
export interface RouteSource {
  readonly containerNumber: string;
  /** SCAC of the shipping line, which carries the container on vessels. */
  readonly carrierScac: string;
  /** When the first observation of the shipment was made. */
  readonly trackingBeganAt: Instant | null;
  /** The observations of the container and those that concern every container of the shipment. */
  readonly observations: readonly Observation[];
}

/**
 * The stops of a container in order: port of lading, transshipments, port of discharge, inland destination. Planned and
 * actual stops, derived like the timeline. Empty while no vessel call is known.
 */
export function containerRoute(source: RouteSource, records: RouteRecords): readonly RouteStop[] {
  const journey = deriveJourney(source, records);
  const { portOfLading, transshipments, portOfDischarge } = journey.sea;
  const calls: (readonly [RouteRole, VesselCall])[] = [
    ...(portOfLading === null ? [] : [["port_of_lading", portOfLading] as const]),
    ...transshipments.map((call) => ["transshipment", call] as const),
    ...(portOfDischarge === null ? [] : [["port_of_discharge", portOfDischarge] as const]),
  ];
  const stops = calls.map(([role, call]) => {
    const inbound = role === "port_of_lading" ? null : inboundSide(call);
    return toStop(role, { inbound, outbound: outboundSide(role, call, journey) }, source, records);
  });
  return [...stops, destinationStop(journey, source, records)].filter((stop) => stop !== null);
}

/** One side of a stop: the arrival or departure of a means of transport, with the container's events on it. */
interface Side {
  readonly mode: TransportMode | null;
  readonly move: Series | null;
  /** Loading or discharge of the container itself. */
  readonly handling: Series | null;
  /** Evidence of a move that was not reported itself. */
  readonly impliedBy: SourceEvent | null;
}

interface Sides {
  readonly inbound: Side | null;
  readonly outbound: Side | null;
}

function deriveJourney(source: RouteSource, records: RouteRecords): Journey {
  const { containerNumber, trackingBeganAt, observations } = source;
  const groups = groupSourceEvents(resolveRetractions(toSourceEvents(observations, records)));
  const own = groups.containers.get(containerNumber) ?? { current: [], superseded: [] };
  return containerJourney(containerNumber, own, groups.shared, collectFacts(groups.shared), trackingBeganAt).journey;
}

/** A discharge implies the arrival. */
function inboundSide({ arrival, discharge }: VesselCall): Side {
  return { mode: "VESSEL", move: arrival, handling: discharge, impliedBy: discharge?.actual ?? null };
}

function outboundSide(role: RouteRole, { departure, loading, place }: VesselCall, journey: Journey): Side | null {
  if (role !== "port_of_discharge") return { mode: "VESSEL", move: departure, handling: loading, impliedBy: null };
  if (journey.inland.destination === null) return null;
  const mode = inlandMode(journey);
  const leaving = (code: string) =>
    journey.series.find(
      (one) => one.code === code && one.mode === mode && one.place === place && journey.inland.isOnward(one),
    ) ?? null;
  return { mode, move: leaving("DEPA"), handling: leaving("LOAD"), impliedBy: null };
}

function inlandArrival({ inland }: Journey): Series | null {
  return inland.arrivals.find(({ actual }) => actual !== null) ?? inland.arrivals[0] ?? null;
}

function inlandMode(journey: Journey): TransportMode | null {
  return inlandArrival(journey)?.mode ?? journey.inland.gateIn?.sourceEvent.mode ?? null;
}

function destinationStop(journey: Journey, source: RouteSource, records: RouteRecords): RouteStop | null {
  const impliedBy = journey.inland.gateIn?.sourceEvent ?? null;
  const inbound = { mode: inlandMode(journey), move: inlandArrival(journey), handling: null, impliedBy };
  return journey.inland.destination === null
    ? null
    : toStop("destination", { inbound, outbound: null }, source, records);
}

function toStop(role: RouteRole, sides: Sides, source: RouteSource, records: RouteRecords): RouteStop | null {
  const sourceEvents = [sides.inbound, sides.outbound].flatMap((side) =>
    side === null ? [] : sourceEventsAbout(side),
  );
  const [first] = sourceEvents;
  if (first === undefined) return null;
  const place: DerivedPlace = { locode: first.locode, name: first.observation.place.name, kind: first.placeKind };
  const facility = sourceEvents.find((one) => one.observation.place.facilityCode !== null)?.observation.place;
  const observedTimes = sourceEvents.map(({ observation }) => observation.observedAt).toSorted();
  return {
    role,
    key: first.place,
    place: records.place(place),
    facility: facility === undefined ? null : records.facility(facility, place),
    inbound: sides.inbound === null ? null : toCall(sides.inbound, source, records),
    outbound: sides.outbound === null ? null : toCall(sides.outbound, source, records),
    createdAt: observedTimes[0] ?? first.observation.observedAt,
    updatedAt: observedTimes.at(-1) ?? first.observation.observedAt,
  };
}

/** The container's own handling first: its facility is the most reliable. */
function sourceEventsAbout({ move, handling, impliedBy }: Side): readonly SourceEvent[] {
  const seriesEvents = (series: Series | null) => [series?.actual, series?.estimated, series?.planned];
  return [...seriesEvents(handling), ...seriesEvents(move), impliedBy].filter(
    (one) => one !== null && one !== undefined,
  );
}

const callModes: Readonly<Partial<Record<TransportMode, RouteCall["mode"]>>> = {
  RAIL: "rail",
  VESSEL: "vessel",
  BARGE: "vessel",
};

function toCall(side: Side, { carrierScac }: RouteSource, records: RouteRecords): RouteCall {
  const [move, handling] = [primary(side.move), primary(side.handling)];
  const vessel = vesselOf(move) ?? vesselOf(handling);
  const mode = side.mode === null ? null : (callModes[side.mode] ?? null);
  return {
    mode,
    carrierScac: mode === "vessel" ? carrierScac : null,
    vessel: vessel === null ? null : records.vessel(vessel),
    voyageNumber: voyageOf(move) ?? voyageOf(handling),
    estimatedAt: estimate(side.move)?.observation.eventAt ?? null,
    actualAt: (side.move?.actual ?? side.impliedBy)?.observation.eventAt ?? null,
  };
}
