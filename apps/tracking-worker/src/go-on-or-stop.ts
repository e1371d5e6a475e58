import { nextPollInterval, shipmentStopReason } from "@svc/domain";
import { endTerminalQuestions, type SubjectState, stopShipment } from "@svc/persistence";
import { stopRequests } from "./answer-requests.ts";
import type { PollEffects, PollUnit } from "./poll-unit.ts";

/** Ends the tracking of a shipment when a rule says so (contract-decisions.md 4, Stop reasons), else asks again later. */
export async function goOnOrStop(unit: PollUnit, state: SubjectState): Promise<PollEffects> {
  const { context, sql, claim, shipment, now } = unit;
  const { progress, lastChangedAt, createdAt, notFoundPolls, notFoundSince, unchangedPolls } = state;
  if (!unit.isTracked || shipment === null || progress === null) return { nextPollInMs: null, requestNews: [] };
  const reason = shipmentStopReason(
    {
      progress,
      cancelledByUser: false,
      lastChangedAt: lastChangedAt ?? createdAt,
      notFoundSince,
      notFoundPolls,
      resumedAt: shipment.resumedAt,
    },
    now,
    context.stopThresholds,
  );
  if (reason === null) return { nextPollInMs: nextPollInterval(progress, now, unchangedPolls), requestNews: [] };
  await stopShipment(sql, claim.accountId, shipment.id, reason, now);
  await endTerminalQuestions(sql, claim.accountId, shipment.id);
  return { nextPollInMs: null, requestNews: await stopRequests(unit) };
}
