import { dayMs, hourMs, minuteMs } from "../instant.ts";

/** Waits after the first, second, … failed attempt, in milliseconds (docs/contract/decisions.md 5). */
export const retryDelaysMs: readonly number[] = [
  5_000,
  30_000,
  2 * minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  8 * hourMs,
  12 * hourMs,
  dayMs,
];

/** The first attempt and its twelve retries (docs/contract/specification.md events.4). */
export const attemptsMax = retryDelaysMs.length + 1;

const jitterShare = 0.2;

/**
 * How long to wait after attempt number `attemptNumber` (from 1) failed, in whole milliseconds; null when it was the
 * last.
 * @param random from 0 up to but not 1. It spreads the wait by ±20 %, so that endpoints that failed together do not
 * come back together.
 */
export function retryDelayMs(attemptNumber: number, random: number): number | null {
  const delayMs = retryDelaysMs[attemptNumber - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitterShare + 2 * jitterShare * random));
}
