import { hourMs, minuteMs } from "../instant.ts";

/** Tries at a carrier that is unreachable or answers unrecognizably before a request fails. */
export const trackingTries = 14;
const firstDelayMs = 12 * minuteMs;
const growth = 1.5;
const delayMaxMs = 3 * hourMs;

/**
 * Milliseconds to wait after the given number of failed tries, before jitter; null when no try is left. The fourteen
 * tries lie within about 24 hours (docs/contract/reference.md 4).
 */
export function trackingRetryDelay(failedTries: number, tries = trackingTries): number | null {
  if (failedTries >= tries) return null;
  return Math.min(firstDelayMs * growth ** (failedTries - 1), delayMaxMs);
}

const frequentManifestPolls = 8;

/** Milliseconds until the next poll of a number that the carrier did not know `timesUnknown` times. */
export function manifestPollInterval(timesUnknown: number): number {
  return timesUnknown <= frequentManifestPolls ? 6 * hourMs : 24 * hourMs;
}
