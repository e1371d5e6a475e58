import { hourMs, type Instant, msBetween } from "../instant.ts";

/** Failures of an endpoint since its last success. */
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
 * Whether a webhook must be disabled (docs/contract/decisions.md 5; docs/contract/specification.md events.5): no
 * success for 72 h and at least 20 consecutive failures. The 72 h start at the first of these failures, so that an
 * outage of an hour does not disable an endpoint whose last success is old because there was nothing to send.
 */
export function mustDeactivate(health: WebhookHealth, now: Instant): boolean {
  if (health.failingSince === null) return false;
  return health.consecutiveFailures >= failuresMin && msBetween(health.failingSince, now) >= failingForMs;
}
