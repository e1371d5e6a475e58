import { addMs, type Instant } from "@svc/domain";
import {
  findLiveRequests,
  findTerminalShipment,
  findTrackedShipment,
  lockLineOfTerminal,
  lockSubject,
  type Sql,
  type SubjectClaim,
  settleSubject,
} from "@svc/persistence";
import { answerWithFacts, answerWithMessage } from "./answer-with-facts.ts";
import { answerPickupFailed, answerWithPickup } from "./answer-with-pickup.ts";
import {
  answerFailed,
  answerRateLimited,
  answerRefused,
  answerUnconnected,
  answerUnknown,
} from "./answer-without-facts.ts";
import type { PollEffects, PollUnit, TrackingContext } from "./poll-unit.ts";
import type { PreparedReply } from "./prepared-reply.ts";
import type { SubjectMessage } from "./subject-message.ts";
import { tellNews } from "./tell-news.ts";

/** What became of a poll. `lost`: another worker has taken the subject over, and nothing was written. */
export type AppliedPoll =
  | { readonly kind: "lost" }
  | {
      readonly kind: "applied";
      readonly newFacts: number;
      /** Events that somebody is told. */
      readonly told: number;
      readonly nextPollAt: Instant | null;
    };

/** Applies a reply to everything that hangs on its subject, in one transaction: all of it, or nothing. */
export function applyReply(
  context: TrackingContext,
  claim: SubjectClaim,
  prepared: PreparedReply,
): Promise<AppliedPoll> {
  return settleWith(context, claim, (unit) =>
    claim.kind === "terminal_container" ? answerWithPickup(unit, prepared) : answer(unit, prepared),
  );
}

/** Our own fault: what waits is retried, what is tracked is asked again later. */
export function applyInternalFailure(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, (unit) =>
    claim.kind === "terminal_container"
      ? answerPickupFailed(unit)
      : answerFailed(unit, "internal_processing_error", null),
  );
}

/** Nobody is connected to the carrier: what is tracked is fed by imports, and looked at once a day. */
export function applyUnconnected(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, answerUnconnected);
}

/** What came unasked, applied like a reply; when the subject is polled next does not change by it. */
export function applyMessage(
  context: TrackingContext,
  claim: SubjectClaim,
  message: SubjectMessage,
): Promise<AppliedPoll> {
  return settleWith(context, claim, (unit) => answerWithMessage(unit, message));
}

function answer(unit: PollUnit, { reply, evidence }: PreparedReply): Promise<PollEffects> | PollEffects {
  if (reply.outcome === "unreachable" || evidence === null)
    return answerFailed(unit, "shipping_line_unreachable", null);
  switch (reply.outcome) {
    case "found":
      return reply.drafts.length > 0 ? answerWithFacts(unit, reply, evidence) : answerUnknown(unit, evidence);
    case "not_found":
      return answerUnknown(unit, evidence);
    case "rejected":
      return answerRefused(unit, evidence);
    case "unauthorized":
      return answerFailed(unit, "data_unavailable", null);
    case "rate_limited":
      return answerRateLimited(unit, reply);
    case "unrecognized":
      return answerFailed(unit, "unrecognized_response", evidence);
  }
}

function settleWith(
  context: TrackingContext,
  claim: SubjectClaim,
  work: (unit: PollUnit) => Promise<PollEffects> | PollEffects,
): Promise<AppliedPoll> {
  return context.database.transaction(async (sql): Promise<AppliedPoll> => {
    const unit = await openUnit(context, sql, claim);
    if (unit === null) return { kind: "lost" };
    const { now } = unit;
    const isIdle = unit.waiting.length === 0 && !unit.isTracked;
    const effects: PollEffects = isIdle ? { nextPollInMs: null, requestNews: [] } : await work(unit);
    const { nextPollInMs } = effects;
    const nextPollAt = nextPollInMs === null ? null : laterThan(context, now, nextPollInMs);
    const lastAttemptedAt = effects.wasAsked === false ? unit.subject.lastAttemptedAt : now;
    await settleSubject(sql, claim, { ...effects.change, lastAttemptedAt, nextPollAt });
    const told = await tellNews(unit, effects);
    return { kind: "applied", newFacts: effects.newFacts ?? 0, told, nextPollAt };
  });
}

async function openUnit(context: TrackingContext, sql: Sql, claim: SubjectClaim): Promise<PollUnit | null> {
  if (claim.kind === "terminal_container") return openTerminalUnit(context, sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const { accountId, id, scac } = claim;
  const requests = await findLiveRequests(sql, accountId, id);
  const waiting = requests.filter(({ status }) => status !== "created");
  const created = requests.filter(({ status }) => status === "created");
  const normalizedNumbers = waiting.map(({ normalizedNumber }) => normalizedNumber);
  const shipment = await findTrackedShipment(sql, accountId, { subjectId: id, scac, normalizedNumbers });
  const isTracked = shipment !== null && shipment.stoppedAt === null && shipment.subjectId === id;
  return { context, sql, claim, subject, now: context.clock.now(), waiting, created, shipment, isTracked };
}

async function openTerminalUnit(context: TrackingContext, sql: Sql, claim: SubjectClaim): Promise<PollUnit | null> {
  await lockLineOfTerminal(sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const shipment = await findTerminalShipment(sql, claim);
  const isTracked = shipment !== null && shipment.stoppedAt === null;
  return { context, sql, claim, subject, now: context.clock.now(), waiting: [], created: [], shipment, isTracked };
}

/** Never earlier than decided, at most a tenth later: what was due together is not due together again. */
export function laterThan({ random }: TrackingContext, now: Instant, inMs: number): Instant {
  return addMs(now, Math.round(inMs * (1 + random() / 10)));
}
