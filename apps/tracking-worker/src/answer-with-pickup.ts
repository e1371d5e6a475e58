import {
  deriveShipment,
  type PickupProgress,
  terminalPollInterval,
  trackingProgress,
  trackingRetryDelay,
} from "@svc/domain";
import { findTerminalShipment, keepLineProgress } from "@svc/persistence";
import { answerRateLimited } from "./answer-without-facts.ts";
import type { PollEffects, PollUnit } from "./poll-unit.ts";
import type { PreparedReply } from "./prepared-reply.ts";
import { recordFacts, storeEvidence } from "./record-facts.ts";
import { writeShipment } from "./write-shipment.ts";

/** A terminal was asked about a container of a tracked shipment. Its silence never ends the tracking of the shipment. */
export async function answerWithPickup(unit: PollUnit, { reply, evidence }: PreparedReply): Promise<PollEffects> {
  const { subject, now } = unit;
  if (reply.outcome === "rate_limited") return answerRateLimited(unit, reply);
  if (evidence === null || (reply.outcome !== "found" && reply.outcome !== "not_found")) {
    const isFirst = subject.consecutiveFailures === 0;
    if (reply.outcome === "unrecognized" && isFirst && evidence?.gzippedBody) await storeEvidence(unit, evidence, 0);
    return answerPickupFailed(unit);
  }
  const heard = { consecutiveFailures: 0, lastSucceededAt: now, unchangedPolls: subject.unchangedPolls + 1 };
  if (reply.outcome === "not_found" || evidence.gzippedBody === null)
    return { ...(await askAgain(unit)), change: heard };
  const { observations, changes } = await recordFacts(unit, reply, evidence);
  const found = { ...heard, contentHash: evidence.contentHash, lastFoundAt: now };
  if (changes.added.length === 0) return { ...(await askAgain(unit)), change: found };
  const derived = deriveShipment(observations, unit.context.places);
  const shipmentNews = await writeShipment(unit, derived);
  await keepLineProgress(unit.sql, unit.claim.accountId, shipmentNews.shipmentId, trackingProgress(derived));
  const change = { ...found, lastChangedAt: now, unchangedPolls: 0 };
  return { ...(await askAgain(unit)), shipmentNews, newFacts: changes.added.length, change };
}

/** A terminal that is down is asked again for as long as its container is there. */
export function answerPickupFailed({ subject }: PollUnit): PollEffects {
  const consecutiveFailures = subject.consecutiveFailures + 1;
  const nextPollInMs = trackingRetryDelay(consecutiveFailures, Number.POSITIVE_INFINITY);
  return { nextPollInMs, requestNews: [], change: { consecutiveFailures } };
}

async function askAgain({ sql, claim, now }: PollUnit): Promise<PollEffects> {
  const progress: PickupProgress | null = await findTerminalShipment(sql, claim);
  return { nextPollInMs: progress === null ? null : terminalPollInterval(progress, now), requestNews: [] };
}
