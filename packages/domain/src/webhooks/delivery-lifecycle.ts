import type { Instant } from "../instant.ts";
import { retryAfterMs } from "./retry-after.ts";
import { retryDelayMs } from "./retry-schedule.ts";

/**
 * The life of a delivery: one notification on its way to one webhook endpoint (docs/webhooks/engine.md).
 *
 * ```text
 *  notification committed
 *        │            ┌──── release, lease expired ────┐
 *        ▼            ▼                                │
 *     pending ──── claim ───▶ queued ──── start ───▶ in_flight ──── settle ───▶ delivered  (its row is deleted)
 *        ▲                                             │
 *        ├──────────── settle, reclaim: retry ─────────┤
 *        │                                             ▼
 *        └────────────── resend, recover ─────────── failed ◀── endpoint deleted, backlog limit, held beyond retention
 * ```
 *
 * `retrying` is `pending` after a failed attempt, and `held` is `pending` while the endpoint is paused or disabled.
 */
export const deliveryStates = ["pending", "queued", "in_flight", "retrying", "held", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Stored facts about a delivery and its endpoint. */
export interface DeliveryRecord {
  readonly hasDelivery: boolean;
  readonly nextAttemptAt: Instant | null;
  readonly claim: "queued" | "in_flight" | null;
  /** Attempts since the current retry schedule began. */
  readonly attempts: number;
  readonly isEndpointInactive: boolean;
}

export function deliveryState(record: DeliveryRecord): DeliveryState {
  if (!record.hasDelivery) return "delivered";
  if (record.claim !== null) return record.claim;
  if (record.nextAttemptAt === null) return "failed";
  if (record.isEndpointInactive) return "held";
  return record.attempts > 0 ? "retrying" : "pending";
}

/** The only statuses that count as delivered (docs/contract/specification.md events.3). */
export const successStatuses: readonly number[] = [200, 201, 202, 204];

const gone = 410;
const throttled: readonly number[] = [429, 503];

/** The response to one attempt. `status` is null when none arrived in time. */
export interface DeliveryResponse {
  readonly status: number | null;
  readonly retryAfter?: string | undefined;
}

/** The verdict on one attempt. */
export type AttemptVerdict =
  | { readonly kind: "succeeded" }
  | { readonly kind: "retry"; readonly delayMs: number }
  | { readonly kind: "exhausted" }
  /** 410 Gone: no retry, and the webhook is disabled. */
  | { readonly kind: "gone" };

/**
 * Evaluates an attempt (docs/contract/decisions.md 5).
 * @param scheduleAttempt number of the attempt in the current retry schedule, from 1.
 * @param random from 0 up to but not 1, for the jitter.
 */
export function evaluateAttempt(
  response: DeliveryResponse,
  scheduleAttempt: number,
  random: number,
  now: Instant,
): AttemptVerdict {
  const { status } = response;
  if (status !== null && successStatuses.includes(status)) return { kind: "succeeded" };
  if (status === gone) return { kind: "gone" };
  const delayMs = retryDelayMs(scheduleAttempt, random);
  if (delayMs === null) return { kind: "exhausted" };
  const requestedMs = status !== null && throttled.includes(status) ? retryAfterMs(response.retryAfter, now) : null;
  return { kind: "retry", delayMs: Math.max(delayMs, requestedMs ?? 0) };
}

/** The webhook of an attempt, in its state when the attempt is settled. */
export interface AttemptedWebhook {
  readonly isDeleted: boolean;
  readonly url: string;
}

/** Effect of an attempt's outcome on its delivery. `delayMs` 0 with a new schedule: due at once. */
export type Settlement =
  | { readonly state: "delivered" }
  | { readonly state: "retrying"; readonly delayMs: number; readonly restartsSchedule: boolean }
  | { readonly state: "failed" };

/**
 * Applies a verdict to the current webhook. Nothing is retried for a webhook deleted in the meantime, and 410 from a
 * previous URL leads to an attempt at the current one.
 */
export function settlementOf(verdict: AttemptVerdict, attemptedUrl: string, webhook: AttemptedWebhook): Settlement {
  if (verdict.kind === "succeeded") return { state: "delivered" };
  if (webhook.isDeleted) return { state: "failed" };
  if (verdict.kind === "retry") return { state: "retrying", delayMs: verdict.delayMs, restartsSchedule: false };
  const hasMoved = verdict.kind === "gone" && webhook.url !== attemptedUrl;
  return hasMoved ? { state: "retrying", delayMs: 0, restartsSchedule: true } : { state: "failed" };
}
