import { hasRecoveredMeanwhile } from "@svc/persistence/carrier-connections";
import type { SubjectClaim } from "@svc/persistence/tracking";
import type { PreparedReply } from "../poll/prepared-reply.ts";
import { applyEvents } from "./apply-events.ts";
import {
  applyFailure,
  applyNotConnected,
  applyNotFound,
  applyRateLimited,
  applyRejected,
  continueRetrySchedule,
  makeDueNow,
} from "./apply-no-events.ts";
import { applyTerminalFailure, applyTerminalNotConnected, applyTerminalReply } from "./apply-terminal-reply.ts";
import { openTransaction, type PollEffects, type PollTransaction, type TrackingContext } from "./poll-transaction.ts";
import { type AppliedPoll, settlePoll } from "./settle-poll.ts";

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
      ? continueRetrySchedule(unit, retryAt)
      : await (claim.kind === "terminal_container"
          ? applyTerminalReply(unit, prepared)
          : applyCarrierReply(unit, prepared));
    // The carrier may have returned between the report of the failure and this transaction.
    const hasRecovered =
      unreachableCredential !== null && (await hasRecoveredMeanwhile(unit.sql, unreachableCredential));
    return hasRecovered ? makeDueNow(unit, effects) : effects;
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
    return unit === null ? { kind: "lost" } : settlePoll(unit, () => work(unit), "reschedule");
  });
}
