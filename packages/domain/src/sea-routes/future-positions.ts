import { dayMs, hourMs, type Instant, instant, minuteMs, toEpochMs } from "../instant.ts";
import { courseDegrees, greatCircle, greatCircleNm, type Position, withSteps } from "./great-circle.ts";

/** What a container vessel makes in service, for a voyage of which a time is not known. */
export const usualSpeedKnots = 16;
/** A voyage may take forty days, but an estimate for each minute of it would be ten times what anybody reads. */
export const futureDaysMax = 7;

/** How finely a way is looked at for the point that is nearest to a position. */
const joinStepNm = 5;

/** What is known of a vessel's voyage between two ports. */
export interface VoyageTimes {
  /** Actual, else expected; null: not told. */
  readonly departureAt: Instant | null;
  readonly arrivalAt: Instant | null;
  /** The arrival is actual. */
  readonly hasArrived: boolean;
}

/** Where a vessel is expected to be. Nobody saw it there. */
export interface FuturePosition {
  readonly position: Position;
  /** Clockwise from north; null: it lies still. */
  readonly headingDegrees: number | null;
  readonly at: Instant;
}

/**
 * One position for each minute from `now` until the vessel is at the end of the way, for at most `futureDaysMax` days. The
 * share of the time is taken for the share of the way; before its departure the vessel lies at the start. A time that is not
 * known follows from the usual speed; when neither is known the vessel departs now. Empty when the arrival is past.
 */
export function futurePositions(way: readonly Position[], times: VoyageTimes, now: Instant): readonly FuturePosition[] {
  if (times.hasArrived) return [];
  const [nowMs, usualMs] = [toEpochMs(now), sailingMs(way)];
  const toldArrivalMs = times.arrivalAt === null ? null : toEpochMs(times.arrivalAt);
  const unknownDepartureMs = toldArrivalMs === null ? nowMs : toldArrivalMs - usualMs;
  const departureMs = times.departureAt === null ? unknownDepartureMs : toEpochMs(times.departureAt);
  const isTold = toldArrivalMs !== null && toldArrivalMs > departureMs;
  return minuteByMinute(way, departureMs, isTold ? toldArrivalMs : departureMs + usualMs, nowMs);
}

/**
 * The same for a vessel that is at `start` now: from there to the nearest point of the way, and on along it. It arrives when it
 * is expected; when that is past or not known, when the usual speed takes it there.
 */
export function futurePositionsFrom(
  start: Position,
  way: readonly Position[],
  times: VoyageTimes,
  now: Instant,
): readonly FuturePosition[] {
  if (times.hasArrived) return [];
  const joined = joinedTo(way, start);
  const [nowMs, toldArrivalMs] = [toEpochMs(now), times.arrivalAt === null ? 0 : toEpochMs(times.arrivalAt)];
  return minuteByMinute(joined, nowMs, toldArrivalMs > nowMs ? toldArrivalMs : nowMs + sailingMs(joined), nowMs);
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

/** Where a vessel is after a share (0 to 1) of the way, and which course it steers. Shares must not get smaller. */
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
  return (lengthNm / usualSpeedKnots) * hourMs;
}
