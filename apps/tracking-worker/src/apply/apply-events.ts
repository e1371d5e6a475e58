import type { FoundReply } from "@svc/carriers";
import { type DerivedShipment, deriveShipment } from "@svc/domain/derivation";
import type { ObservationDraft } from "@svc/domain/observations";
import { trackingProgress } from "@svc/domain/tracking";
import type { SubjectState } from "@svc/persistence/tracking";
import type { Evidence } from "../poll/prepared-reply.ts";
import { advanceRequests, notFoundCount } from "./advance-requests.ts";
import { continueOrStop } from "./continue-or-stop.ts";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";
import { type RecordedObservations, recordObservations } from "./record-observations.ts";
import { startNextVoyage } from "./start-next-voyage.ts";
import { adoptOrCreateShipment, writeShipment } from "./write-shipment.ts";

/** The events of one message for one subject. */
export interface ReceivedEvents {
  readonly channel: "push" | "import" | "edi";
  readonly url: string;
  readonly body: Buffer;
  readonly contentHash: Buffer;
  readonly gzippedBody: Buffer;
  readonly drafts: readonly ObservationDraft[];
}

/** The carrier knows the number and reported events. */
export async function applyEvents(unit: PollTransaction, reply: FoundReply, evidence: Evidence): Promise<PollEffects> {
  const { subject, waiting, now } = unit;
  const succeeded = {
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
    return { ...(await continueOrStop(unit, { ...subject, ...succeeded })), change: succeeded };
  }
  const moved = await startNextVoyage(unit, reply.drafts);
  if (moved !== null) return moved;
  const recorded = await recordObservations(unit, reply, evidence);
  const { changes } = recorded;
  const found = { ...succeeded, contentHash: evidence.contentHash, recheckAt: changes.recheckAt };
  if (changes.added.length === 0 && waiting.length === 0) {
    return { ...(await continueOrStop(unit, { ...subject, ...found })), change: found };
  }
  const derived = deriveShipment(recorded.observations, unit.context.places);
  const change = {
    ...found,
    progress: trackingProgress(derived, recorded.observations),
    lastChangedAt: now,
    unchangedPolls: 0,
  };
  const effects = await applyDerived(unit, derived, recorded, { ...subject, ...change });
  return { ...effects, change: { ...change, ...effects.change }, newFacts: changes.added.length };
}

/**
 * Applies pushed or imported events. A fact that is missing from them is not withdrawn, and the carrier's health is
 * unchanged.
 */
export async function applyReceivedEvents(unit: PollTransaction, message: ReceivedEvents): Promise<PollEffects> {
  const { subject, waiting, now } = unit;
  const { drafts, body: _, ...evidence } = message;
  // The schedule is kept. A live subject without one is polled now.
  const unchanged: PollEffects = { nextPollInMs: 0, requestUpdates: [], wasPolled: false };
  const moved = await startNextVoyage(unit, drafts);
  if (moved !== null) return moved;
  const recorded = await recordObservations(unit, { drafts, skipped: 0 }, { ...evidence, httpStatus: null });
  const { changes } = recorded;
  if (changes.added.length === 0 && waiting.length === 0) return unchanged;
  const derived = deriveShipment(recorded.observations, unit.context.places);
  const isTrackable = unit.isTracked || derived.bookingCancelled || derived.containers.length > 0;
  if (!isTrackable) return { ...unchanged, newFacts: changes.added.length };
  const change = { progress: trackingProgress(derived, recorded.observations), lastChangedAt: now, unchangedPolls: 0 };
  const effects = await applyDerived(unit, derived, recorded, { ...subject, ...change });
  return { ...effects, change: { ...change, ...effects.change }, newFacts: changes.added.length, wasPolled: false };
}

async function applyDerived(
  unit: PollTransaction,
  derived: DerivedShipment,
  recorded: RecordedObservations,
  state: SubjectState,
): Promise<PollEffects> {
  if (unit.isTracked && unit.waiting.length > 0) return adoptOrCreateShipment(unit, derived, recorded);
  if (unit.isTracked) {
    const shipmentUpdate = await writeShipment(unit, derived, recorded);
    return { ...(await continueOrStop(unit, state)), shipmentUpdate };
  }
  if (derived.bookingCancelled) return advanceRequests(unit, { kind: "refused", reason: "booking_cancelled" });
  if (derived.containers.length > 0) return adoptOrCreateShipment(unit, derived, recorded);
  const notFoundPolls = notFoundCount(unit);
  const effects = await advanceRequests(unit, { kind: "without_containers", times: notFoundPolls });
  return { ...effects, change: { notFoundPolls, notFoundSince: unit.subject.notFoundSince ?? unit.now } };
}
