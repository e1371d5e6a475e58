import { createHash } from "node:crypto";
import {
  dayMs,
  type Instant,
  minuteMs,
  msBetween,
  type Observation,
  type ObservationDraft,
  type PlaceDirectory,
} from "@svc/domain";
import type { KnownObservation, NewObservation } from "@svc/persistence";

/** Carriers flap: what a single reply lacks is often in the next one. */
const missingForMs = 30 * minuteMs;
/** Carriers purge what is long past: that old facts are gone says nothing. */
const purgedAfterMs = 30 * dayMs;

/** What a complete reply adds to, and takes from, the facts that are known of its subject. */
export interface FactChanges {
  /** New facts, and retractions of those that stayed away. */
  readonly added: readonly NewObservation[];
  readonly missing: readonly { readonly id: string; readonly missingSince: Instant | null }[];
  readonly withdrawnIds: readonly string[];
  /** The earliest time since which a fact is missing that is not withdrawn yet; null when none is. */
  readonly missingSince: Instant | null;
}

export interface FactContext {
  /** False: some of the reply could not be read, so what it lacks means nothing. */
  readonly isComplete: boolean;
  readonly observedAt: Instant;
  readonly places: PlaceDirectory;
  readonly nextId: () => string;
}

/** Everything that a fact says. The id of the message is not part of it: lines repeat facts under new ids. */
export function valueHashOf({ sourceEventId: _, ...fact }: ObservationDraft): string {
  return createHash("sha256").update(canonicalJson(fact)).digest("hex");
}

/** The same text for equal values, whatever the order of their keys: drafts that were stored come back reordered. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/**
 * Whether a reply still says something: coarser than `valueHashOf`, because a line that only restates or completes a fact
 * does not withdraw it.
 */
function presenceKey(fact: ObservationDraft, places: PlaceDirectory): string {
  const { code, classifier, eventAt, containerNumber, isEmpty, documentId, place } = fact;
  const where = place.locode === null ? place.name?.trim().toUpperCase() : places.canonicalLocode(place.locode);
  return JSON.stringify([code, classifier, eventAt, containerNumber, isEmpty, documentId, where]);
}

/** The retraction of a fact that the source stopped stating: it has no time and no message of its own. */
function retractionOf(known: KnownObservation, { observedAt, nextId }: FactContext): NewObservation {
  const observation = {
    ...known.observation,
    id: nextId(),
    observedAt,
    statedAt: null,
    sourceEventId: null,
    retracted: true,
  };
  return { observation, valueHash: createHash("sha256").update(`retraction of ${known.observation.id}`).digest("hex") };
}

/** Compares a reply with the facts that are known of its subject. */
export function compareFacts(
  known: readonly KnownObservation[],
  drafts: readonly ObservationDraft[],
  context: FactContext,
): FactChanges {
  const { isComplete, observedAt, places, nextId } = context;
  const live = known.filter(({ withdrawnAt }) => withdrawnAt === null);
  const knownHashes = new Set(live.map(({ valueHash }) => valueHash));
  const added: NewObservation[] = [];
  for (const draft of drafts) {
    const valueHash = valueHashOf(draft);
    if (knownHashes.has(valueHash)) continue;
    knownHashes.add(valueHash);
    added.push({ valueHash, observation: { ...draft, id: nextId(), observedAt } satisfies Observation });
  }
  if (!isComplete || drafts.length === 0) {
    return {
      added,
      missing: [],
      withdrawnIds: [],
      missingSince: earliest(live.map(({ missingSince }) => missingSince)),
    };
  }
  const present = new Set(drafts.map((draft) => presenceKey(draft, places)));
  const missing: { id: string; missingSince: Instant | null }[] = [];
  const withdrawnIds: string[] = [];
  const stillMissing: Instant[] = [];
  for (const fact of live) {
    const { observation, missingSince } = fact;
    if (observation.retracted) continue;
    if (present.has(presenceKey(observation, places))) {
      if (missingSince !== null) missing.push({ id: observation.id, missingSince: null });
    } else if (msBetween(observation.eventAt, observedAt) > purgedAfterMs) {
      // Nothing is noted: the fact holds for good.
    } else if (missingSince === null) {
      missing.push({ id: observation.id, missingSince: observedAt });
      stillMissing.push(observedAt);
    } else if (msBetween(missingSince, observedAt) >= missingForMs) {
      withdrawnIds.push(observation.id);
      added.push(retractionOf(fact, context));
    } else {
      stillMissing.push(missingSince);
    }
  }
  return { added, missing, withdrawnIds, missingSince: earliest(stillMissing) };
}

/** Whether facts are missing for so long that an equal reply is the confirmation. */
export function isConfirmationDue(missingSince: Instant | null, now: Instant): boolean {
  return missingSince !== null && msBetween(missingSince, now) >= missingForMs;
}

function earliest(times: readonly (Instant | null)[]): Instant | null {
  return times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);
}
