import type { StoredReplyReader } from "@svc/carriers";
import { canonicalJson, type Instant, omit } from "@svc/domain";
import type { PlaceDirectory } from "@svc/domain/derivation";
import {
  type KnownObservation,
  type Observation,
  type ObservationChanges,
  type ObservationDraft,
  planObservationChanges,
  type ReplyChannel,
} from "@svc/domain/observations";
import { type Sql, uuidV7 } from "@svc/persistence";
import {
  type ArchivedBodyReader,
  type ReplaySubject,
  readSubjectReplies,
  type StoredReply,
} from "@svc/persistence/replay";
import { hashValues } from "@svc/persistence/tracking";
import type { Difference } from "./difference.ts";

export interface ReplayedSubject {
  /** Observations that follow from the stored replies; with the ids of those that are stored. */
  readonly observations: readonly Observation[];
  readonly differences: readonly Difference[];
  /** False: no connection reads its replies any more, and the stored observations were taken as they are. */
  readonly isReadAgain: boolean;
}

interface Reading {
  readonly reply: StoredReply;
  readonly drafts: readonly ObservationDraft[];
  readonly isComplete: boolean;
}

/** Reads what an account imported: facts, those of an EDI file each with its place in the file (`source`). */
function readImported(body: Uint8Array): { readonly drafts: readonly ObservationDraft[]; readonly skipped: number } {
  const facts = JSON.parse(new TextDecoder().decode(body)) as (ObservationDraft & { readonly source?: unknown })[];
  return { drafts: facts.map(({ source: _, ...draft }) => draft), skipped: 0 };
}

/**
 * Reads the stored replies of a subject again in order of receipt, and compares the result with the stored
 * observations. A reply that was repeated byte for byte is stored once. The times of the observations derived from it
 * show when it was received again: facts that were no longer reported, and actual times that had been in the future.
 */
export async function replaySubject(
  sql: Sql,
  subject: ReplaySubject,
  stored: readonly KnownObservation[],
  context: {
    readonly read: StoredReplyReader;
    readonly readArchived?: ArchivedBodyReader | null;
    readonly places: PlaceDirectory;
  },
): Promise<ReplayedSubject> {
  const byTime = Map.groupBy(stored, ({ observation }) => observation.observedAt);
  const waiting = [...byTime.keys()].toSorted();
  const recomputed = new RecomputedObservations(context.places, byTime);
  let current: Reading | null = null;
  for await (const reply of readSubjectReplies(sql, subject.id, context.readArchived ?? null)) {
    while (current !== null && waiting[0] !== undefined && waiting[0] < reply.receivedAt)
      recomputed.apply(current, waiting.shift() as Instant);
    const isImported = reply.channel === "import" || reply.channel === "edi";
    const reading = isImported ? readImported(reply.body) : context.read(subject, reply.body);
    if (reading === null)
      return { observations: stored.map(({ observation }) => observation), differences: [], isReadAgain: false };
    const isComplete = reading.skipped === 0 && reply.channel === "poll" && subject.kind !== "terminal_container";
    const latest: Reading = { reply, drafts: reading.drafts, isComplete };
    // Pushes and imports are not repeated.
    if (reply.channel === "poll") current = latest;
    if (waiting[0] === reply.receivedAt) waiting.shift();
    recomputed.apply(latest, reply.receivedAt);
  }
  for (const at of waiting) if (current !== null) recomputed.apply(current, at);
  return { ...recomputed.compareWithStored(subject), isReadAgain: true };
}

/** The observations that follow from the replies so far, and the stored ones that none of them has matched yet. */
class RecomputedObservations {
  readonly #places: PlaceDirectory;
  readonly #unmatchedByTime: Map<Instant, KnownObservation[]>;
  readonly #known = new Map<string, KnownObservation>();
  readonly #unstored: KnownObservation[] = [];

  constructor(places: PlaceDirectory, storedByTime: ReadonlyMap<Instant, readonly KnownObservation[]>) {
    this.#places = places;
    this.#unmatchedByTime = new Map([...storedByTime].map(([at, observations]) => [at, [...observations]]));
  }

  apply({ reply, drafts, isComplete }: Reading, observedAt: Instant): void {
    const options = { isComplete, observedAt, places: this.#places, nextId: uuidV7.next, hash: hashValues };
    this.#write(planObservationChanges([...this.#known.values()], drafts, options), reply.channel, observedAt);
  }

  compareWithStored({ number }: ReplaySubject): Pick<ReplayedSubject, "observations" | "differences"> {
    const unmatched = [...this.#unmatchedByTime.values()].flat();
    const toDifference = (stored: Observation | null, recomputed: Observation | null): Difference => ({
      subject: number,
      attribute: `observation ${(stored ?? recomputed)?.code}`,
      stored,
      recomputed,
    });
    return {
      observations: [...this.#known.values()].map(({ observation }) => observation),
      differences: [
        ...unmatched.map(({ observation }) => toDifference(observation, null)),
        ...this.#unstored.map(({ observation }) => toDifference(null, observation)),
      ],
    };
  }

  #write({ added, missing, closedIds }: ObservationChanges, channel: ReplyChannel, observedAt: Instant): void {
    for (const id of closedIds) this.#change(id, { withdrawnAt: observedAt });
    for (const { id, missingSince } of missing) this.#change(id, { missingSince });
    for (const { observation, valueHash } of added) {
      const stored = this.#takeStored(observation);
      const known = {
        subjectId: "",
        channel,
        valueHash,
        missingSince: null,
        withdrawnAt: null,
        observation: stored ?? observation,
      };
      this.#known.set(known.observation.id, known);
      if (stored === null) this.#unstored.push(known);
    }
  }

  #change(id: string, change: Partial<KnownObservation>): void {
    const known = this.#known.get(id);
    if (known !== undefined) this.#known.set(id, { ...known, ...change });
  }

  /** The stored observation with the same values at the same time, each once. */
  #takeStored(replayed: Observation): Observation | null {
    const candidates = this.#unmatchedByTime.get(replayed.observedAt) ?? [];
    const textOf = (observation: Observation): string => canonicalJson(omit(observation, ["id", "localDate"]));
    const text = textOf(replayed);
    const index = candidates.findIndex(({ observation }) => textOf(observation) === text);
    return index < 0 ? null : (candidates.splice(index, 1)[0]?.observation ?? null);
  }
}
