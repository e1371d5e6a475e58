import { hourMs, type Instant, msBetween } from "../instant.ts";

/** How an endpoint has been answering. Any success clears it. */
export interface WebhookHealth {
  readonly consecutiveFailures: number;
  /** The first failure since the last success. */
  readonly failingSince: Instant | null;
  readonly lastSuccessAt: Instant | null;
}

export type DeactivationReason = "gone" | "failing";

const failingForMs = 72 * hourMs;
const failuresMin = 20;

/** The health after one more attempt that ended at `at`. */
export function healthAfter(health: WebhookHealth, succeeded: boolean, at: Instant): WebhookHealth {
  if (succeeded) return { consecutiveFailures: 0, failingSince: null, lastSuccessAt: at };
  return {
    consecutiveFailures: health.consecutiveFailures + 1,
    failingSince: health.failingSince ?? at,
    lastSuccessAt: health.lastSuccessAt,
  };
}

/**
 * Whether a webhook must stop (docs/contract/decisions.md 5; docs/contract/specification.md events.5): no success for
 * 72 h and at least 20 failed attempts in a row. The 72 h run from the first of those failures, so that a quiet
 * endpoint, whose last success is old because there was nothing to send, is not disabled by an outage of an hour.
 */
export function mustDeactivate(health: WebhookHealth, now: Instant): boolean {
  if (health.failingSince === null) return false;
  return health.consecutiveFailures >= failuresMin && msBetween(health.failingSince, now) >= failingForMs;
}
