import { dayMs, type Instant, msBetween } from "../instant.ts";
import { compareTime, isActual, type SourceEvent } from "./source-event.ts";

/** A container that returns full or is loaded within this time after the full gate-out is only transferred. */
const reuseAfterMs = 7 * dayMs;

/**
 * The part of a container's history that belongs to one shipment. Carriers report the next voyage of a container under
 * the same number.
 */
export interface VoyageWindow {
  /** Start of the voyage; null: no earlier voyage is known. */
  readonly from: Instant | null;
  /** Start of the next voyage, which is not part of this one. */
  readonly until: Instant | null;
  /** When the container was returned empty. Later vessel calls that name no container concern other containers. */
  readonly returnedAt: Instant | null;
}

interface Voyage {
  readonly from: Instant | null;
  returnedAt: Instant | null;
  /** When the container was gated out full for delivery or returned empty; null: under way. */
  endedAt: Instant | null;
  /** When the event that started it was observed. */
  readonly knownSince: Instant | null;
}

/** Null when everything belongs to one voyage. */
export function voyageWindow(own: readonly SourceEvent[], trackingBeganAt: Instant): VoyageWindow | null {
  if (!own.some(isEnd)) return null;
  const voyages = separateVoyages(own.toSorted(compareTime));
  const tracked = trackedVoyage(voyages, trackingBeganAt);
  const voyage = voyages[tracked];
  if (voyage === undefined) return null;
  const { from, returnedAt } = voyage;
  return { from, returnedAt, until: voyages[tracked + 1]?.from ?? null };
}

/** Whether the container started another voyage after the one under way when tracking began. */
export function hasNextVoyage(own: readonly SourceEvent[], trackingBeganAt: Instant): boolean {
  const voyages = separateVoyages(own.toSorted(compareTime));
  return trackedVoyage(voyages, trackingBeganAt) + 1 < voyages.length;
}

export function isWithin(window: VoyageWindow, { observation, mode }: SourceEvent): boolean {
  const { eventAt, containerNumber } = observation;
  if (window.from !== null && eventAt < window.from) return false;
  if (window.until !== null && eventAt >= window.until) return false;
  const isSharedCall = containerNumber === null && mode === "VESSEL";
  return !isSharedCall || window.returnedAt === null || eventAt <= window.returnedAt;
}

/** The voyage under way when tracking began. If it had ended by then and the next was already known, the next. */
function trackedVoyage(voyages: readonly Voyage[], trackingBeganAt: Instant): number {
  const underWay = voyages.findLastIndex(({ from }) => from === null || from <= trackingBeganAt);
  const [voyage, next] = [voyages[underWay], voyages[underWay + 1]];
  const hasEnded = voyage?.endedAt != null && voyage.endedAt <= trackingBeganAt;
  const isNextKnown = next?.knownSince != null && next.knownSince <= trackingBeganAt;
  return hasEnded && isNextKnown ? underWay + 1 : underWay;
}

function separateVoyages(sortedEvents: readonly SourceEvent[]): readonly Voyage[] {
  const voyages: Voyage[] = [];
  let current: Voyage = { from: null, returnedAt: null, endedAt: null, knownSince: null };
  let wasFullAfterSea = false;
  let wasDischarged = false;
  let startAfterFullOut: SourceEvent | null = null;
  const begin = ({ observation }: SourceEvent): void => {
    voyages.push(current);
    const { eventAt: from, observedAt: knownSince } = observation;
    current = { from, returnedAt: null, endedAt: null, knownSince };
    wasFullAfterSea = wasDischarged = false;
    startAfterFullOut = null;
  };
  for (const sourceEvent of sortedEvents) {
    const { eventAt } = sourceEvent.observation;
    const { returnedAt, endedAt } = current;
    if (returnedAt !== null && eventAt > returnedAt && isStart(sourceEvent)) begin(sourceEvent);
    else if (returnedAt === null && endedAt !== null && eventAt > endedAt && isStart(sourceEvent)) {
      const isTransfer = msBetween(endedAt, eventAt) < reuseAfterMs;
      if (isTransfer && isActual(sourceEvent)) current.endedAt = null;
      // Not every empty return is reported, so a later loading also proves that a new voyage has started.
      if (!isTransfer) startAfterFullOut ??= sourceEvent;
      if (!isTransfer && isReloading(sourceEvent)) begin(startAfterFullOut ?? sourceEvent);
    }
    if (!isActual(sourceEvent)) continue;
    if (isEmptyReturn(sourceEvent)) {
      if (wasFullAfterSea) current.returnedAt = current.endedAt = eventAt;
    } else if (isFullOut(sourceEvent)) {
      wasFullAfterSea = true;
      if (wasDischarged) current.endedAt = eventAt;
    } else if (isDischarge(sourceEvent)) wasFullAfterSea = wasDischarged = true;
  }
  voyages.push(current);
  return voyages;
}

function isEnd(sourceEvent: SourceEvent): boolean {
  return isActual(sourceEvent) && (isEmptyReturn(sourceEvent) || isFullOut(sourceEvent));
}

/** An actual loading on a vessel. Plans do not count: outdated ones may remain. */
function isReloading(sourceEvent: SourceEvent): boolean {
  return isActual(sourceEvent) && sourceEvent.observation.code === "LOAD" && sourceEvent.mode === "VESSEL";
}

function isEmptyReturn({ observation: { code, isEmpty } }: SourceEvent): boolean {
  return isEmpty === true && (code === "GTIN" || code === "DROP");
}

function isFullOut({ observation: { code, isEmpty } }: SourceEvent): boolean {
  return isEmpty === false && (code === "GTOT" || code === "PICK");
}

function isDischarge({ observation, mode }: SourceEvent): boolean {
  return observation.code === "DISC" && mode === "VESSEL";
}

/** First moves of a voyage, planned or actual: empty gate-out, full gate-in, or loading on a vessel. */
function isStart({ observation: { code, isEmpty }, mode }: SourceEvent): boolean {
  if (code === "GTOT" || code === "PICK") return isEmpty === true;
  if (code === "GTIN") return isEmpty === false;
  return code === "LOAD" && mode === "VESSEL";
}
