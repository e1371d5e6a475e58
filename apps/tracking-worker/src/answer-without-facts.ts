import type { CarrierReply } from "@svc/carriers";
import { dayMs, minuteMs, trackingRetryDelay } from "@svc/domain";
import { answerRequests, timesUnknown } from "./answer-requests.ts";
import { goOnOrStop } from "./go-on-or-stop.ts";
import type { PollEffects, PollUnit } from "./poll-unit.ts";
import type { Evidence } from "./prepared-reply.ts";
import { storeEvidence } from "./record-facts.ts";
import type { RequestAnswer, TemporaryReason } from "./request-life-cycle.ts";

const shortestPauseMs = minuteMs;

/** The carrier answers that it does not know the number, or has no event of it. */
export async function answerUnknown(unit: PollUnit, evidence: Evidence): Promise<PollEffects> {
  const { subject, waiting, isTracked, now } = unit;
  const isSameReply = evidence.gzippedBody === null;
  if (!isSameReply) await storeEvidence(unit, evidence, 0);
  const notFoundPolls = timesUnknown(unit);
  const change = {
    consecutiveFailures: 0,
    lastSucceededAt: now,
    unchangedPolls: isSameReply ? subject.unchangedPolls + 1 : 0,
    notFoundSince: subject.notFoundSince ?? now,
    notFoundPolls,
    contentHash: evidence.contentHash,
  };
  const effects =
    waiting.length === 0 && isTracked
      ? await goOnOrStop(unit, { ...subject, ...change })
      : await answerRequests(unit, { kind: "unknown", times: notFoundPolls });
  return { ...effects, change };
}

/** The carrier refuses the number. A shipment that it has known before is asked for again as after a failure. */
export async function answerRefused(unit: PollUnit, evidence: Evidence): Promise<PollEffects> {
  if (unit.isTracked) return tryAgain(unit, "unrecognized_response");
  if (evidence.gzippedBody !== null) await storeEvidence(unit, evidence, 0);
  const effects = await answerRequests(unit, { kind: "refused", reason: "invalid_number" });
  return { ...effects, change: { lastSucceededAt: unit.now, contentHash: evidence.contentHash } };
}

/** No usable answer. The first of several replies that cannot be understood is kept as evidence. */
export async function answerFailed(
  unit: PollUnit,
  reason: TemporaryReason,
  evidence: Evidence | null,
): Promise<PollEffects> {
  if (evidence !== null && evidence.gzippedBody !== null && unit.subject.consecutiveFailures === 0) {
    await storeEvidence(unit, evidence, 0);
  }
  return tryAgain(unit, reason);
}

async function tryAgain(unit: PollUnit, reason: TemporaryReason): Promise<PollEffects> {
  const consecutiveFailures = unit.subject.consecutiveFailures + 1;
  const answer: RequestAnswer = { kind: "no_answer", reason };
  const effects = await answerRequests(unit, answer);
  // A shipment is never given up because its carrier is down: it has no limit of tries.
  const again = unit.isTracked ? trackingRetryDelay(consecutiveFailures, Number.POSITIVE_INFINITY) : null;
  return { ...effects, nextPollInMs: effects.nextPollInMs ?? again, change: { consecutiveFailures } };
}

/** Nobody can ask: requests stay open for imports, and tracking ends by its rules alone. */
export async function answerUnconnected(unit: PollUnit): Promise<PollEffects> {
  const effects = unit.isTracked ? await goOnOrStop(unit, unit.subject) : { nextPollInMs: dayMs, requestNews: [] };
  const isOver = unit.waiting.length === 0 && effects.nextPollInMs === null;
  return { ...effects, nextPollInMs: isOver ? null : dayMs, wasAsked: false };
}

/** The carrier asks for patience, in real time: this is no failure of anything. */
export function answerRateLimited(
  { context }: PollUnit,
  reply: Extract<CarrierReply, { outcome: "rate_limited" }>,
): PollEffects {
  const pauseMs = Math.max(reply.retryAfterMs ?? 0, shortestPauseMs);
  return { nextPollInMs: pauseMs * Math.max(context.clock.scale(), 1), requestNews: [] };
}
