import { addMs, dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { Position } from "../sea-routes/great-circle.ts";
import { greatCircleNm } from "../sea-routes/great-circle.ts";
import { joinRoute } from "../sea-routes/join-route.ts";
import type { VesselPosition } from "../vessel-positions/vessel-position.ts";

/** Speed is averaged over this time, so that one slow hour before a canal or in bad weather does not move the ETA. */
export const smoothedOverMs = 2 * dayMs;
/** Shorter histories are too short to measure the speed. */
const historyMinMs = 6 * hourMs;
/** Older positions are not extrapolated. */
const positionAgeMaxMs = 12 * hourMs;
/** A container vessel under way sails within these speeds, over a day. */
const [speedMinKnots, speedMaxKnots] = [8, 23];
/** Farther from the route, the vessel is on another voyage. */
const offRouteMaxNm = 300;
/** Time from the end of the sea passage to the berth: pilot and port. */
const portMs = 2 * hourMs;

/** Half of the interval: a constant and a share of the time left, fitted to simulated voyages (docs/benchmarks.md). */
const [marginMs, marginShare] = [3 * hourMs, 0.105];
/** Share of arrivals that the interval is meant to contain. */
export const intervalShare = 0.8;

/**
 * An arrival that follows from positions of the vessel alone. It is an estimate of its own source: it is never an
 * actual time and never replaces the carrier's ETA.
 */
export interface PredictedArrival {
  readonly etaAt: Instant;
  /** `intervalShare` of the arrivals lie between these. */
  readonly earliestAt: Instant;
  readonly latestAt: Instant;
  readonly distanceLeftNm: number;
  readonly speedKnots: number;
  /** Time of the position that it follows from. */
  readonly positionAt: Instant;
}

/**
 * Predicts the arrival from the distance left along the route and the speed made good on the way so far.
 *
 * @param positions of the vessel since its departure, in chronological order.
 * @returns null without enough recent positions, or when the vessel is not on the route.
 */
export function predictArrival(
  route: readonly Position[],
  positions: readonly VesselPosition[],
  now: Instant,
): PredictedArrival | null {
  const last = positions.at(-1);
  if (last === undefined || msBetween(last.at, now) > positionAgeMaxMs || route.length < 2) return null;
  const speedKnots = smoothedSpeedKnots(positions.filter(({ at }) => msBetween(at, last.at) <= smoothedOverMs));
  const { offNm, remainingNm } = joinRoute(route, last.position);
  if (speedKnots === null || offNm > offRouteMaxNm) return null;
  const leftMs = (remainingNm / speedKnots) * hourMs + portMs;
  const half = marginMs + marginShare * leftMs;
  // A vessel that is here has not arrived: neither end of the interval is in the past.
  const notBefore = (ms: number): Instant => {
    const at = addMs(last.at, Math.round(ms));
    return at < now ? now : at;
  };
  return {
    etaAt: notBefore(leftMs),
    earliestAt: notBefore(leftMs - half),
    latestAt: notBefore(leftMs + half),
    distanceLeftNm: remainingNm,
    speedKnots,
    positionAt: last.at,
  };
}

/** Distance sailed by time, within the speeds of container vessels. Null: the history is too short. */
function smoothedSpeedKnots(positions: readonly VesselPosition[]): number | null {
  const [first, last] = [positions[0], positions.at(-1)];
  if (first === undefined || last === undefined) return null;
  const tookMs = msBetween(first.at, last.at);
  if (tookMs < historyMinMs) return null;
  const sailedNm = positions
    .slice(1)
    .reduce((total, to, index) => total + greatCircleNm(positions[index]?.position ?? to.position, to.position), 0);
  return Math.min(speedMaxKnots, Math.max(speedMinKnots, sailedNm / (tookMs / hourMs)));
}
