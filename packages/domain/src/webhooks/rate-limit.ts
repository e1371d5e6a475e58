import { addMs, type Instant, msBetween } from "../instant.ts";

/** Deliveries of one webhook that may start in any second. */
export const rateLimitMax = 10_000;

/** Burst: a twentieth of the limit; 1 below 20. */
const burstSize = (rateLimit: number): number => 1 + Math.floor(rateLimit / 20);

/**
 * GCRA emission interval in milliseconds. The burst is subtracted from the limit, so that a burst followed by the
 * steady rate stays within the limit in any one-second window.
 */
const emissionIntervalMs = (rateLimit: number): number => 1_000 / (rateLimit - burstSize(rateLimit) + 1);

const aheadMs = (tat: Instant | null, now: Instant): number => (tat === null ? 0 : Math.max(0, msBetween(now, tat)));

/**
 * How many deliveries conform to the limit now (GCRA).
 * @param tat theoretical arrival time of the next delivery; null when there was none.
 */
export function conformingNow(rateLimit: number, tat: Instant | null, now: Instant): number {
  const count = burstSize(rateLimit) - aheadMs(tat, now) / emissionIntervalMs(rateLimit);
  return Math.max(0, Math.floor(count + 1e-9));
}

/** The theoretical arrival time after `count` more deliveries. */
export function tatAfter(rateLimit: number, tat: Instant | null, now: Instant, count: number): Instant {
  return addMs(now, Math.ceil(aheadMs(tat, now) + count * emissionIntervalMs(rateLimit)));
}

/** Milliseconds until half of a burst conforms, at least one delivery. */
export function conformsInMs(rateLimit: number, tat: Instant | null, now: Instant): number {
  const burst = burstSize(rateLimit);
  return Math.max(0, Math.ceil(aheadMs(tat, now) - (burst - Math.ceil(burst / 2)) * emissionIntervalMs(rateLimit)));
}
