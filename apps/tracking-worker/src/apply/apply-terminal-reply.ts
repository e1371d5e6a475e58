import { dayMs } from "@svc/domain";
import { deriveShipment } from "@svc/domain/derivation";
import {
  arrivalNoticeInterval,
  type PickupProgress,
  terminalPollInterval,
  trackingProgress,
  trackingRetryDelay,
} from "@svc/domain/tracking";
import { findTerminalShipment, storeCarrierProgress } from "@svc/persistence/tracking";
import type { PreparedReply } from "../poll/prepared-reply.ts";
import { applyRateLimited } from "./apply-no-events.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";
import { recordObservations, storeEvidence } from "./record-observations.ts";
import { writeShipment } from "./write-shipment.ts";

/**
 * Applies a terminal's reply about a container of a tracked shipment. Terminals never end the tracking of a shipment.
 */
export async function applyTerminalReply(
  poll: PollTransaction,
  { reply, evidence }: PreparedReply,
): Promise<PollEffects> {
  const { subject, now } = poll;
  if (reply.outcome === "rate_limited") return applyRateLimited(poll, reply);
  if (evidence === null || (reply.outcome !== "found" && reply.outcome !== "not_found")) {
    const isFirst = subject.consecutiveFailures === 0;
    if (reply.outcome === "unrecognized" && isFirst && evidence?.gzippedBody) await storeEvidence(poll, evidence, 0);
    // A carrier that refuses arrival notices will refuse them again soon.
    const isRefused = reply.outcome !== "unreachable" && poll.context.arrivalNoticesOf(poll.claim.scac) !== null;
    const failed = applyTerminalFailure(poll);
    return isRefused ? { ...failed, ...(await scheduleNextPoll(poll)) } : failed;
  }
  const succeeded = { consecutiveFailures: 0, lastSucceededAt: now, unchangedPolls: subject.unchangedPolls + 1 };
  if (reply.outcome === "not_found") return { ...(await scheduleNextPoll(poll)), change: succeeded };
  if (evidence.gzippedBody === null)
    return { ...(await scheduleNextPoll(poll)), change: { ...succeeded, lastFoundAt: now } };
  const recorded = await recordObservations(poll, reply, evidence);
  const found = { ...succeeded, contentHash: evidence.contentHash, lastFoundAt: now };
  const newFacts = recorded.changes.added.length;
  if (newFacts === 0) return { ...(await scheduleNextPoll(poll)), change: found };
  const derived = deriveShipment(recorded.observations, poll.context.places);
  const shipmentUpdate = await writeShipment(poll, derived, recorded);
  const progress = trackingProgress(derived, recorded.observations);
  await storeCarrierProgress(poll.sql, poll.claim.accountId, shipmentUpdate.written.shipment.id, progress);
  const change = { ...found, lastChangedAt: now, unchangedPolls: 0 };
  return { ...(await scheduleNextPoll(poll)), shipmentUpdate, newFacts, change };
}

/** A terminal that is down is retried for as long as the container is there. */
export function applyTerminalFailure({ subject }: PollTransaction): PollEffects {
  const consecutiveFailures = subject.consecutiveFailures + 1;
  const nextPollInMs = trackingRetryDelay(consecutiveFailures, Number.POSITIVE_INFINITY);
  return { nextPollInMs, requestUpdates: [], change: { consecutiveFailures } };
}

/** No connection polls the terminal, perhaps for a short time only: it is tried daily while the container waits. */
export async function applyTerminalNotConnected({ sql, claim, now }: PollTransaction): Promise<PollEffects> {
  const progress: PickupProgress | null = await findTerminalShipment(sql, claim);
  const isWaiting = progress !== null && terminalPollInterval(progress, now) !== null;
  return { nextPollInMs: isWaiting ? dayMs : null, requestUpdates: [], wasPolled: false };
}

async function scheduleNextPoll({ context, sql, claim, now }: PollTransaction): Promise<PollEffects> {
  const progress: PickupProgress | null = await findTerminalShipment(sql, claim);
  if (progress === null) return { nextPollInMs: null, requestUpdates: [] };
  const isArrivalNotice = context.arrivalNoticesOf(claim.scac) !== null;
  const nextPollInMs = isArrivalNotice ? arrivalNoticeInterval(progress) : terminalPollInterval(progress, now);
  return { nextPollInMs, requestUpdates: [] };
}
