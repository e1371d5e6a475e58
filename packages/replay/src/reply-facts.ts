import { createHash } from "node:crypto";
import {
  addMs,
  dayMs,
  futureActualToleranceMs,
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

/** What a reply adds to, and takes from, the facts that are known of its subject. */
export interface FactChanges {
  /** New facts, facts that are heard anew, and retractions of those that stayed away. */
  readonly added: readonly NewObservation[];
  /** Facts that are missing since a time; null: they are back. */
  readonly missing: readonly { readonly id: string; readonly missingSince: Instant | null }[];
  /** Facts that were retracted, or whose place was taken by the same fact, heard later. */
  readonly closedIds: readonly string[];
  /** From when on a reply that equals this one means something nevertheless; null: never. */
  readonly recheckAt: Instant | null;
}

export interface FactContext {
  /** False: some of the reply could not be read, so what it lacks means nothing. */
  readonly isComplete: boolean;
  readonly observedAt: Instant;
  readonly places: PlaceDirectory;
  readonly nextId: () => string;
}

/** A carrier whose statement times contradict each other in every reply adds no more versions of a fact than this. */
const versionsMax = 20;

/**
 * The identity of a fact: everything it reports, but neither the id of its message (carriers repeat facts under new ids), nor the
 * time of the statement (some carriers write the time of their reply), nor the local date, which follows from time and place.
 */
export function valueHashOf({ sourceEventId: _, statedAt: __, localDate: ___, ...fact }: ObservationDraft): string {
  return sha256(canonicalJson(fact));
}

/** Compares a reply with the open facts of its subject. */
export function compareFacts(
  known: readonly KnownObservation[],
  drafts: readonly ObservationDraft[],
  context: FactContext,
): FactChanges {
  const open = known.filter(({ withdrawnAt }) => withdrawnAt === null);
  const heard = reportedFacts(known, open, drafts, context);
  const absent = absentFacts(open, drafts, context);
  return {
    added: [...heard.added, ...absent.retractions],
    missing: absent.missing,
    closedIds: [...heard.closedIds, ...absent.retractedIds],
    recheckAt: earliest([...heard.recheckAt, ...absent.recheckAt]),
  };
}

/**
 * Facts that are new, actuals that were reported ahead of their time and are still reported now that it has come, and facts that
 * the carrier reports in another order than they are stored in.
 */
function reportedFacts(
  known: readonly KnownObservation[],
  open: readonly KnownObservation[],
  drafts: readonly ObservationDraft[],
  context: FactContext,
) {
  const { observedAt, nextId } = context;
  const openByHash = new Map(open.map((fact) => [fact.valueHash, fact.observation]));
  const reported = newestByHash(drafts);
  const reordered = reorderedHashes(known, openByHash, reported, observedAt);
  const added: NewObservation[] = [];
  const closedIds: string[] = [];
  const recheckAt: Instant[] = [];
  for (const [valueHash, draft] of reported) {
    const before = openByHash.get(valueHash);
    const isAhead = isAheadOfItsTime(draft, observedAt);
    if (isAhead) recheckAt.push(addMs(draft.eventAt, -futureActualToleranceMs));
    const hasCome = before !== undefined && !isAhead && isAheadOfItsTime(draft, before.observedAt);
    if (before !== undefined && !hasCome && !reordered.has(valueHash)) continue;
    if (before !== undefined) closedIds.push(before.id);
    added.push({ valueHash, observation: { ...draft, id: nextId(), observedAt } });
  }
  return { added, closedIds, recheckAt };
}

/** Of a fact that a reply states several times the newest statement. */
function newestByHash(drafts: readonly ObservationDraft[]): ReadonlyMap<string, ObservationDraft> {
  const newest = new Map<string, ObservationDraft>();
  for (const draft of drafts) {
    const valueHash = valueHashOf(draft);
    const other = newest.get(valueHash);
    if (other === undefined || (draft.statedAt ?? "") > (other.statedAt ?? "")) newest.set(valueHash, draft);
  }
  return newest;
}

/** Facts of one kind about one container: the fold takes the newest of them, so their order is part of what is reported. */
function orderKey({ eventType, code, containerNumber }: ObservationDraft): string {
  return `${eventType} ${code} ${containerNumber}`;
}

interface Ordered {
  readonly hash: string;
  /** Sorts as the fold does. */
  readonly stored: string;
  /** By the reply; of a fact that it lacks, or reports without a time, as it is stored. */
  readonly statedAt: Instant;
  readonly isRestated: boolean;
}

/**
 * Facts that are stored already and must be stored again with their new statement times, because the reply puts them in another
 * order: an estimate that the carrier returned to. New times in the same order change nothing.
 */
function reorderedHashes(
  known: readonly KnownObservation[],
  openByHash: ReadonlyMap<string, Observation>,
  reported: ReadonlyMap<string, ObservationDraft>,
  observedAt: Instant,
): ReadonlySet<string> {
  const isAnyRestated = [...reported].some(([hash, { statedAt }]) => {
    const before = openByHash.get(hash);
    return before !== undefined && statedAt !== null && statedAt !== before.statedAt;
  });
  if (!isAnyRestated) return new Set();
  const facts = [...new Map<string, Observation | ObservationDraft>([...reported, ...openByHash])];
  const reordered = new Set<string>();
  for (const group of Map.groupBy(facts, ([, fact]) => orderKey(fact)).values()) {
    const order = group.map(([hash]) => orderedFact(hash, openByHash.get(hash), reported.get(hash), observedAt));
    if (!isContradicted(order)) continue;
    const restated = order.filter(({ isRestated }) => isRestated);
    const versions = Map.groupBy(known, ({ observation: { id: _, observedAt: __, ...fact } }) => valueHashOf(fact));
    if (restated.some(({ hash }) => (versions.get(hash)?.length ?? 0) >= versionsMax)) continue;
    for (const { hash } of restated) reordered.add(hash);
  }
  return reordered;
}

function orderedFact(
  hash: string,
  stored: Observation | undefined,
  reported: ObservationDraft | undefined,
  observedAt: Instant,
): Ordered {
  const storedAt = stored?.statedAt ?? stored?.observedAt ?? reported?.statedAt ?? observedAt;
  const isRestated = stored !== undefined && reported?.statedAt != null && reported.statedAt !== stored.statedAt;
  return {
    hash,
    // A fact that is not stored yet comes after those with the same time.
    stored: `${storedAt} ${stored?.observedAt ?? observedAt} ${stored?.id ?? "~"}`,
    statedAt: reported?.statedAt ?? storedAt,
    isRestated,
  };
}

function isContradicted(facts: readonly Ordered[]): boolean {
  let newest = "";
  return facts
    .toSorted((a, b) => (a.stored < b.stored ? -1 : 1))
    .some(({ statedAt }) => {
      const isOlder = statedAt < newest;
      if (!isOlder) newest = statedAt;
      return isOlder;
    });
}

/** The fold takes such an actual for a forecast, by the time at which it was heard. */
function isAheadOfItsTime({ classifier, eventAt }: ObservationDraft, heardAt: Instant): boolean {
  return classifier === "ACT" && msBetween(heardAt, eventAt) > futureActualToleranceMs;
}

/** Facts that the reply lacks: noted at first, retracted when they stay away. */
function absentFacts(open: readonly KnownObservation[], drafts: readonly ObservationDraft[], context: FactContext) {
  const { isComplete, observedAt, places } = context;
  const present = new Set(drafts.map((draft) => presenceKey(draft, places)));
  const missing: { id: string; missingSince: Instant | null }[] = [];
  const retracted: KnownObservation[] = [];
  const recheckAt: Instant[] = [];
  // What an account imported, the carrier was never asked to repeat.
  for (const fact of isComplete ? open.filter(({ channel }) => channel !== "import") : []) {
    const { observation, missingSince } = fact;
    const { id, eventAt } = observation;
    if (observation.retracted) continue;
    if (present.has(presenceKey(observation, places))) {
      if (missingSince !== null) missing.push({ id, missingSince: null });
      continue;
    }
    if (msBetween(eventAt, observedAt) > purgedAfterMs) continue;
    const since = missingSince ?? observedAt;
    if (missingSince === null) missing.push({ id, missingSince: since });
    if (msBetween(since, observedAt) >= missingForMs) retracted.push(fact);
    else recheckAt.push(addMs(since, missingForMs));
  }
  const retractions = retracted.map((fact) => retractionOf(fact, context));
  return { missing, retractions, retractedIds: retracted.map(({ observation }) => observation.id), recheckAt };
}

/** The retraction of a fact that the source stopped stating: it has no time and no message of its own. */
function retractionOf({ observation }: KnownObservation, { observedAt, nextId }: FactContext): NewObservation {
  const retraction = { id: nextId(), observedAt, statedAt: null, sourceEventId: null, retracted: true };
  return { observation: { ...observation, ...retraction }, valueHash: sha256(`retraction of ${observation.id}`) };
}

/**
 * Whether a reply still says something. Coarser than `valueHashOf`, and than what the fold takes for the same fact: a line
 * that restates or completes a fact does not withdraw it.
 */
function presenceKey(fact: ObservationDraft, places: PlaceDirectory): string {
  const { code, classifier, eventAt, containerNumber, isEmpty, documentId, place } = fact;
  const where =
    place.locode === null
      ? place.name?.trim().toUpperCase()
      : places.canonicalLocode(place.locode.trim().toUpperCase());
  return JSON.stringify([code, classifier, eventAt, containerNumber, isEmpty, documentId, where]);
}

/** The same text for equal values, whatever the order of their keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function earliest(times: readonly Instant[]): Instant | null {
  return times.reduce<Instant | null>((first, time) => (first === null || time < first ? time : first), null);
}
