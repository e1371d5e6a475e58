import type { CarrierReply } from "@svc/carriers";
import { addMs, dayMs, type Instant, minuteMs, msBetween } from "@svc/domain";
import { trackingRetryDelay } from "@svc/domain/tracking";
import type { Evidence } from "../poll/prepared-reply.ts";
import { advanceRequests, notFoundCount } from "./advance-requests.ts";
import { continueOrStop } from "./continue-or-stop.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";
import { storeEvidence } from "./record-observations.ts";
import type { RequestOutcome, TemporaryReason } from "./request-lifecycle.ts";

const pauseMinMs = minuteMs;
/** The longest pause of a carrier's access (docs/carriers.md). */
const pauseMaxMs = dayMs;

/** The carrier does not know the number, or has no event of it. */
export async function applyNotFound(poll: PollTransaction, evidence: Evidence): Promise<PollEffects> {
  const { subject, isTracked, now } = poll;
  const isSameReply = evidence.gzippedBody === null;
  if (!isSameReply) await storeEvidence(poll, evidence, 0);
  const notFoundPolls = notFoundCount(poll);
  const change = {
    consecutiveFailures: 0,
    lastSucceededAt: now,
    unchangedPolls: isSameReply ? subject.unchangedPolls + 1 : 0,
    notFoundSince: subject.notFoundSince ?? now,
    notFoundPolls,
    contentHash: evidence.contentHash,
  };
  const requests = await advanceRequests(poll, { kind: "unknown", times: notFoundPolls });
  if (!isTracked) return { ...requests, change };
  // Requests wait for a tracked shipment where a user resumed it in the meantime: both keep their schedule.
  const tracking = await continueOrStop(poll, { ...subject, ...change });
  return {
    ...tracking,
    nextPollInMs: earlier(requests.nextPollInMs, tracking.nextPollInMs),
    requestUpdates: [...requests.requestUpdates, ...tracking.requestUpdates],
    change,
  };
}

function earlier(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** The carrier rejects the number. A tracked shipment is retried as after a failure. */
export async function applyRejected(poll: PollTransaction, evidence: Evidence): Promise<PollEffects> {
  if (poll.isTracked) return retry(poll, "unrecognized_response");
  if (evidence.gzippedBody !== null) await storeEvidence(poll, evidence, 0);
  const effects = await advanceRequests(poll, { kind: "refused", reason: "invalid_number" });
  return { ...effects, change: { lastSucceededAt: poll.now, contentHash: evidence.contentHash } };
}

/** No usable reply. The first of several consecutive replies that cannot be parsed is stored as evidence. */
export async function applyFailure(
  poll: PollTransaction,
  reason: TemporaryReason,
  evidence: Evidence | null,
): Promise<PollEffects> {
  if (evidence !== null && evidence.gzippedBody !== null && poll.subject.consecutiveFailures === 0) {
    await storeEvidence(poll, evidence, 0);
  }
  return retry(poll, reason);
}

async function retry(poll: PollTransaction, reason: TemporaryReason): Promise<PollEffects> {
  const consecutiveFailures = poll.subject.consecutiveFailures + 1;
  const outcome: RequestOutcome = { kind: "no_reply", reason };
  const effects = await advanceRequests(poll, outcome);
  // A tracked shipment has no retry limit: a carrier outage never ends its tracking.
  const retryInMs = poll.isTracked ? trackingRetryDelay(consecutiveFailures, Number.POSITIVE_INFINITY) : null;
  return { ...effects, nextPollInMs: effects.nextPollInMs ?? retryInMs, change: { consecutiveFailures } };
}

/** The failed poll of a subject that was brought forward: its retry schedule continues as if there had been none. */
export function continueRetrySchedule({ now }: PollTransaction, retryAt: Instant): PollEffects {
  return { nextPollInMs: msBetween(now, retryAt), requestUpdates: [], change: { retryAt } };
}

/** Makes the subject due now after a failed poll whose carrier has recovered meanwhile; its retry schedule is kept. */
export function makeDueNow({ now }: PollTransaction, effects: PollEffects): PollEffects {
  const { nextPollInMs, change } = effects;
  if (nextPollInMs === null) return effects;
  return { ...effects, nextPollInMs: 0, change: { ...change, retryAt: change?.retryAt ?? addMs(now, nextPollInMs) } };
}

/** No connection polls the carrier. Requests stay open for imports, and tracking ends by the stop rules only. */
export async function applyNotConnected(poll: PollTransaction): Promise<PollEffects> {
  const effects = poll.isTracked
    ? await continueOrStop(poll, poll.subject)
    : { nextPollInMs: dayMs, requestUpdates: [] };
  const isOver = poll.waiting.length === 0 && effects.nextPollInMs === null;
  return { ...effects, nextPollInMs: isOver ? null : dayMs, wasPolled: false };
}

/** HTTP 429 or 503 with Retry-After, in real time. It is not a failure and uses up no retry. */
export function applyRateLimited(
  { context }: PollTransaction,
  reply: Extract<CarrierReply, { outcome: "rate_limited" }>,
): PollEffects {
  const pauseMs = Math.min(Math.max(reply.retryAfterMs ?? 0, pauseMinMs), pauseMaxMs);
  return { nextPollInMs: pauseMs * Math.max(context.clock.scale(), 1), requestUpdates: [] };
}
