import { addMs, type Instant, msBetween } from "../instant.ts";

/** Deliveries of one webhook that may begin in any second. */
export const rateLimitMax = 10_000;

/** Up to a twentieth of the limit goes at once; one at a time below 20. */
const burstOf = (rateLimit: number): number => 1 + Math.floor(rateLimit / 20);

/**
 * Milliseconds between two deliveries in the long run. What may go at once is taken off the limit, so that a burst followed by
 * the steady pace stays within it, wherever the second begins.
 */
const spacingMs = (rateLimit: number): number => 1_000 / (rateLimit - burstOf(rateLimit) + 1);

const owedMs = (paidUntil: Instant | null, now: Instant): number =>
  paidUntil === null ? 0 : Math.max(0, msBetween(now, paidUntil));

/**
 * How many deliveries the limit admits now.
 * @param paidUntil when all that were admitted so far are paid off; null when there were none.
 */
export function admittedNow(rateLimit: number, paidUntil: Instant | null, now: Instant): number {
  const most = burstOf(rateLimit) - owedMs(paidUntil, now) / spacingMs(rateLimit);
  return Math.max(0, Math.floor(most + 1e-9));
}

/** When they are paid off, once `count` more have been admitted. */
export function paidAfter(rateLimit: number, paidUntil: Instant | null, now: Instant, count: number): Instant {
  return addMs(now, Math.ceil(owedMs(paidUntil, now) + count * spacingMs(rateLimit)));
}

/** Milliseconds until it is worth asking again: half of what goes at once is admitted then, at least one. */
export function admittedInMs(rateLimit: number, paidUntil: Instant | null, now: Instant): number {
  const burst = burstOf(rateLimit);
  return Math.max(0, Math.ceil(owedMs(paidUntil, now) - (burst - Math.ceil(burst / 2)) * spacingMs(rateLimit)));
}
