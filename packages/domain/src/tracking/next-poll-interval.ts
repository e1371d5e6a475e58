import { dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { ContainerProgress, TrackingProgress } from "./tracking-progress.ts";

/** Number of consecutive unchanged polls after which the interval doubles. */
const unchangedPollsUntilSlower = 10;
const pollIntervalMaxMs = dayMs;
/** Maximum random delay of a poll, as a share of the interval, so that subjects due together spread out. */
export const pollJitter = 0.1;

/**
 * Milliseconds until the next poll of a shipment, before jitter. The container with the shortest interval decides,
 * because one request covers all containers.
 */
export function nextPollInterval(progress: TrackingProgress, now: Instant, unchangedPolls: number): number {
  const intervals = progress.containers.map((container) => containerInterval(progress, container, now));
  const interval = intervals.length > 0 ? Math.min(...intervals) : unnamedInterval(progress, now);
  return Math.min(unchangedPolls >= unchangedPollsUntilSlower ? 2 * interval : interval, pollIntervalMaxMs);
}

/** The carrier reported the voyage but not yet the containers. */
function unnamedInterval(progress: TrackingProgress, now: Instant): number {
  return progress.ataAt === null ? bookedInterval(progress, now) : 4 * hourMs;
}

function containerInterval(progress: TrackingProgress, container: ContainerProgress, now: Instant): number {
  switch (container.stage) {
    case "booked":
      return bookedInterval(progress, now);
    case "at_origin":
      return originInterval(progress, now);
    case "at_sea":
      return seaInterval(progress, now);
    case "at_transshipment":
      return 4 * hourMs;
    case "arrived":
      return hourMs;
    case "landed":
      return 2 * hourMs;
    case "on_rail":
      return railInterval(container, now);
    case "taken_out":
      return pickedUpInterval(container, now);
    case "returned":
      return dayMs;
  }
}

function bookedInterval({ etdAt }: TrackingProgress, now: Instant): number {
  return etdAt !== null && msBetween(now, etdAt) < 3 * dayMs ? 4 * hourMs : 12 * hourMs;
}

/** Rollovers are reported around the departure. */
function originInterval({ etdAt }: TrackingProgress, now: Instant): number {
  return etdAt !== null && Math.abs(msBetween(now, etdAt)) <= dayMs ? 2 * hourMs : 4 * hourMs;
}

function seaInterval({ etaAt }: TrackingProgress, now: Instant): number {
  if (etaAt === null) return 6 * hourMs;
  const aheadMs = msBetween(now, etaAt);
  if (aheadMs > 7 * dayMs) return 12 * hourMs;
  if (aheadMs >= 3 * dayMs) return 6 * hourMs;
  if (aheadMs >= dayMs) return 2 * hourMs;
  const isLongOverdue = aheadMs < -5 * dayMs;
  return isLongOverdue ? 3 * hourMs : hourMs;
}

function railInterval({ inlandEtaAt }: ContainerProgress, now: Instant): number {
  return inlandEtaAt !== null && msBetween(now, inlandEtaAt) < dayMs ? 2 * hourMs : 6 * hourMs;
}

function pickedUpInterval({ finalFullOutAt }: ContainerProgress, now: Instant): number {
  return finalFullOutAt !== null && msBetween(finalFullOutAt, now) <= 7 * dayMs ? 12 * hourMs : dayMs;
}
