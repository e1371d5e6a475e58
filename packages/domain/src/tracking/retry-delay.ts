import { hourMs, minuteMs } from "../instant.ts";

/** How often a carrier that cannot be reached, or not be understood, is asked before a request fails. */
export const trackingTries = 14;
const firstDelayMs = 12 * minuteMs;
const growth = 1.5;
const longestDelayMs = 3 * hourMs;

/**
 * Milliseconds to wait after the given number of failed tries, before jitter; null when no try is left. The fourteen
 * tries lie within about 24 hours (docs/contract/reference.md 4).
 */
export function trackingRetryDelay(failedTries: number, tries = trackingTries): number | null {
  if (failedTries >= tries) return null;
  return Math.min(firstDelayMs * growth ** (failedTries - 1), longestDelayMs);
}

/** How long a bill of lading or booking may stay unknown to the carrier before its request expires. */
export const manifestWindowMs = 7 * 24 * hourMs;
const frequentManifestPolls = 8;

/** Milliseconds until the carrier is asked again for a number that it did not know the given number of times. */
export function manifestPollInterval(timesUnknown: number): number {
  return timesUnknown <= frequentManifestPolls ? 6 * hourMs : 24 * hourMs;
}
