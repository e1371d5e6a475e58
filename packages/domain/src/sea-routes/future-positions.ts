import { dayMs, hourMs, type Instant, instant, minuteMs, toEpochMs } from "../instant.ts";
import { courseDegrees, greatCircle, greatCircleNm, type Position, withSteps } from "./great-circle.ts";

/** Typical service speed of a container vessel, used where a time of the voyage is unknown. */
export const typicalSpeedKnots = 16;
/** Limits the response: a voyage may take forty days, which is 57,600 minutes. */
export const futureDaysMax = 7;

/** Resolution of the search for the nearest point of a route. */
const joinStepNm = 5;

/** The known times of a vessel's voyage between two ports. */
export interface VoyageTimes {
  /** Actual, else estimated; null: unknown. */
  readonly departureAt: Instant | null;
  readonly arrivalAt: Instant | null;
  /** The arrival is actual. */
  readonly hasArrived: boolean;
}

/** An estimated, not observed, position of a vessel. */
export interface FuturePosition {
  readonly position: Position;
  /** Clockwise from north; null: not under way. */
  readonly headingDegrees: number | null;
  readonly at: Instant;
}

/**
 * One position per minute from `now` until the arrival, for at most `futureDaysMax` days, interpolated by time. Before
 * the departure the vessel is at the start. An unknown time follows from the usual speed; when both are unknown, the
 * vessel departs now. Empty when the arrival is past.
 */
export function futurePositions(way: readonly Position[], times: VoyageTimes, now: Instant): readonly FuturePosition[] {
  if (times.hasArrived) return [];
  const [nowMs, typicalMs] = [toEpochMs(now), sailingMs(way)];
  const knownArrivalMs = times.arrivalAt === null ? null : toEpochMs(times.arrivalAt);
  const unknownDepartureMs = knownArrivalMs === null ? nowMs : knownArrivalMs - typicalMs;
  const departureMs = times.departureAt === null ? unknownDepartureMs : toEpochMs(times.departureAt);
  const isPlausible = knownArrivalMs !== null && knownArrivalMs > departureMs;
  return minuteByMinute(way, departureMs, isPlausible ? knownArrivalMs : departureMs + typicalMs, nowMs);
}

/**
 * Returns the positions of a vessel that is at `start` now: it sails to the nearest point of the route and follows it.
 * It arrives at the ETA or, when that is past or unknown, at the usual speed.
 */
export function futurePositionsFrom(
  start: Position,
  way: readonly Position[],
  times: VoyageTimes,
  now: Instant,
): readonly FuturePosition[] {
  if (times.hasArrived) return [];
  const joined = joinedTo(way, start);
  const [nowMs, knownArrivalMs] = [toEpochMs(now), times.arrivalAt === null ? 0 : toEpochMs(times.arrivalAt)];
  return minuteByMinute(joined, nowMs, knownArrivalMs > nowMs ? knownArrivalMs : nowMs + sailingMs(joined), nowMs);
}

function minuteByMinute(
  way: readonly Position[],
  departureMs: number,
  arrivalMs: number,
  nowMs: number,
): readonly FuturePosition[] {
  if (arrivalMs <= nowMs) return [];
  const minutes = Math.min(Math.ceil((arrivalMs - nowMs) / minuteMs), (futureDaysMax * dayMs) / minuteMs);
  const sail = sailing(way);
  return Array.from({ length: minutes + 1 }, (_, minute) => {
    const atMs = nowMs + minute * minuteMs;
    const share = Math.max(0, Math.min(1, (atMs - departureMs) / (arrivalMs - departureMs)));
    const { position, courseDegrees: course } = sail(share);
    const isUnderWay = atMs >= departureMs && atMs < arrivalMs;
    return { position, headingDegrees: isUnderWay ? course : null, at: instant(atMs) };
  });
}

/** Position and course after a fraction (0 to 1) of the route. Fractions must be passed in ascending order. */
function sailing(way: readonly Position[]) {
  let startNm = 0;
  const legs = way.slice(1).map((to, index) => {
    const from = way[index] ?? to;
    const leg = { to, at: greatCircle(from, to), startNm, lengthNm: greatCircleNm(from, to) };
    startNm += leg.lengthNm;
    return leg;
  });
  const totalNm = startNm;
  let current = 0;
  return (share: number): { readonly position: Position; readonly courseDegrees: number } => {
    const nm = share * totalNm;
    while (current < legs.length - 1 && nm >= (legs[current + 1]?.startNm ?? 0)) current += 1;
    const leg = legs[current];
    if (leg === undefined) throw new RangeError("A way has at least two positions.");
    const fraction = leg.lengthNm === 0 ? 0 : Math.min(1, (nm - leg.startNm) / leg.lengthNm);
    const position = leg.at(fraction);
    return { position, courseDegrees: courseDegrees(position, leg.to) };
  };
}

function joinedTo(way: readonly Position[], start: Position): readonly Position[] {
  const points = withSteps(way, joinStepNm);
  const distances = points.map((point) => greatCircleNm(start, point));
  return [start, ...points.slice(distances.indexOf(Math.min(...distances)))];
}

function sailingMs(way: readonly Position[]): number {
  const lengthNm = way.slice(1).reduce((total, to, index) => total + greatCircleNm(way[index] ?? to, to), 0);
  return (lengthNm / typicalSpeedKnots) * hourMs;
}
