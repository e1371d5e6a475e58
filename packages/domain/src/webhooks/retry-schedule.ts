import { dayMs, hourMs, minuteMs } from "../instant.ts";

/** Delays after the first, second, … failed attempt, in milliseconds (docs/contract/decisions.md 5). */
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
 * Delay after failed attempt number `attemptNumber` (from 1), in whole milliseconds; null after the last.
 * @param random in [0, 1), for a jitter of ±20 % that spreads simultaneous retries.
 */
export function retryDelayMs(attemptNumber: number, random: number): number | null {
  const delayMs = retryDelaysMs[attemptNumber - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 - jitterShare + 2 * jitterShare * random));
}
