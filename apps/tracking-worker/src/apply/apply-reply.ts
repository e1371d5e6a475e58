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
  return settleWith(context, claim, async (poll) => {
    const { retryAt } = poll.subject;
    const failedEarly = isTry(prepared) && retryAt !== null && retryAt > poll.now;
    const effects = failedEarly
      ? continueRetrySchedule(poll, retryAt)
      : await (claim.kind === "terminal_container"
          ? applyTerminalReply(poll, prepared)
          : applyCarrierReply(poll, prepared));
    // The carrier may have returned between the report of the failure and this transaction.
    const hasRecovered =
      unreachableCredential !== null && (await hasRecoveredMeanwhile(poll.sql, unreachableCredential));
    return hasRecovered ? makeDueNow(poll, effects) : effects;
  });
}

/** An internal error: waiting requests and tracked shipments are retried. */
export function settleInternalFailure(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, (poll) =>
    claim.kind === "terminal_container"
      ? applyTerminalFailure(poll)
      : applyFailure(poll, "internal_processing_error", null),
  );
}

/** No connection polls the carrier: the shipment depends on imports, and the stop rules are evaluated daily. */
export function settleNotConnected(context: TrackingContext, claim: SubjectClaim): Promise<AppliedPoll> {
  return settleWith(context, claim, (poll) =>
    claim.kind === "terminal_container" ? applyTerminalNotConnected(poll) : applyNotConnected(poll),
  );
}

/** Whether the retry schedule counts the reply as a failed try. */
const isTry = ({ reply }: PreparedReply): boolean =>
  reply.outcome === "unreachable" || reply.outcome === "unauthorized" || reply.outcome === "unrecognized";

function applyCarrierReply(
  poll: PollTransaction,
  { reply, evidence }: PreparedReply,
): Promise<PollEffects> | PollEffects {
  if (reply.outcome === "unreachable" || evidence === null)
    return applyFailure(poll, "shipping_line_unreachable", null);
  switch (reply.outcome) {
    case "found":
      return reply.drafts.length > 0 ? applyEvents(poll, reply, evidence) : applyNotFound(poll, evidence);
    case "not_found":
      return applyNotFound(poll, evidence);
    case "rejected":
      return applyRejected(poll, evidence);
    case "unauthorized":
      return applyFailure(poll, "data_unavailable", null);
    case "rate_limited":
      return applyRateLimited(poll, reply);
    case "unrecognized":
      return applyFailure(poll, "unrecognized_response", evidence);
  }
}

function settleWith(
  context: TrackingContext,
  claim: SubjectClaim,
  work: (poll: PollTransaction) => Promise<PollEffects> | PollEffects,
): Promise<AppliedPoll> {
  return context.database.transaction(async (sql): Promise<AppliedPoll> => {
    const poll = await openTransaction(context, sql, claim);
    return poll === null ? { kind: "lost" } : settlePoll(poll, () => work(poll), "reschedule");
  });
}
