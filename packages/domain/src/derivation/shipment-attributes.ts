import { compareText } from "../compare-text.ts";
import type { Instant } from "../instant.ts";
import type { ObservedPlace } from "../observations/observation.ts";
import type { Derived, DerivedPlace, DerivedShipmentAttributes } from "./derived-shipment.ts";
import { derivedFrom, derivedTime, earliestOf, everyPresent, latestOf, newestOf } from "./derived-value.ts";
import type { Journey } from "./journey.ts";
import { vesselOf, voyageOf } from "./milestone.ts";
import { estimate, firstObserved, primary, type Series } from "./series.ts";
import type { SourceEvent } from "./source-event.ts";
import type { VesselCall } from "./vessel-call.ts";

/** Attributes over all containers: the most common places, and the times of the containers that go there. */
export function shipmentAttributes(journeys: readonly Journey[]): Omit<DerivedShipmentAttributes, "bookingNumber"> {
  return everyPresent<Omit<DerivedShipmentAttributes, "bookingNumber">>({
    ...ladingAttributes(journeys, callsAtSharedPort(journeys.flatMap(({ sea }) => sea.portOfLading ?? []))),
    ...dischargeAttributes(journeys, callsAtSharedPort(journeys.flatMap(({ sea }) => sea.portOfDischarge ?? []))),
    ...destinationAttributes(journeys),
  });
}

function ladingAttributes(journeys: readonly Journey[], calls: readonly VesselCall[]) {
  const departures = calls.map(({ departure }) => departure);
  const etd = earliestOf(departures.flatMap((series) => estimate(series) ?? []));
  const atd = earliestOf(departures.flatMap((series) => series?.actual ?? []));
  const firstEtd = firstEstimateAt(journeys, "DEPA", calls[0]?.place);
  return {
    portOfLading: placeOf(calls[0] ?? null, "first_vessel_loading"),
    polEtdAt: etd === null ? null : derivedTime(etd, "E6 estimated.vessel_departed"),
    polAtdAt: atd === null ? null : derivedTime(atd, "E5 vessel_departed"),
    polOriginalEtdAt: firstEtd === null ? null : derivedTime(firstEtd, "first_estimate_for_port"),
  };
}

function dischargeAttributes(journeys: readonly Journey[], calls: readonly VesselCall[]) {
  const arrivals = calls.map(({ arrival }) => arrival);
  const estimates = arrivals.flatMap((series) => estimate(series) ?? []);
  const firstEta = firstEstimateAt(journeys, "ARRI", calls[0]?.place);
  const last = latestOf(estimates);
  const call = calls.find(({ arrival }) => last !== null && estimate(arrival) === last) ?? calls[0];
  const inbound = primary(call?.arrival ?? null) ?? primary(call?.discharge ?? null);
  const vessel = vesselOf(inbound) ?? vesselOf(primary(call?.discharge ?? null));
  const voyage = voyageOf(inbound) ?? voyageOf(primary(call?.discharge ?? null));
  return {
    portOfDischarge: placeOf(calls[0] ?? null, "last_vessel_arrival"),
    podTerminal: terminalOf(calls.flatMap(({ arrival, discharge }) => [arrival, discharge])),
    podVessel: inbound === null || vessel === null ? null : derivedFrom(inbound, "vessel_of_last_leg", vessel),
    podVoyageNumber: inbound === null || voyage === null ? null : derivedFrom(inbound, "voyage_of_last_leg", voyage),
    podEtaAt: last === null ? null : combinedEta(last, estimates),
    podAtaAt: actualArrival(calls),
    podOriginalEtaAt: firstEta === null ? null : derivedTime(firstEta, "first_estimate_for_port"),
  };
}

const unknownDestination = {
  destination: null,
  destinationTerminal: null,
  destinationEtaAt: null,
  destinationAtaAt: null,
  destinationOriginalEtaAt: null,
};

function destinationAttributes(journeys: readonly Journey[]) {
  const inland = journeys.map((journey) => journey.inland);
  const destination = mostCommon(inland.flatMap((route) => route.destination ?? []));
  if (destination === null) return unknownDestination;
  const routes = inland.filter((route) => route.destination === destination);
  const namedBy = newestOf(routes.flatMap((route) => route.namedBy ?? []));
  const arrivals = routes.flatMap((route) => route.arrivals);
  const eta = latestOf(arrivals.flatMap((series) => estimate(series) ?? []));
  const ata = earliestOf(arrivals.flatMap((series) => series.actual ?? []));
  const gateIn = earliestOf(routes.flatMap((route) => route.gateIn?.sourceEvent ?? []));
  const firstEta = arrivals.reduce<SourceEvent | null>((first, one) => firstObserved(first, one.firstEstimate), null);
  return {
    destination: namedBy === null ? null : place(namedBy, "last_inland_arrival"),
    destinationTerminal: terminalOf(arrivals),
    destinationEtaAt: eta === null ? null : derivedTime(eta, "E18 estimated.arrived_at_inland_destination"),
    destinationAtaAt: inlandArrival(ata, gateIn),
    destinationOriginalEtaAt: firstEta === null ? null : derivedTime(firstEta, "first_estimate_for_port"),
  };
}

/**
 * The first estimate ever observed for a port, of any vessel and container. It stays when the container it was reported
 * for is rerouted.
 */
export function firstEstimateAt(journeys: readonly Journey[], code: "ARRI" | "DEPA", port: string | undefined) {
  return journeys
    .flatMap(({ series }) => series)
    .filter((one) => one.code === code && one.mode === "VESSEL" && one.place === port)
    .reduce<SourceEvent | null>((first, one) => firstObserved(first, one.firstEstimate), null);
}

/** When containers arrive on different vessels, the shipment arrives with the last one, on its vessel. */
function combinedEta(last: SourceEvent, estimates: readonly SourceEvent[]): Derived<Instant> {
  const isSplit = estimates.some(({ observation }) => observation.eventAt !== last.observation.eventAt);
  return derivedTime(last, isSplit ? "E12 estimated.vessel_arrived split_arrival" : "E12 estimated.vessel_arrived");
}

/** When no arrival was reported, the first discharge implies it. */
function actualArrival(calls: readonly VesselCall[]): Derived<Instant> | null {
  const arrived = earliestOf(calls.flatMap(({ arrival }) => arrival?.actual ?? []));
  if (arrived !== null) return derivedTime(arrived, "E13 vessel_arrived");
  const discharged = earliestOf(calls.flatMap(({ discharge }) => discharge?.actual ?? []));
  return discharged === null ? null : derivedTime(discharged, "E15 implied_by_discharge");
}

function inlandArrival(arrived: SourceEvent | null, gatedIn: SourceEvent | null): Derived<Instant> | null {
  if (arrived !== null) return derivedTime(arrived, "E19 arrived_at_inland_destination");
  return gatedIn === null ? null : derivedTime(gatedIn, "E19 implied_by_gate_in");
}

/** The calls at the port that most containers share. */
export function callsAtSharedPort(calls: readonly VesselCall[]): readonly VesselCall[] {
  const port = mostCommon(calls.map((call) => call.place));
  return calls.filter((call) => call.place === port);
}

/** Ties are resolved in alphabetical order, so the order of containers does not matter. */
export function mostCommon(places: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const one of places) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [first] = [...counts].toSorted(([a, countA], [b, countB]) => countB - countA || compareText(a, b));
  return first?.[0] ?? null;
}

function placeOf(call: VesselCall | null, rule: string): Derived<DerivedPlace> | null {
  if (call === null) return null;
  const series = [call.departure, call.loading, call.arrival, call.discharge];
  const sourceEvent = series.map(primary).find((one) => one !== null);
  return sourceEvent == null ? null : place(sourceEvent, rule);
}

function place(sourceEvent: SourceEvent, rule: string): Derived<DerivedPlace> {
  const { locode, placeKind, observation } = sourceEvent;
  return derivedFrom(sourceEvent, rule, { locode, name: observation.place.name, kind: placeKind });
}

/** The facility of the newest actual, else of the newest estimate or plan. */
function terminalOf(series: readonly (Series | null)[]): Derived<ObservedPlace> | null {
  const withFacility = (sourceEvents: readonly (SourceEvent | null | undefined)[]) =>
    newestOf(sourceEvents.flatMap((one) => (one?.observation.place.facilityCode == null ? [] : one)));
  const sourceEvent =
    withFacility(series.map((one) => one?.actual)) ??
    withFacility(series.flatMap((one) => [one?.estimated, one?.planned]));
  if (sourceEvent === null) return null;
  return derivedFrom(sourceEvent, "E38 facility", { ...sourceEvent.observation.place, locode: sourceEvent.locode });
}
