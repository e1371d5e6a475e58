import type { Instant } from "../instant.ts";
import { retryAfterMs } from "./retry-after.ts";
import { retryDelayMs } from "./retry-schedule.ts";

/** The only answers that count as received (docs/contract/specification.md events.3). */
export const successStatuses: readonly number[] = [200, 201, 202, 204];

const gone = 410;
const throttled: readonly number[] = [429, 503];

/** What came back from one attempt. `status` is null when no answer arrived in time. */
export interface DeliveryAnswer {
  readonly status: number | null;
  readonly retryAfter?: string | undefined;
}

/** What follows from one attempt. */
export type DeliveryVerdict =
  | { readonly outcome: "succeeded" }
  | { readonly outcome: "retry"; readonly delayMs: number }
  | { readonly outcome: "exhausted" }
  /** The endpoint says that it is gone for good: no retry, and the webhook is deactivated. */
  | { readonly outcome: "gone" };

/**
 * Judges attempt number `attemptNumber` (from 1) of a notification (docs/contract/decisions.md 5).
 * @param random from 0 up to but not 1, for the jitter.
 */
export function deliveryVerdict(
  answer: DeliveryAnswer,
  attemptNumber: number,
  random: number,
  now: Instant,
): DeliveryVerdict {
  const { status } = answer;
  if (status !== null && successStatuses.includes(status)) return { outcome: "succeeded" };
  if (status === gone) return { outcome: "gone" };
  const delayMs = retryDelayMs(attemptNumber, random);
  if (delayMs === null) return { outcome: "exhausted" };
  const askedMs = status !== null && throttled.includes(status) ? retryAfterMs(answer.retryAfter, now) : null;
  return { outcome: "retry", delayMs: Math.max(delayMs, askedMs ?? 0) };
}
