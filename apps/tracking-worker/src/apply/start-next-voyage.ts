import { showsNextVoyage } from "@svc/domain/derivation";
import type { Observation, ObservationDraft } from "@svc/domain/observations";
import { findObservations, startNextSubject } from "@svc/persistence/tracking";
import type { PollEffects, PollTransaction } from "./poll-transaction.ts";

/**
 * A request for a container whose voyage has ended gets a new shipment once the carrier reports the next voyage: the
 * number moves to a new subject, which is due now and has no observations of the old voyage. Null: the reply belongs
 * to the old voyage, whose shipment is resumed.
 */
export async function startNextVoyage(
  poll: PollTransaction,
  drafts: readonly ObservationDraft[],
): Promise<PollEffects | null> {
  const { sql, claim, context, shipment, waiting, now } = poll;
  const hasEnded = shipment !== null && shipment.lineTrackingStoppedAt !== null && shipment.subjectId === claim.id;
  if (claim.kind !== "container" || waiting.length === 0 || !hasEnded) return null;
  const known = await findObservations(sql, claim, shipment.id);
  const reported = drafts.map((draft, index): Observation => ({ ...draft, id: `reported-${index}`, observedAt: now }));
  const earlier = known.map(({ observation }) => observation);
  if (!showsNextVoyage(claim.number, earlier, reported, context.places)) return null;
  const movedTo = await startNextSubject(sql, claim.accountId, claim.id, now);
  return { nextPollInMs: null, requestUpdates: [], movedTo };
}
