import { compareText } from "../compare-text.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { futureActualToleranceMs } from "../derivation/source-event.ts";
import { addMs, dayMs, type Instant, minuteMs, msBetween } from "../instant.ts";
import { canonicalJson } from "../json.ts";
import { omit } from "../omit.ts";
import { type Observation, type ObservationDraft, reportTimeOf } from "./observation.ts";

/** An event that one reply lacks is often in the next one: how long it must be missing before it is withdrawn. */
export const withdrawalDelayMs = 30 * minuteMs;
/** Carriers purge old events: their absence is not a withdrawal. */
const purgedAfterMs = 30 * dayMs;

/** How a reply was received. */
export type ReplyChannel = "poll" | "push" | "import" | "edi";

export interface NewObservation {
  readonly observation: Observation;
  /** Identifies the reported values: SHA-256, hexadecimal. */
  readonly valueHash: string;
}

/** A stored observation with its presence in later replies. */
export interface KnownObservation extends NewObservation {
  readonly subjectId: string;
  readonly channel: ReplyChannel;
  readonly missingSince: Instant | null;
  readonly withdrawnAt: Instant | null;
}

/** The changes that a reply causes in the observations of its subject. */
export interface ObservationChanges {
  /** New observations, observations that are repeated with effect, and retractions of missing ones. */
  readonly added: readonly NewObservation[];
  /** Observations that are missing since a time; null: no longer missing. */
  readonly missing: readonly { readonly id: string; readonly missingSince: Instant | null }[];
  /** Observations that were retracted or replaced by a later one with the same values. */
  readonly closedIds: readonly string[];
  /** The time from which an identical reply must be applied; null: never. */
  readonly recheckAt: Instant | null;
}

export interface ReplyContext {
  /** False: the reply was read in part, or has a part of the events only. A missing event is then not withdrawn. */
  readonly isComplete: boolean;
  readonly observedAt: Instant;
  readonly places: PlaceDirectory;
  readonly nextId: () => string;
  /** SHA-256, hexadecimal. */
  readonly hash: (text: string) => string;
}

/** Maximum number of stored versions with equal values, for carriers whose creation times contradict each other. */
const versionsMax = 20;

const namesOfReport = ["sourceEventId", "statedAt", "messageReceivedAt", "localDate"] as const;

/**
 * The canonical text of the reported values. It leaves out the message id, because carriers repeat events under new
 * ids; the times of report and message, because some carriers send the time of the reply; the local date, which follows
 * from time and place; and the time of a state that the source does not date, because each reply would be a new one.
 */
export const valuesText = (draft: ObservationDraft): string =>
  canonicalJson(omit(draft, draft.sinceUnknown ? [...namesOfReport, "eventAt"] : namesOfReport));

/** A state without a time is one of the reply. A state that the source returns to is then the newest again. */
function dated(draft: ObservationDraft, observedAt: Instant): ObservationDraft {
  return draft.sinceUnknown ? { ...draft, eventAt: observedAt, statedAt: observedAt } : draft;
}

/** Compares a reply with the current observations of its subject. */
export function planObservationChanges(
  known: readonly KnownObservation[],
  inputDrafts: readonly ObservationDraft[],
  context: ReplyContext,
): ObservationChanges {
  const drafts = inputDrafts.map((draft) => dated(draft, context.observedAt));
  const open = known.filter(({ withdrawnAt }) => withdrawnAt === null);
  const reported = reportedObservations(known, open, drafts, context);
  const absent = absentObservations(open, drafts, context);
  return {
    added: [...reported.added, ...absent.retractions],
    missing: absent.missing,
    closedIds: [...reported.closedIds, ...absent.retractedIds],
    recheckAt: earliest([...reported.recheckAt, ...absent.recheckAt]),
  };
}

/**
 * New observations, actual events that were reported in advance and are still reported at their time, and
 * observations that the carrier reports in another order than the stored one.
 */
function reportedObservations(
  known: readonly KnownObservation[],
  open: readonly KnownObservation[],
  drafts: readonly ObservationDraft[],
  context: ReplyContext,
) {
  const { observedAt, nextId, hash } = context;
  const openByHash = new Map(open.map(({ valueHash, observation }) => [valueHash, observation]));
  const reported = newestByHash(drafts, hash);
  const reordered = reorderedHashes(known, openByHash, reported, context);
  const added: NewObservation[] = [];
  const closedIds: string[] = [];
  const recheckAt: Instant[] = [];
  for (const [valueHash, draft] of reported) {
    const before = openByHash.get(valueHash);
    const isAhead = isPremature(draft, observedAt);
    if (isAhead) recheckAt.push(addMs(draft.eventAt, -futureActualToleranceMs));
    const isTimeReached = before !== undefined && !isAhead && isPremature(draft, before.observedAt);
    if (before !== undefined && !isTimeReached && !reordered.has(valueHash)) continue;
    if (before !== undefined) closedIds.push(before.id);
    added.push({ valueHash, observation: { ...draft, id: nextId(), observedAt } });
  }
  return { added, closedIds, recheckAt };
}

/** Returns one event for each hash of values in a reply: of equal ones, the one created last. */
function newestByHash(
  drafts: readonly ObservationDraft[],
  hash: ReplyContext["hash"],
): ReadonlyMap<string, ObservationDraft> {
  const newest = new Map<string, ObservationDraft>();
  for (const draft of drafts) {
    const valueHash = hash(valuesText(draft));
    const other = newest.get(valueHash);
    if (other === undefined || (draft.statedAt ?? "") > (other.statedAt ?? "")) newest.set(valueHash, draft);
  }
  return newest;
}

/** The derivation uses the newest event of one kind about one container, so the order of these is significant. */
function orderKey({ eventType, code, containerNumber }: ObservationDraft): string {
  return `${eventType} ${code} ${containerNumber}`;
}

interface Ordered {
  readonly valueHash: string;
  /** The sort key of the derivation. */
  readonly stored: string;
  /** Time of the report in the reply; the stored one when the reply lacks the event or that time. */
  readonly reportedAt: Instant;
  readonly isReportedAgain: boolean;
}

/**
 * The time at which a stored observation is reported again; null when the reply is no new report of it. A file or an
 * import reports its events at its receipt: processing an older one again reports nothing.
 */
function reportedAgainAt(
  before: Observation | undefined,
  { statedAt, messageReceivedAt }: ObservationDraft,
): Instant | null {
  if (before === undefined) return null;
  if (statedAt !== null) return statedAt === before.statedAt ? null : statedAt;
  const isLater = messageReceivedAt !== undefined && messageReceivedAt > reportTimeOf(before, before.observedAt);
  return isLater ? messageReceivedAt : null;
}

/**
 * Stored observations to store again with their new times of report, because the reply changes their order: an
 * estimate that the carrier or the partner returned to. New times in the same order change nothing.
 */
function reorderedHashes(
  known: readonly KnownObservation[],
  openByHash: ReadonlyMap<string, Observation>,
  reported: ReadonlyMap<string, ObservationDraft>,
  { observedAt, hash }: ReplyContext,
): ReadonlySet<string> {
  const isAnyReportedAgain = [...reported].some(
    ([valueHash, draft]) => reportedAgainAt(openByHash.get(valueHash), draft) !== null,
  );
  if (!isAnyReportedAgain) return new Set();
  const observations = [...new Map<string, Observation | ObservationDraft>([...reported, ...openByHash])];
  const reordered = new Set<string>();
  let versions: ReadonlyMap<string, readonly KnownObservation[]> | undefined;
  for (const group of Map.groupBy(observations, ([, observation]) => orderKey(observation)).values()) {
    const order = group.map(([key]) => orderOf(key, openByHash.get(key), reported.get(key), observedAt));
    if (!isContradicted(order)) continue;
    const reportedAgain = order.filter(({ isReportedAgain }) => isReportedAgain);
    // Hashed when the first order is contradicted, because few replies do so.
    versions ??= Map.groupBy(known, ({ observation }) => hash(valuesText(omit(observation, ["id", "observedAt"]))));
    const hasAllVersions = reportedAgain.some(
      ({ valueHash }) => (versions?.get(valueHash)?.length ?? 0) >= versionsMax,
    );
    if (hasAllVersions) continue;
    for (const { valueHash } of reportedAgain) reordered.add(valueHash);
  }
  return reordered;
}

function orderOf(
  valueHash: string,
  stored: Observation | undefined,
  reported: ObservationDraft | undefined,
  observedAt: Instant,
): Ordered {
  const known = stored ?? reported;
  const storedAt = known === undefined ? observedAt : reportTimeOf(known, stored?.observedAt ?? observedAt);
  const againAt = reported === undefined ? null : reportedAgainAt(stored, reported);
  return {
    valueHash,
    // A new observation follows those with the same time.
    stored: `${storedAt} ${stored?.observedAt ?? observedAt} ${stored?.id ?? "~"}`,
    reportedAt: againAt ?? storedAt,
    isReportedAgain: againAt !== null,
  };
}

function isContradicted(group: readonly Ordered[]): boolean {
  let newest = "";
  return group
    .toSorted((a, b) => compareText(a.stored, b.stored))
    .some(({ reportedAt }) => {
      const isOlder = reportedAt < newest;
      if (!isOlder) newest = reportedAt;
      return isOlder;
    });
}

/** The derivation treats an actual event that is received before its time as an estimate. */
function isPremature({ classifier, eventAt }: ObservationDraft, observedAt: Instant): boolean {
  return classifier === "ACT" && msBetween(observedAt, eventAt) > futureActualToleranceMs;
}

/** Observations that the reply lacks: marked as missing at first, then retracted. */
function absentObservations(
  open: readonly KnownObservation[],
  drafts: readonly ObservationDraft[],
  context: ReplyContext,
) {
  const { isComplete, observedAt, places } = context;
  const present = new Set(drafts.map((draft) => presenceKey(draft, places)));
  const missing: { id: string; missingSince: Instant | null }[] = [];
  const retracted: KnownObservation[] = [];
  const recheckAt: Instant[] = [];
  // Carriers do not repeat events that an account imported or had from a partner.
  const isRepeated = ({ channel }: KnownObservation): boolean => channel !== "import" && channel !== "edi";
  for (const known of isComplete ? open.filter(isRepeated) : []) {
    const { observation, missingSince } = known;
    const { id, eventAt } = observation;
    if (observation.retracted) continue;
    if (present.has(presenceKey(observation, places))) {
      if (missingSince !== null) missing.push({ id, missingSince: null });
      continue;
    }
    if (msBetween(eventAt, observedAt) > purgedAfterMs) continue;
    const since = missingSince ?? observedAt;
    if (missingSince === null) missing.push({ id, missingSince: since });
    if (msBetween(since, observedAt) >= withdrawalDelayMs) retracted.push(known);
    else recheckAt.push(addMs(since, withdrawalDelayMs));
  }
  const retractions = retracted.map((known) => createRetraction(known, context));
  return { missing, retractions, retractedIds: retracted.map(({ observation }) => observation.id), recheckAt };
}

/** The retraction of an observation that the source no longer reports: without creation time and message id. */
function createRetraction(
  { observation }: KnownObservation,
  { observedAt, nextId, hash }: ReplyContext,
): NewObservation {
  const retraction = { id: nextId(), observedAt, statedAt: null, sourceEventId: null, retracted: true };
  return { observation: { ...observation, ...retraction }, valueHash: hash(`retraction of ${observation.id}`) };
}

/** Identifies an event in later replies. Coarser than `valuesText`: a repeated or completed event is not withdrawn. */
function presenceKey(observation: ObservationDraft, places: PlaceDirectory): string {
  const { code, classifier, eventAt, containerNumber, isEmpty, documentId, place } = observation;
  const where =
    place.locode === null
      ? place.name?.trim().toUpperCase()
      : places.canonicalLocode(place.locode.trim().toUpperCase());
  return JSON.stringify([code, classifier, eventAt, containerNumber, isEmpty, documentId, where]);
}

function earliest(times: readonly Instant[]): Instant | null {
  return times.reduce<Instant | null>((first, time) => (first === null || time < first ? time : first), null);
}
