import type { Classifier } from "../observations/observation.ts";
import { compareNewness, type SourceEvent } from "./source-event.ts";

export interface ResolvedSourceEvents {
  /** Source events in effect. */
  readonly current: readonly SourceEvent[];
  /**
   * Observed earlier and replaced, or missing from later replies. Those retracted by the source are in neither list.
   */
  readonly superseded: readonly SourceEvent[];
}

const strength: Readonly<Record<Classifier, number>> = { PLN: 1, EST: 2, ACT: 3 };

/**
 * Separates current from superseded source events. A retraction with a `sourceEventId` retracts that message; one
 * without retracts every source event with the same values. A message repeated under its id replaces the older version,
 * except that an estimate stays when its actual follows under the same id.
 */
export function resolveRetractions(sourceEvents: readonly SourceEvent[]): ResolvedSourceEvents {
  const retractions = sourceEvents.filter(({ observation }) => observation.retracted);
  const replacements = newestVersions(sourceEvents);
  if (retractions.length === 0 && replacements.size === 0) return { current: sourceEvents, superseded: [] };

  const retractionsByKey = Map.groupBy(retractions, retractionKey);
  const current: SourceEvent[] = [];
  const superseded: SourceEvent[] = [];
  for (const sourceEvent of sourceEvents) {
    if (sourceEvent.observation.retracted) continue;
    const retracting = retractions.length === 0 ? [] : retractionsFor(sourceEvent, retractionsByKey);
    if (retracting.some((retraction) => isOwnRetraction(retraction, sourceEvent))) continue;
    const isVanished = retracting.some((retraction) => isObservedLater(retraction, sourceEvent));
    (isVanished || isReplaced(sourceEvent, replacements) ? superseded : current).push(sourceEvent);
  }
  return { current, superseded };
}

/** The source retracted the event explicitly, at a later time than it reported it. */
function isOwnRetraction(retraction: SourceEvent, sourceEvent: SourceEvent): boolean {
  const retractedAt = retraction.observation.statedAt;
  const reportedAt = sourceEvent.observation.statedAt;
  return retractedAt !== null && reportedAt !== null && retractedAt > reportedAt;
}

/** The event disappeared from the replies. Such a retraction has no report time, so the observation time decides. */
function isObservedLater(retraction: SourceEvent, sourceEvent: SourceEvent): boolean {
  const retractedAt = retraction.observation.statedAt;
  const reportedAt = sourceEvent.observation.statedAt;
  if (retractedAt !== null && reportedAt !== null && retractedAt < reportedAt) return false;
  return retraction.observation.observedAt >= sourceEvent.observation.observedAt;
}

function retractionsFor(
  sourceEvent: SourceEvent,
  retractionsByKey: ReadonlyMap<string, SourceEvent[]>,
): readonly SourceEvent[] {
  const found = retractionsByKey.get(eventKey(sourceEvent)) ?? [];
  const key = messageKey(sourceEvent);
  return key === null ? found : [...found, ...(retractionsByKey.get(key) ?? [])];
}

function retractionKey(retraction: SourceEvent): string {
  return messageKey(retraction) ?? eventKey(retraction);
}

function messageKey({ observation }: SourceEvent): string | null {
  if (observation.sourceEventId === null) return null;
  return `message ${observation.sourceEventId} ${observation.code} ${observation.containerNumber}`;
}

function eventKey(sourceEvent: SourceEvent): string {
  const { code, classifier, eventAt, containerNumber, isEmpty, documentId } = sourceEvent.observation;
  const { mode, place, vessel } = sourceEvent;
  return `event ${code} ${classifier} ${eventAt} ${containerNumber} ${isEmpty} ${documentId} ${mode} ${vessel} ${place}`;
}

/** The newest version of each message that was reported more than once. */
function newestVersions(sourceEvents: readonly SourceEvent[]): ReadonlyMap<string, SourceEvent> {
  const firstById = new Map<string, SourceEvent>();
  const newestByMessage = new Map<string, SourceEvent>();
  for (const sourceEvent of sourceEvents) {
    const { sourceEventId, retracted } = sourceEvent.observation;
    if (sourceEventId === null || retracted) continue;
    const first = firstById.get(sourceEventId);
    if (first === undefined) firstById.set(sourceEventId, sourceEvent);
    else for (const version of [first, sourceEvent]) keepNewest(newestByMessage, version);
  }
  return newestByMessage;
}

function keepNewest(newestByMessage: Map<string, SourceEvent>, version: SourceEvent): void {
  const key = messageKey(version);
  if (key === null) return;
  const known = newestByMessage.get(key);
  if (known === undefined || compareNewness(version, known) > 0) newestByMessage.set(key, version);
}

function isReplaced(sourceEvent: SourceEvent, replacements: ReadonlyMap<string, SourceEvent>): boolean {
  if (replacements.size === 0) return false;
  const key = messageKey(sourceEvent);
  const replacement = key === null ? undefined : replacements.get(key);
  if (replacement === undefined || compareNewness(replacement, sourceEvent) <= 0) return false;
  const isFulfilled =
    strength[replacement.classifier] > strength[sourceEvent.classifier] && isSameMove(replacement, sourceEvent);
  return !isFulfilled;
}

function isSameMove(a: SourceEvent, b: SourceEvent): boolean {
  return a.place === b.place && a.mode === b.mode && (a.vessel === b.vessel || a.vessel === null || b.vessel === null);
}
