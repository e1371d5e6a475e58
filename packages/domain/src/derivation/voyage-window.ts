import { dayMs, type Instant, msBetween } from "../instant.ts";
import { compareTime, type Statement } from "./statement.ts";

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
export function voyageWindow(own: readonly Statement[], trackingBeganAt: Instant): VoyageWindow | null {
  if (!own.some(isEnd)) return null;
  const voyages = separateVoyages(own.toSorted(compareTime));
  const tracked = trackedVoyage(voyages, trackingBeganAt);
  const voyage = voyages[tracked];
  if (voyage === undefined) return null;
  const { from, returnedAt } = voyage;
  return { from, returnedAt, until: voyages[tracked + 1]?.from ?? null };
}

/** Whether the container began another voyage after the one that was under way when tracking began. */
export function hasNextVoyage(own: readonly Statement[], trackingBeganAt: Instant): boolean {
  const voyages = separateVoyages(own.toSorted(compareTime));
  return trackedVoyage(voyages, trackingBeganAt) + 1 < voyages.length;
}

export function isWithin(window: VoyageWindow, { observation, mode }: Statement): boolean {
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

function separateVoyages(inOrderOfTime: readonly Statement[]): readonly Voyage[] {
  const voyages: Voyage[] = [];
  let current: Voyage = { from: null, returnedAt: null, endedAt: null, knownSince: null };
  let wasFullAfterSea = false;
  let wasDischarged = false;
  let startAfterFullOut: Statement | null = null;
  const begin = ({ observation }: Statement): void => {
    voyages.push(current);
    const { eventAt: from, observedAt: knownSince } = observation;
    current = { from, returnedAt: null, endedAt: null, knownSince };
    wasFullAfterSea = wasDischarged = false;
    startAfterFullOut = null;
  };
  for (const statement of inOrderOfTime) {
    const { eventAt } = statement.observation;
    const { returnedAt, endedAt } = current;
    if (returnedAt !== null && eventAt > returnedAt && isStart(statement)) begin(statement);
    else if (returnedAt === null && endedAt !== null && eventAt > endedAt && isStart(statement)) {
      const isTransfer = msBetween(endedAt, eventAt) < reuseAfterMs;
      if (isTransfer && isActual(statement)) current.endedAt = null;
      // Not every return is reported, and some containers are loaded again without one: only a loading proves it.
      if (!isTransfer) startAfterFullOut ??= statement;
      if (!isTransfer && isReloading(statement)) begin(startAfterFullOut ?? statement);
    }
    if (!isActual(statement)) continue;
    if (isEmptyReturn(statement)) {
      if (wasFullAfterSea) current.returnedAt = current.endedAt = eventAt;
    } else if (isFullOut(statement)) {
      wasFullAfterSea = true;
      if (wasDischarged) current.endedAt = eventAt;
    } else if (isDischarge(statement)) wasFullAfterSea = wasDischarged = true;
  }
  voyages.push(current);
  return voyages;
}

function isEnd(statement: Statement): boolean {
  return isActual(statement) && (isEmptyReturn(statement) || isFullOut(statement));
}

/** An actual loading on a vessel: plans linger. */
function isReloading(statement: Statement): boolean {
  return isActual(statement) && statement.observation.code === "LOAD" && statement.mode === "VESSEL";
}

function isActual(statement: Statement): boolean {
  return statement.classifier === "ACT";
}

function isEmptyReturn({ observation: { code, isEmpty } }: Statement): boolean {
  return isEmpty === true && (code === "GTIN" || code === "DROP");
}

function isFullOut({ observation: { code, isEmpty } }: Statement): boolean {
  return isEmpty === false && (code === "GTOT" || code === "PICK");
}

function isDischarge({ observation, mode }: Statement): boolean {
  return observation.code === "DISC" && mode === "VESSEL";
}

/** What only a voyage begins with, planned or done: an empty container taken out, a full one brought, a loading. */
function isStart({ observation: { code, isEmpty }, mode }: Statement): boolean {
  if (code === "GTOT" || code === "PICK") return isEmpty === true;
  if (code === "GTIN") return isEmpty === false;
  return code === "LOAD" && mode === "VESSEL";
}
