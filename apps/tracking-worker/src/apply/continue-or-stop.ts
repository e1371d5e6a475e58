import { nextPollInterval, shipmentStopReason } from "@svc/domain/tracking";
import { endTerminalQuestions, type SubjectState, stopShipment } from "@svc/persistence/tracking";
import { stopRequests } from "./advance-requests.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";

/**
 * Stops the tracking of a shipment when a rule applies (docs/contract/decisions.md 4, Stop reasons), else schedules a
 * poll.
 */
export async function continueOrStop(unit: PollTransaction, state: SubjectState): Promise<PollEffects> {
  const { context, sql, claim, shipment, now } = unit;
  const { progress, lastChangedAt, createdAt, notFoundPolls, notFoundSince, unchangedPolls } = state;
  if (!unit.isTracked || shipment === null || progress === null) return { nextPollInMs: null, requestUpdates: [] };
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
  await stopShipment(sql, claim.accountId, shipment.id, reason, now);
  await endTerminalQuestions(sql, claim.accountId, shipment.id);
  return { nextPollInMs: null, requestUpdates: await stopRequests(unit), stopped: { at: now, reason } };
}
