import { dayMs, hourMs, type Instant, minuteMs, msBetween } from "../instant.ts";
import { greatCircleNm } from "../sea-routes/great-circle.ts";
import type { VesselPosition } from "./vessel-position.ts";

/** Faster than any container vessel. A report of more, or a jump that needs more, is an error of receiver or GPS. */
export const speedMaxKnots = 45;
/** One stored position for each interval, or one for each change of course. */
export const thinningIntervalMs = 10 * minuteMs;
const storeTurnEveryMs = minuteMs;
const turnDegrees = 15;
/** The course of a vessel that is moored or drifts is noise. */
const underWayKnots = 3;
/** GPS error and the rounding of coordinates: shorter jumps are no measure of speed. */
const jumpToleranceNm = 2;
/** Number of consecutive, consistent reports elsewhere after which the former place was the error. */
const relocatedAfter = 5;
const clockSkewMs = 5 * minuteMs;
const outdatedAfterMs = dayMs;

/** Facts about one vessel by which its next report is judged. */
export interface PositionTrack {
  /** The last plausible report. */
  readonly latest: VesselPosition | null;
  /** The last report that was kept. */
  readonly kept: VesselPosition | null;
  /** Consecutive reports that contradict `latest` and fit each other. */
  readonly doubted: { readonly latest: VesselPosition; readonly count: number } | null;
}

/**
 * - kept: to be stored.
 * - thinned: plausible, and too close to the last kept one.
 * - outdated: not newer than the last plausible one, or older than a day.
 * - in_future: later than the clock.
 * - implausible: too fast, or too far from the last plausible one.
 */
export type PositionOutcome = "kept" | "thinned" | "outdated" | "in_future" | "implausible";

/** @param kept the newest stored position. */
export function trackFrom(kept: VesselPosition | null): PositionTrack {
  return { latest: kept, kept, doubted: null };
}

/** Judges a report and returns what is known afterwards. Kept positions are in chronological order. */
export function followReport(
  track: PositionTrack,
  report: VesselPosition,
  now: Instant,
): { readonly track: PositionTrack; readonly outcome: PositionOutcome } {
  const { latest, kept } = track;
  if (msBetween(now, report.at) > clockSkewMs) return { track, outcome: "in_future" };
  const isLater = latest === null || report.at > latest.at;
  if (!isLater || msBetween(report.at, now) > outdatedAfterMs) return { track, outcome: "outdated" };
  if ((report.speedKnots ?? 0) > speedMaxKnots) return { track, outcome: "implausible" };
  if (latest !== null && !isReachable(latest, report)) {
    const doubted = doubtedWith(track.doubted, report);
    if (doubted.count < relocatedAfter) return { track: { ...track, doubted }, outcome: "implausible" };
    return { track: trackFrom(report), outcome: "kept" };
  }
  if (kept !== null && !isWorthKeeping(kept, report)) {
    return { track: { latest: report, kept, doubted: null }, outcome: "thinned" };
  }
  return { track: trackFrom(report), outcome: "kept" };
}

/** Whether a vessel can have moved from one position to a later one. */
export function isReachable(from: VesselPosition, to: VesselPosition): boolean {
  const distanceNm = greatCircleNm(from.position, to.position);
  return distanceNm <= jumpToleranceNm + (speedMaxKnots * Math.max(0, msBetween(from.at, to.at))) / hourMs;
}

function doubtedWith(doubted: PositionTrack["doubted"], report: VesselPosition): NonNullable<PositionTrack["doubted"]> {
  const continues = doubted !== null && report.at > doubted.latest.at && isReachable(doubted.latest, report);
  return { latest: report, count: continues ? doubted.count + 1 : 1 };
}

function isWorthKeeping(kept: VesselPosition, report: VesselPosition): boolean {
  const sinceMs = msBetween(kept.at, report.at);
  return sinceMs >= thinningIntervalMs || (sinceMs >= storeTurnEveryMs && hasTurned(kept, report));
}

function hasTurned(kept: VesselPosition, report: VesselPosition): boolean {
  if (kept.courseDegrees === null || report.courseDegrees === null) return false;
  if ((report.speedKnots ?? 0) < underWayKnots) return false;
  const difference = Math.abs(kept.courseDegrees - report.courseDegrees) % 360;
  return Math.min(difference, 360 - difference) >= turnDegrees;
}
