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
export async function applyEvents(poll: PollTransaction, reply: FoundReply, evidence: Evidence): Promise<PollEffects> {
  const { subject, waiting, now } = poll;
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
    return { ...(await continueOrStop(poll, { ...subject, ...succeeded })), change: succeeded };
  }
  const moved = await startNextVoyage(poll, reply.drafts);
  if (moved !== null) return moved;
  const recorded = await recordObservations(poll, reply, evidence);
  const { changes } = recorded;
  const found = { ...succeeded, contentHash: evidence.contentHash, recheckAt: changes.recheckAt };
  if (changes.added.length === 0 && waiting.length === 0) {
    return { ...(await continueOrStop(poll, { ...subject, ...found })), change: found };
  }
  const derived = deriveShipment(recorded.observations, poll.context.places);
  const change = {
    ...found,
    progress: trackingProgress(derived, recorded.observations),
    lastChangedAt: now,
    unchangedPolls: 0,
  };
  const effects = await applyDerived(poll, derived, recorded, { ...subject, ...change });
  return { ...effects, change: { ...change, ...effects.change }, newFacts: changes.added.length };
}

/**
 * Applies pushed or imported events. A fact that is missing from them is not withdrawn, and the carrier's health is
 * unchanged.
 */
export async function applyReceivedEvents(poll: PollTransaction, message: ReceivedEvents): Promise<PollEffects> {
  const { subject, waiting, now } = poll;
  const { drafts, body: _, ...evidence } = message;
  // The schedule is kept. A live subject without one is polled now.
  const unchanged: PollEffects = { nextPollInMs: 0, requestUpdates: [], wasPolled: false };
  const moved = await startNextVoyage(poll, drafts);
  if (moved !== null) return moved;
  const recorded = await recordObservations(poll, { drafts, skipped: 0 }, { ...evidence, httpStatus: null });
  const { changes } = recorded;
  if (changes.added.length === 0 && waiting.length === 0) return unchanged;
  const derived = deriveShipment(recorded.observations, poll.context.places);
  const isTrackable = poll.isTracked || derived.bookingCancelled || derived.containers.length > 0;
  if (!isTrackable) return { ...unchanged, newFacts: changes.added.length };
  const change = { progress: trackingProgress(derived, recorded.observations), lastChangedAt: now, unchangedPolls: 0 };
  const effects = await applyDerived(poll, derived, recorded, { ...subject, ...change });
  return { ...effects, change: { ...change, ...effects.change }, newFacts: changes.added.length, wasPolled: false };
}

async function applyDerived(
  poll: PollTransaction,
  derived: DerivedShipment,
  recorded: RecordedObservations,
  state: SubjectState,
): Promise<PollEffects> {
  if (poll.isTracked && poll.waiting.length > 0) return adoptOrCreateShipment(poll, derived, recorded);
  if (poll.isTracked) {
    const shipmentUpdate = await writeShipment(poll, derived, recorded);
    return { ...(await continueOrStop(poll, state)), shipmentUpdate };
  }
  if (derived.bookingCancelled) return advanceRequests(poll, { kind: "refused", reason: "booking_cancelled" });
  if (derived.containers.length > 0) return adoptOrCreateShipment(poll, derived, recorded);
  const notFoundPolls = notFoundCount(poll);
  const effects = await advanceRequests(poll, { kind: "without_containers", times: notFoundPolls });
  return { ...effects, change: { notFoundPolls, notFoundSince: poll.subject.notFoundSince ?? poll.now } };
}
