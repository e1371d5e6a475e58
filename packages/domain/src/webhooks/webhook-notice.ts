import { hourMs, type Instant, msBetween } from "../instant.ts";
import type { DeactivationReason, WebhookHealth } from "./webhook-health.ts";

export const noticeKinds = ["failing", "deactivated", "recovered"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice to the account about the health of a webhook endpoint. */
export interface WebhookNotice {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  readonly kind: NoticeKind;
  /** Set for a deactivation. */
  readonly reason: DeactivationReason | null;
  /** The first failure since the last success; null once it recovered. */
  readonly failingSince: Instant | null;
  readonly consecutiveFailures: number;
  /** Status of the last attempt; null without a response. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly createdAt: Instant;
}

/** Warnings are sent after these durations of failure, at least a day before the webhook can be disabled. */
const warningsAfterMs = [hourMs, 24 * hourMs, 48 * hourMs];

/** The notices sent so far. */
export interface NoticeState {
  /** Warnings since the endpoint started to fail. */
  readonly warnings: number;
  readonly lastNotice: NoticeKind | null;
}

/** The notice that is due after an attempt, if any. */
export function noticeAfter(
  health: WebhookHealth,
  sent: NoticeState,
  { deactivated, now }: { readonly deactivated: boolean; readonly now: Instant },
): { readonly notice: NoticeKind | null; readonly warnings: number } {
  const { failingSince } = health;
  if (failingSince === null) {
    const bad = sent.lastNotice === "failing" || sent.lastNotice === "deactivated";
    return { notice: bad ? "recovered" : null, warnings: 0 };
  }
  const warnings = warningsAfterMs.filter((afterMs) => msBetween(failingSince, now) >= afterMs).length;
  if (deactivated) return { notice: "deactivated", warnings };
  return { notice: warnings > sent.warnings ? "failing" : null, warnings };
}
