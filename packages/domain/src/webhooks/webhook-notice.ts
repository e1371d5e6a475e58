import { hourMs, type Instant, msBetween } from "../instant.ts";
import type { DeactivationReason, WebhookHealth } from "./webhook-health.ts";

export const noticeKinds = ["failing", "deactivated", "recovered"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** A notice to the account about how a webhook's endpoint answers. */
export interface WebhookNotice {
  readonly id: string;
  readonly webhookId: string;
  readonly url: string;
  readonly kind: NoticeKind;
  /** Of a deactivation. */
  readonly reason: DeactivationReason | null;
  /** The first failure since the last success; null once it recovered. */
  readonly failingSince: Instant | null;
  readonly consecutiveFailures: number;
  /** Of the last attempt; null when no answer came. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly createdAt: Instant;
}

/** Warnings come after it has been failing for so long, a day or more before it can be deactivated. */
const warningsAfterMs = [hourMs, 24 * hourMs, 48 * hourMs];

/** The notices sent so far. */
export interface NoticeState {
  /** Warnings since it began to fail. */
  readonly warnings: number;
  readonly lastNotice: NoticeKind | null;
}

/** The notice that is due, if any, after an attempt left the webhook in this health. */
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
