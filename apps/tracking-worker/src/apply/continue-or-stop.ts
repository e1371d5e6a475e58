import { hourMs, type Instant, msBetween } from "@svc/domain";
import { withdrawalDelayMs } from "@svc/domain/observations";
import { nextPollInterval, shipmentStopReason } from "@svc/domain/tracking";
import { endTerminalPolling, type SubjectState, stopShipment } from "@svc/persistence/tracking";
import { stopRequests } from "./advance-requests.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";

/** A reply within this time after another one, and after its recheck was due, was the recheck. */
const recheckedWithinMs = hourMs;

/**
 * Stops the tracking of a shipment when a rule applies (docs/contract/decisions.md 4, Stop reasons), else schedules a
 * poll. Before it stops, events that the reply lacks are confirmed as withdrawn by another reply: after a long outage
 * of the carrier one reply may bring a changed voyage and its end.
 */
export async function continueOrStop(poll: PollTransaction, state: SubjectState): Promise<PollEffects> {
  const { context, sql, claim, shipment, now } = poll;
  const { progress, lastChangedAt, createdAt, notFoundPolls, notFoundSince, unchangedPolls } = state;
  if (!poll.isTracked || shipment === null || progress === null) return { nextPollInMs: null, requestUpdates: [] };
  const reason = shipmentStopReason(
    {
      progress,
      cancelledByUser: false,
      lastChangedAt: lastChangedAt ?? createdAt,
      notFoundSince,
      notFoundPolls,
      resumedAt: shipment.lineTrackingResumedAt,
    },
    now,
    context.stopThresholds,
  );
  if (reason === null) return { nextPollInMs: nextPollInterval(progress, now, unchangedPolls), requestUpdates: [] };
  const recheckInMs = recheckBeforeStop(poll.subject, state.recheckAt, now);
  if (recheckInMs !== null) return { nextPollInMs: recheckInMs, requestUpdates: [] };
  await stopShipment(sql, claim.accountId, shipment.id, reason, now);
  await endTerminalPolling(sql, claim.accountId, shipment.id);
  return { nextPollInMs: null, requestUpdates: await stopRequests(poll), stopped: { at: now, reason } };
}

/**
 * Milliseconds until a reply can confirm the withdrawals that are pending; null: none are, or this reply was such a
 * recheck. So a carrier whose replies differ each time cannot keep a shipment tracked.
 * @param before the state before the reply.
 * @param recheckAt after it.
 */
function recheckBeforeStop(before: SubjectState, recheckAt: Instant | null, now: Instant): number | null {
  if (recheckAt === null || recheckAt <= now || msBetween(now, recheckAt) > withdrawalDelayMs) return null;
  const wasDue = before.recheckAt !== null && before.recheckAt <= now;
  const followsClosely = before.lastFoundAt !== null && msBetween(before.lastFoundAt, now) <= recheckedWithinMs;
  return wasDue && followsClosely ? null : msBetween(now, recheckAt);
}
