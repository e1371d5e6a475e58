import { addMs, type Instant } from "@svc/domain";
import { pollJitter } from "@svc/domain/tracking";
import { settleSubject } from "@svc/persistence/tracking";
import { writeNotifications } from "../notify/write-notifications.ts";
import type { PollEffects, PollTransaction, TrackingContext } from "./poll-transaction.ts";

/** The result of a poll. `lost`: another worker has claimed the subject, and nothing was written. */
export type AppliedPoll =
  | { readonly kind: "lost" }
  /** Subject, due now, that tracks the container's next voyage. */
  | { readonly kind: "moved"; readonly subjectId: string }
  | {
      readonly kind: "applied";
      /** False: the subject has neither a waiting request nor a tracked shipment, so nothing was written. */
      readonly isLive: boolean;
      readonly newFacts: number;
      /** Notification events with at least one subscriber. */
      readonly notified: number;
      readonly nextPollAt: Instant | null;
    };

/** Ends the transaction of a poll: runs `work` unless the subject is idle, and writes its effects. */
export async function settlePoll(
  poll: PollTransaction,
  work: () => Promise<PollEffects> | PollEffects,
  schedule: "reschedule" | "keep_schedule",
): Promise<AppliedPoll> {
  const { context, sql, claim, now } = poll;
  const isIdle = poll.waiting.length === 0 && !poll.isTracked;
  const effects: PollEffects = isIdle ? { nextPollInMs: null, requestUpdates: [] } : await work();
  const { nextPollInMs } = effects;
  const scheduledAt = schedule === "keep_schedule" ? poll.subject.nextPollAt : null;
  const nextPollAt = nextPollInMs === null ? null : (scheduledAt ?? withJitter(context, now, nextPollInMs));
  const lastAttemptedAt = effects.wasPolled === false ? poll.subject.lastAttemptedAt : now;
  const retryAt = schedule === "keep_schedule" ? poll.subject.retryAt : null;
  await settleSubject(sql, claim, { retryAt, ...effects.change, lastAttemptedAt, nextPollAt });
  if (effects.movedTo !== undefined) return { kind: "moved", subjectId: effects.movedTo };
  const subject = { ...poll.subject, ...effects.change, lastAttemptedAt };
  const notified = await writeNotifications(poll, effects, subject);
  return { kind: "applied", isLive: !isIdle, newFacts: effects.newFacts ?? 0, notified, nextPollAt };
}

/** Adds jitter, so that subjects that were due at the same time are spread. */
export function withJitter({ random }: TrackingContext, now: Instant, inMs: number): Instant {
  return addMs(now, Math.round(inMs * (1 + random() * pollJitter)));
}
