import type { TransportEventName } from "../transport-events/transport-event.ts";
import type { GateMove } from "./gate-moves.ts";
import { isAfterSea, isAtOrigin, type Journey } from "./journey.ts";
import type { Milestone } from "./milestone.ts";
import { availabilities, findBerthing } from "./pickup.ts";
import { primary, type Series } from "./series.ts";
import { compareTime, isNotBefore, type SourceEvent } from "./source-event.ts";
import type { VesselCall } from "./vessel-call.ts";

/** A row of the mapping table from source events to milestones (docs/tracking-rules.md). */
interface MilestoneRule {
  readonly row: string;
  readonly event: TransportEventName;
  readonly select: (journey: Journey) => readonly Match[];
}

interface Match {
  readonly sourceEvent: SourceEvent;
  /** Distinguishes milestones where a journey can have several of one event. */
  readonly at?: string;
  readonly companion?: SourceEvent | null;
}

const none: readonly Match[] = [];

/** Rows that give no milestone (E2, E6, E12, E18, E23, E24) are only in docs/tracking-rules.md. */
const milestoneRules: readonly MilestoneRule[] = [
  { row: "E1", event: "empty_out", select: lastEmptyOut },
  { row: "E3", event: "full_in", select: fullIn },
  {
    row: "E4",
    event: "vessel_loaded",
    select: ({ sea }) => actualMatches(sea.portOfLading?.loading, sea.portOfLading?.departure),
  },
  {
    row: "E5",
    event: "vessel_departed",
    select: ({ sea }) => actualMatches(sea.portOfLading?.departure, sea.portOfLading?.loading),
  },
  { row: "E7", event: "transshipment_arrived", select: transshipmentMoves((call) => [call.arrival, call.discharge]) },
  {
    row: "E8",
    event: "transshipment_discharged",
    select: transshipmentMoves((call) => [call.discharge, call.arrival]),
  },
  { row: "E9", event: "transshipment_loaded", select: transshipmentMoves((call) => [call.loading, call.departure]) },
  { row: "E10", event: "transshipment_departed", select: transshipmentMoves((call) => [call.departure, call.loading]) },
  { row: "E11", event: "feeder_loaded", select: bargeMoves("LOAD") },
  { row: "E11", event: "feeder_departed", select: bargeMoves("DEPA") },
  { row: "E11", event: "feeder_arrived", select: bargeMoves("ARRI") },
  { row: "E11", event: "feeder_discharged", select: bargeMoves("DISC") },
  {
    row: "E13",
    event: "vessel_arrived",
    select: ({ sea }) => actualMatches(sea.portOfDischarge?.arrival, sea.portOfDischarge?.discharge),
  },
  { row: "E14", event: "vessel_berthed", select: vesselBerthed },
  {
    row: "E15",
    event: "vessel_discharged",
    select: ({ sea }) => actualMatches(sea.portOfDischarge?.discharge, sea.portOfDischarge?.arrival),
  },
  {
    row: "E16",
    event: "rail_loaded",
    select: (journey) => [...railMoves("LOAD")(journey), ...gatedOutOnRail(journey)],
  },
  { row: "E17", event: "rail_departed", select: railMoves("DEPA") },
  {
    row: "E19",
    event: "rail_arrived",
    select: (journey) => [...railMoves("ARRI")(journey), ...gatedInByRail(journey)],
  },
  { row: "E19", event: "arrived_at_inland_destination", select: inlandArrival },
  { row: "E20", event: "rail_unloaded", select: railMoves("DISC") },
  { row: "E21", event: "full_out", select: (journey) => fullOut(journey, journey.sea.portOfDischarge?.place, "pod") },
  { row: "E22", event: "full_out", select: (journey) => fullOut(journey, journey.inland.destination, "destination") },
  { row: "E25", event: "empty_in", select: emptyIn },
  { row: "E26", event: "available", select: (journey) => availabilityChanges(journey, "available") },
  { row: "E27", event: "not_available", select: (journey) => availabilityChanges(journey, "not_available") },
];

/** All actual milestones, in the order of `milestoneRules`. */
export function deriveMilestones(journey: Journey): readonly Milestone[] {
  return milestoneRules.flatMap(({ row, event, select }) =>
    select(journey).map(({ sourceEvent, at, companion }) => ({
      rule: `${row} ${event}`,
      event,
      key: at === undefined ? event : `${event}:${at}`,
      sourceEvent,
      companion: companion ?? null,
    })),
  );
}

function actualMatches(series: Series | null | undefined, companion: Series | null | undefined): readonly Match[] {
  const sourceEvent = series?.actual ?? null;
  return sourceEvent === null ? none : [{ sourceEvent, companion: primary(companion ?? null) }];
}

function transshipmentMoves(pick: (call: VesselCall) => readonly [Series | null, Series | null]) {
  return ({ sea }: Journey): readonly Match[] =>
    sea.transshipments.flatMap((call) => actualMatches(...pick(call)).map((match) => ({ ...match, at: call.place })));
}

function bargeMoves(code: string) {
  return ({ series }: Journey): readonly Match[] =>
    series.flatMap((one) =>
      one.mode === "BARGE" && one.code === code && one.actual !== null
        ? [{ sourceEvent: one.actual, at: one.place }]
        : [],
    );
}

/** Rail moves to the port of lading are not milestones. */
function railMoves(code: string) {
  return (journey: Journey): readonly Match[] =>
    journey.series.flatMap((one) => {
      if (one.mode !== "RAIL" || one.code !== code || one.actual === null || !journey.inland.isOnward(one)) return [];
      return isAfterSea(journey, one.actual) ? [{ sourceEvent: one.actual, at: one.place }] : [];
    });
}

/** The first full gate-out on a train at each place without a reported loading. A later one repeats or corrects it. */
function gatedOutOnRail(journey: Journey): readonly Match[] {
  const loadedAt = new Set(railMoves("LOAD")(journey).map(({ at }) => at));
  const moves = journey.gates.filter(
    (gate) => isFullOutByRail(gate) && !loadedAt.has(gate.place) && isAfterSea(journey, gate.sourceEvent),
  );
  const movesByPlace = Map.groupBy(moves, ({ place }) => place);
  return [...movesByPlace].flatMap(([at, [first]]) =>
    first === undefined ? [] : [{ sourceEvent: first.sourceEvent, at }],
  );
}

function isFullOutByRail({ direction, isEmpty, sourceEvent }: GateMove): boolean {
  return direction === "out" && isEmpty === false && sourceEvent.mode === "RAIL";
}

function gatedInByRail(journey: Journey): readonly Match[] {
  const { gateIn } = journey.inland;
  if (gateIn === null || railMoves("ARRI")(journey).some(({ at }) => at === gateIn.place)) return none;
  const { mode, observation } = gateIn.sourceEvent;
  const isRailTerminal = observation.place.facilityType === "RAMP" || observation.place.facilityType === "INTE";
  const isByRail = mode === "RAIL" || (mode === null && isRailTerminal);
  return isByRail ? [{ sourceEvent: gateIn.sourceEvent, at: gateIn.place }] : none;
}

function inlandArrival({ inland }: Journey): readonly Match[] {
  const [arrived] = inland.arrivals.flatMap(({ actual }) => actual ?? []).toSorted(compareTime);
  const sourceEvent = arrived ?? inland.gateIn?.sourceEvent;
  return sourceEvent === undefined ? none : [{ sourceEvent }];
}

/** The last empty gate-out before loading: earlier ones repositioned the empty container. */
function lastEmptyOut(journey: Journey): readonly Match[] {
  const move = journey.gates.findLast(
    ({ direction, isEmpty, sourceEvent }) =>
      direction === "out" && isEmpty !== false && isAtOrigin(journey, sourceEvent),
  );
  return move === undefined ? none : [{ sourceEvent: move.sourceEvent }];
}

/** Prefers the gate of the port of lading over that of a yard on the way. Arrivals by train or barge do not count. */
function fullIn(journey: Journey): readonly Match[] {
  const { portOfLading } = journey.sea;
  if (portOfLading === null && journey.firstVesselEvent === null && !hasLeftEmpty(journey)) return none;
  const moves = journey.gates.filter((gate) => isFullInAtOrigin(journey, gate));
  const move = moves.findLast(({ place }) => place === portOfLading?.place) ?? moves.at(-1);
  return move === undefined ? none : [{ sourceEvent: move.sourceEvent }];
}

function hasLeftEmpty(journey: Journey): boolean {
  return lastEmptyOut(journey).length > 0;
}

function isFullInAtOrigin(journey: Journey, { direction, isEmpty, sourceEvent }: GateMove): boolean {
  const isOnTrain = sourceEvent.mode === "RAIL" || sourceEvent.mode === "BARGE";
  const { facilityType } = sourceEvent.observation.place;
  const isOriginMove = isOnTrain && (facilityType === "INTE" || facilityType === "RAMP");
  return direction === "in" && isEmpty !== true && !isOriginMove && isAtOrigin(journey, sourceEvent);
}

/** The first full gate-out at the place after the discharge; a later one follows an inspection. */
function fullOut(journey: Journey, place: string | null | undefined, at: "pod" | "destination"): readonly Match[] {
  const move = journey.gates.find(
    (gate) => gate.place === place && isFullOutByRoad(gate) && isAfterSea(journey, gate.sourceEvent),
  );
  return move === undefined ? none : [{ sourceEvent: move.sourceEvent, at }];
}

/** Carriers often attach the vessel call to a gate move, so only rail and barge rule out a truck. */
function isFullOutByRoad({ direction, isEmpty, sourceEvent }: GateMove): boolean {
  return direction === "out" && isEmpty !== true && sourceEvent.mode !== "RAIL" && sourceEvent.mode !== "BARGE";
}

function vesselBerthed(journey: Journey): readonly Match[] {
  const sourceEvent = findBerthing(journey);
  const { arrival, discharge } = journey.sea.portOfDischarge ?? { arrival: null, discharge: null };
  return sourceEvent === null ? none : [{ sourceEvent, companion: primary(arrival) ?? primary(discharge) }];
}

/**
 * Each change of availability until the container is gated out. The initial "not available" is not a change. The key
 * contains the time, because availability can change several times; of several reports of one time the newest counts.
 */
function availabilityChanges(journey: Journey, to: "available" | "not_available"): readonly Match[] {
  const reports = availabilities(journey).toSorted((a, b) => compareTime(a.sourceEvent, b.sourceEvent));
  return [...Map.groupBy(reports, ({ sourceEvent }) => sourceEvent.place)].flatMap(([place, there]) => {
    const out = fullOut(journey, place, "pod")[0]?.sourceEvent;
    const timely = there.filter(({ sourceEvent }) => out === undefined || compareTime(sourceEvent, out) < 0);
    const timeAt = (index: number) => timely[index]?.sourceEvent.observation.eventAt;
    const before = timely.filter((_report, index) => timeAt(index) !== timeAt(index + 1));
    return before.flatMap(({ sourceEvent, pickup }, index) => {
      const wasAvailable = before[index - 1]?.pickup.isAvailable ?? false;
      const isChange = pickup.isAvailable !== wasAvailable && pickup.isAvailable === (to === "available");
      return isChange ? [{ sourceEvent, at: `${place} ${sourceEvent.observation.eventAt}` }] : [];
    });
  });
}

/** The first empty return after the full gate-out, or after the discharge when no full gate-out was reported. */
function emptyIn(journey: Journey): readonly Match[] {
  const { sea, inland } = journey;
  const out = fullOut(journey, inland.destination ?? sea.portOfDischarge?.place, "destination")[0]?.sourceEvent;
  const move = journey.gates.find(({ direction, isEmpty, sourceEvent }) => {
    if (direction !== "in" || isEmpty === false || !isAfterSea(journey, sourceEvent)) return false;
    // Where the source does not report empty or full, a return after a full gate-out counts as empty.
    return out === undefined ? isEmpty === true : isNotBefore(sourceEvent, out);
  });
  return move === undefined ? none : [{ sourceEvent: move.sourceEvent }];
}
