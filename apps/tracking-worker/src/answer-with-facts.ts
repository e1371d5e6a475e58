import type { FoundReply } from "@svc/carriers";
import { type DerivedShipment, deriveShipment, trackingProgress } from "@svc/domain";
import type { SubjectState } from "@svc/persistence";
import { answerRequests, timesUnknown } from "./answer-requests.ts";
import { goOnOrStop } from "./go-on-or-stop.ts";
import type { PollEffects, PollUnit } from "./poll-unit.ts";
import type { Evidence } from "./prepared-reply.ts";
import { recordFacts } from "./record-facts.ts";
import { adoptOrCreateShipment, writeShipment } from "./write-shipment.ts";

/** The carrier knows the number and told facts. */
export async function answerWithFacts(unit: PollUnit, reply: FoundReply, evidence: Evidence): Promise<PollEffects> {
  const { subject, waiting, now } = unit;
  const heard = {
    consecutiveFailures: 0,
    notFoundSince: null,
    notFoundPolls: 0,
    lastSucceededAt: now,
    lastFoundAt: now,
    unchangedPolls: subject.unchangedPolls + 1,
  };
  const isSameReply = evidence.gzippedBody === null;
  const isRecheckDue = subject.recheckAt !== null && subject.recheckAt <= now;
  if (isSameReply && waiting.length === 0 && !isRecheckDue) {
    return { ...(await goOnOrStop(unit, { ...subject, ...heard })), change: heard };
  }
  const { observations, changes } = await recordFacts(unit, reply, evidence);
  const recorded = { ...heard, contentHash: evidence.contentHash, recheckAt: changes.recheckAt };
  if (changes.added.length === 0 && waiting.length === 0) {
    return { ...(await goOnOrStop(unit, { ...subject, ...recorded })), change: recorded };
  }
  const derived = deriveShipment(observations, unit.context.places);
  const change = { ...recorded, progress: trackingProgress(derived), lastChangedAt: now, unchangedPolls: 0 };
  const effects = await applyDerived(unit, derived, { ...subject, ...change });
  return { ...effects, change: { ...change, ...effects.change }, newFacts: changes.added.length };
}

async function applyDerived(unit: PollUnit, derived: DerivedShipment, state: SubjectState): Promise<PollEffects> {
  if (unit.isTracked) {
    const shipmentNews = await writeShipment(unit, derived);
    return { ...(await goOnOrStop(unit, state)), shipmentNews };
  }
  if (derived.bookingCancelled) return answerRequests(unit, { kind: "refused", reason: "booking_cancelled" });
  if (derived.containers.length > 0) return adoptOrCreateShipment(unit, derived);
  const notFoundPolls = timesUnknown(unit);
  const effects = await answerRequests(unit, { kind: "unknown", times: notFoundPolls });
  return { ...effects, change: { notFoundPolls, notFoundSince: unit.subject.notFoundSince ?? unit.now } };
}
