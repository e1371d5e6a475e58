import { dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { StopReason } from "../shipments/shipment.ts";
import { latestInstant, type TrackingProgress } from "./tracking-progress.ts";

/** The facts that decide whether tracking of a shipment stops. */
export interface StopFacts {
  readonly progress: TrackingProgress;
  readonly cancelledByUser: boolean;
  /** When the carrier last reported a change; before the first one, when tracking began. */
  readonly lastChangedAt: Instant;
  /** Time since when the carrier, which knew the number before, reports it as unknown. Failed polls do not count. */
  readonly notFoundSince: Instant | null;
  /** Consecutive replies that did. */
  readonly notFoundPolls: number;
  /** When a user last resumed tracking. */
  readonly resumedAt: Instant | null;
}

/** Durations in milliseconds, and one count. */
export interface StopThresholds {
  /** A cancellation may be a carrier's mistake, so it must be in effect this long after it was first observed. */
  readonly bookingCancelledMs: number;
  /** Time for late corrections after the last empty return. */
  readonly terminatedGraceMs: number;
  readonly fullOutWindowMs: number;
  readonly arrivalWindowMs: number;
  /** How long a carrier that never reported an arrival must have been silent. */
  readonly arrivalSilenceMs: number;
  readonly noUpdatesMs: number;
  /** An estimate this far ahead explains silence by a long voyage. */
  readonly futureEstimateMs: number;
  readonly notFoundMs: number;
  readonly notFoundPolls: number;
  /** Time after a resume in which only a cancellation stops tracking. */
  readonly resumeGraceMs: number;
}

export const defaultStopThresholds: StopThresholds = {
  bookingCancelledMs: 6 * hourMs,
  terminatedGraceMs: 3 * dayMs,
  fullOutWindowMs: 56 * dayMs,
  arrivalWindowMs: 56 * dayMs,
  arrivalSilenceMs: 28 * dayMs,
  noUpdatesMs: 56 * dayMs,
  futureEstimateMs: 7 * dayMs,
  notFoundMs: 14 * dayMs,
  notFoundPolls: 10,
  resumeGraceMs: 14 * dayMs,
};

type StopRule = (facts: StopFacts, now: Instant, thresholds: StopThresholds) => boolean;

/** Rules in order of precedence: the first that is true gives the reason. */
const windowRules: readonly (readonly [StopReason, StopRule])[] = [
  ["all_containers_terminated", areAllTerminated],
  ["past_full_out_window", isPastFullOutWindow],
  ["past_arrival_window", isPastArrivalWindow],
  ["no_updates_at_line", isSilent],
];

/**
 * Why tracking of a shipment stops now; null: it continues (docs/contract/specification.md
 * shipment.attribute.line_tracking_stopped_reason).
 */
export function shipmentStopReason(
  facts: StopFacts,
  now: Instant,
  thresholds: StopThresholds = defaultStopThresholds,
): StopReason | null {
  if (facts.cancelledByUser) return "cancelled_by_user";
  if (hasPassed(facts.progress.bookingCancelledAt, now, thresholds.bookingCancelledMs)) return "booking_cancelled";
  const isJustResumed = facts.resumedAt !== null && msBetween(facts.resumedAt, now) < thresholds.resumeGraceMs;
  if (isJustResumed) return null;
  return windowRules.find(([, applies]) => applies(facts, now, thresholds))?.[0] ?? null;
}

/** Whether a time is at least `ms` ago. An unknown time is not. */
function hasPassed(time: Instant | null, now: Instant, ms: number): boolean {
  return time !== null && msBetween(time, now) >= ms;
}

function areAllTerminated({ progress: { containers } }: StopFacts, now: Instant, thresholds: StopThresholds): boolean {
  if (containers.length === 0 || containers.some(({ terminatedAt }) => terminatedAt === null)) return false;
  const lastTerminatedAt = latestInstant(containers.map(({ terminatedAt }) => terminatedAt));
  return hasPassed(lastTerminatedAt, now, thresholds.terminatedGraceMs);
}

/** Many carriers never report the empty return. */
function isPastFullOutWindow(
  { progress: { containers } }: StopFacts,
  now: Instant,
  { fullOutWindowMs }: StopThresholds,
): boolean {
  if (!areAllOut(containers) || containers.every(({ terminatedAt }) => terminatedAt !== null)) return false;
  return hasPassed(latestInstant(containers.map(({ finalFullOutAt }) => finalFullOutAt)), now, fullOutWindowMs);
}

function isPastArrivalWindow(
  { progress, lastChangedAt }: StopFacts,
  now: Instant,
  { arrivalWindowMs, arrivalSilenceMs }: StopThresholds,
): boolean {
  if (areAllOut(progress.containers)) return false;
  if (progress.ataAt !== null) {
    return hasPassed(latestInstant([progress.ataAt, progress.destinationAtaAt]), now, arrivalWindowMs);
  }
  return hasPassed(progress.etaAt, now, arrivalWindowMs) && hasPassed(lastChangedAt, now, arrivalSilenceMs);
}

function isSilent(facts: StopFacts, now: Instant, thresholds: StopThresholds): boolean {
  const { notFoundSince, notFoundPolls, lastChangedAt, progress } = facts;
  // A push or an import with a change after the first "not found" shows that the shipment is alive.
  const lastSeenAt = notFoundSince === null ? null : latestInstant([notFoundSince, lastChangedAt]);
  const isGone = hasPassed(lastSeenAt, now, thresholds.notFoundMs) && notFoundPolls >= thresholds.notFoundPolls;
  const { latestEstimateAt } = progress;
  const isStillExpected = latestEstimateAt !== null && msBetween(now, latestEstimateAt) > thresholds.futureEstimateMs;
  return isGone || (hasPassed(lastChangedAt, now, thresholds.noUpdatesMs) && !isStillExpected);
}

/** Each container was gated out full at its destination, or returned. */
function areAllOut(containers: TrackingProgress["containers"]): boolean {
  return (
    containers.length > 0 &&
    containers.every(({ finalFullOutAt, terminatedAt }) => finalFullOutAt !== null || terminatedAt !== null)
  );
}
