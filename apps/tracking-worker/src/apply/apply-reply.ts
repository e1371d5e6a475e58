import { addMs, hourMs, type Instant, msBetween } from "@svc/domain";
import { pollJitter } from "@svc/domain/tracking";
import type { Sql } from "@svc/persistence";
import { hasRecoveredMeanwhile } from "@svc/persistence/carrier-connections";
import {
  claimSubjects,
  findLiveRequests,
  findTerminalShipment,
  findTrackedShipment,
  lockLineOfTerminal,
  lockSubject,
  releaseSubject,
  type SubjectClaim,
  type SubjectState,
  settleSubject,
} from "@svc/persistence/tracking";
import { writeNotifications } from "../notify/write-notifications.ts";
import type { PreparedReply } from "../poll/prepared-reply.ts";
import type { ReceivedEvents } from "./apply-events.ts";
import { applyEvents, applyReceivedEvents } from "./apply-events.ts";
import {
  applyFailure,
  applyNotConnected,
  applyNotFound,
  applyRateLimited,
  applyRejected,
  keepRetrySchedule,
  pollAgain,
} from "./apply-no-events.ts";
import { applyTerminalFailure, applyTerminalNotConnected, applyTerminalReply } from "./apply-terminal-reply.ts";
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

/**
 * Applies a reply to its subject, the requests and the shipment in one transaction.
 * @param unreachableCredential the credential of a carrier that the poll did not reach; null: it answered.
 */
export function applyReply(
  context: TrackingContext,
  claim: SubjectClaim,
  prepared: PreparedReply,
  unreachableCredential: string | null,
): Promise<AppliedPoll> {
  return settleWith(context, claim, async (unit) => {
    const { retryAt } = unit.subject;
    const failedEarly = isTry(prepared) && retryAt !== null && retryAt > unit.now;
    const effects = failedEarly
      ? keepRetrySchedule(unit, retryAt)
      : await (claim.kind === "terminal_container"
          ? applyTerminalReply(unit, prepared)
          : applyCarrierReply(unit, prepared));
    // The carrier may have returned between the report of the failure and this transaction.
    const hasRecovered =
      unreachableCredential !== null && (await hasRecoveredMeanwhile(unit.sql, unreachableCredential));
    return hasRecovered ? pollAgain(unit, effects) : effects;
  });
}

/** An internal error: waiting requests and tracked shipments are retried. */
export function settleInternalFailure(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, (unit) =>
    claim.kind === "terminal_container"
      ? applyTerminalFailure(unit)
      : applyFailure(unit, "internal_processing_error", null),
  );
}

/** No connection polls the carrier: the shipment depends on imports, and the stop rules are evaluated daily. */
export function settleNotConnected(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, (unit) =>
    claim.kind === "terminal_container" ? applyTerminalNotConnected(unit) : applyNotConnected(unit),
  );
}

/**
 * Applies events that were pushed, imported or sent to several subjects of an account in one transaction: their
 * statements share round trips, and one commit. The times of the next polls do not change.
 * @param received by the id of the subject.
 * @returns by the id of the subject. Absent are subjects that another worker has claimed, and those with the shipment
 * or the number of another one: what one of them writes the other must have read.
 */
export function applyMessage(
  context: TrackingContext,
  accountId: string,
  received: ReadonlyMap<string, ReceivedEvents>,
  lease: { readonly owner: string; readonly leaseMs: number },
): Promise<ReadonlyMap<string, AppliedPoll>> {
  return context.database.transaction(async (sql) => {
    const claims = await claimSubjects(sql, accountId, [...received.keys()], lease);
    const opened = await allOf(claims.map((claim) => openTransaction(context, sql, claim)));
    const units = independentOf(opened.filter((unit) => unit !== null));
    const claimed = new Set(units.map(({ claim }) => claim.id));
    await allOf(claims.filter(({ id }) => !claimed.has(id)).map((claim) => releaseSubject(sql, claim)));
    const applied = await allOf(
      units.map(async (unit) => {
        const { id } = unit.claim;
        const message = received.get(id);
        if (message === undefined) throw new Error(`The subject ${id} was claimed without events.`);
        return [id, await settle(unit, () => applyReceivedEvents(unit, message), "keep_schedule")] as const;
      }),
    );
    return new Map(applied);
  });
}

/** Waits for all of them, even if one fails: a statement after the rollback would be outside the transaction. */
async function allOf<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}

/** The units of which no two have a shipment, or the number of a shipment to be created, in common. */
function independentOf(units: readonly PollTransaction[]): PollTransaction[] {
  const seen = new Set<string>();
  return units.filter(({ claim, shipment, waiting }) => {
    const numbers = waiting.map(({ normalizedNumber }) => `${claim.scac} ${normalizedNumber}`);
    const keys = shipment === null ? numbers : [shipment.id, ...numbers];
    const isIndependent = keys.every((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return isIndependent;
  });
}

/** Whether the retry schedule counts the reply as a failed try. */
const isTry = ({ reply }: PreparedReply): boolean =>
  reply.outcome === "unreachable" || reply.outcome === "unauthorized" || reply.outcome === "unrecognized";

function applyCarrierReply(
  unit: PollTransaction,
  { reply, evidence }: PreparedReply,
): Promise<PollEffects> | PollEffects {
  if (reply.outcome === "unreachable" || evidence === null)
    return applyFailure(unit, "shipping_line_unreachable", null);
  switch (reply.outcome) {
    case "found":
      return reply.drafts.length > 0 ? applyEvents(unit, reply, evidence) : applyNotFound(unit, evidence);
    case "not_found":
      return applyNotFound(unit, evidence);
    case "rejected":
      return applyRejected(unit, evidence);
    case "unauthorized":
      return applyFailure(unit, "data_unavailable", null);
    case "rate_limited":
      return applyRateLimited(unit, reply);
    case "unrecognized":
      return applyFailure(unit, "unrecognized_response", evidence);
  }
}

function settleWith(
  context: TrackingContext,
  claim: SubjectClaim,
  work: (unit: PollTransaction) => Promise<PollEffects> | PollEffects,
): Promise<AppliedPoll> {
  return context.database.transaction(async (sql): Promise<AppliedPoll> => {
    const unit = await openTransaction(context, sql, claim);
    return unit === null ? { kind: "lost" } : settle(unit, () => work(unit), "reschedule");
  });
}

async function settle(
  unit: PollTransaction,
  work: () => Promise<PollEffects> | PollEffects,
  schedule: "reschedule" | "keep_schedule",
): Promise<AppliedPoll> {
  const { context, sql, claim, now } = unit;
  const isIdle = unit.waiting.length === 0 && !unit.isTracked;
  const effects: PollEffects = isIdle ? { nextPollInMs: null, requestUpdates: [] } : await work();
  const { nextPollInMs } = effects;
  const scheduledAt = schedule === "keep_schedule" ? unit.subject.nextPollAt : null;
  const nextPollAt = nextPollInMs === null ? null : (scheduledAt ?? withJitter(context, now, nextPollInMs));
  const lastAttemptedAt = effects.wasPolled === false ? unit.subject.lastAttemptedAt : now;
  const retryAt = schedule === "keep_schedule" ? unit.subject.retryAt : null;
  await settleSubject(sql, claim, { retryAt, ...effects.change, lastAttemptedAt, nextPollAt });
  if (effects.movedTo !== undefined) return { kind: "moved", subjectId: effects.movedTo };
  const subject = { ...unit.subject, ...effects.change, lastAttemptedAt };
  const notified = await writeNotifications(unit, effects, subject);
  return { kind: "applied", isLive: !isIdle, newFacts: effects.newFacts ?? 0, notified, nextPollAt };
}

async function openTransaction(
  context: TrackingContext,
  sql: Sql,
  claim: SubjectClaim,
): Promise<PollTransaction | null> {
  if (claim.kind === "terminal_container") return openTerminalTransaction(context, sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const { accountId, id, scac } = claim;
  const requests = await findLiveRequests(sql, accountId, id);
  const waiting = requests.filter(({ status }) => status !== "created");
  const created = requests.filter(({ status }) => status === "created");
  const normalizedNumbers = waiting.map(({ normalizedNumber }) => normalizedNumber);
  const shipment = await findTrackedShipment(sql, accountId, { subjectId: id, scac, normalizedNumbers });
  const isTracked = shipment !== null && shipment.lineTrackingStoppedAt === null && shipment.subjectId === id;
  return { context, sql, claim, subject, now: timeAfter(subject, context), waiting, created, shipment, isTracked };
}

async function openTerminalTransaction(
  context: TrackingContext,
  sql: Sql,
  claim: SubjectClaim,
): Promise<PollTransaction | null> {
  await lockLineOfTerminal(sql, claim);
  const subject = await lockSubject(sql, claim);
  if (subject === null) return null;
  const shipment = await findTerminalShipment(sql, claim);
  const isTracked = shipment !== null && shipment.lineTrackingStoppedAt === null;
  const now = timeAfter(subject, context);
  return { context, sql, claim, subject, now, waiting: [], created: [], shipment, isTracked };
}

/** Larger differences are an error of a clock, which later transactions must not take over. */
const clockSkewMaxMs = hourMs;

/** The time of a transaction: not before the previous one of its subject, whose worker's clock may have been ahead. */
function timeAfter({ lastAttemptedAt, lastChangedAt }: SubjectState, { clock }: TrackingContext): Instant {
  const now = clock.now();
  const previous = [lastAttemptedAt, lastChangedAt]
    .flatMap((at) => at ?? [])
    .toSorted()
    .at(-1);
  return previous !== undefined && previous > now && msBetween(now, previous) <= clockSkewMaxMs ? previous : now;
}

/** Adds jitter, so that subjects that were due at the same time are spread. */
export function withJitter({ random }: TrackingContext, now: Instant, inMs: number): Instant {
  return addMs(now, Math.round(inMs * (1 + random() * pollJitter)));
}
