import type { Instant } from "../instant.ts";
import { isSlowResponse } from "./delivery-lane.ts";
import type { AttemptVerdict } from "./delivery-lifecycle.ts";
import { type DeactivationReason, healthAfter, mustDeactivate, type WebhookHealth } from "./webhook-health.ts";
import { type NoticeKind, type NoticeState, noticeAfter } from "./webhook-notice.ts";

/** Maximum concurrent deliveries to one webhook, reached by additive increase. */
export const endpointConcurrencyMax = 50;

/**
 * After a batch with a failure: halved when it ends in one, else one more. Batches of successes alone are recorded by
 * `recordSuccesses` of persistence, which adds the number of responses.
 */
const concurrencyAfter = (concurrency: number, isFailing: boolean): number =>
  isFailing ? Math.max(1, Math.floor(concurrency / 2)) : Math.min(concurrency + 1, endpointConcurrencyMax);

/** Whether the mean of `durationsMs` makes the endpoint slow; null: unchanged. */
export function isSlowEndpoint(durationsMs: readonly number[]): boolean | null {
  return isSlowResponse(durationsMs.reduce((sum, durationMs) => sum + durationMs, 0) / durationsMs.length);
}

/** An endpoint before its attempts are evaluated. */
export interface Endpoint extends WebhookHealth, NoticeState {
  readonly isActive: boolean;
  readonly url: string;
  readonly concurrency: number;
}

export interface EndpointAttempt {
  readonly verdict: AttemptVerdict;
  readonly url: string;
  readonly durationMs: number;
  readonly httpStatus: number | null;
  /** `not_signed`: no request was made. */
  readonly errorClass: string | null;
}

/** The result of evaluating attempts. */
export interface EndpointEvaluation<Attempt extends EndpointAttempt = EndpointAttempt> {
  readonly health: WebhookHealth;
  readonly concurrency: number;
  /** Null: unchanged. */
  readonly isSlow: boolean | null;
  /** Warnings sent since the endpoint started to fail. */
  readonly warnings: number;
  /** The notice that is due to the account. */
  readonly notice: NoticeKind | null;
  /** Why the webhook must be disabled. */
  readonly deactivation: DeactivationReason | null;
  readonly lastFailure: Attempt | null;
  readonly lastAttempt: Attempt;
}

/** Why an active endpoint must be disabled; null: it stays active. */
function deactivationReason(health: WebhookHealth, isGone: boolean, now: Instant): DeactivationReason | null {
  if (isGone) return "gone";
  return mustDeactivate(health, now) ? "failing" : null;
}

/**
 * Evaluates attempts in the order in which they ended. Attempts at a previous URL, and those that made no request, are
 * ignored.
 * @returns null when no attempt counts.
 */
export function evaluateEndpoint<Attempt extends EndpointAttempt>(
  endpoint: Endpoint,
  attempts: readonly Attempt[],
  now: Instant,
): EndpointEvaluation<Attempt> | null {
  const relevant = attempts.filter(({ url, errorClass }) => url === endpoint.url && errorClass !== "not_signed");
  const lastAttempt = relevant.at(-1);
  if (!lastAttempt) return null;
  const succeeded = ({ verdict }: Attempt): boolean => verdict.kind === "succeeded";
  const health = relevant.reduce<WebhookHealth>(
    (before, attempt) => healthAfter(before, succeeded(attempt), now),
    endpoint,
  );
  const isGone = relevant.some(({ verdict }) => verdict.kind === "gone");
  const deactivation = endpoint.isActive ? deactivationReason(health, isGone, now) : null;
  return {
    ...noticeAfter(health, endpoint, { deactivated: deactivation !== null, now }),
    health,
    concurrency: concurrencyAfter(endpoint.concurrency, health.consecutiveFailures > 0),
    isSlow: isSlowEndpoint(relevant.map(({ durationMs }) => durationMs)),
    deactivation,
    lastFailure: relevant.findLast((attempt) => !succeeded(attempt)) ?? null,
    lastAttempt,
  };
}
