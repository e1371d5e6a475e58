import type { Instant } from "../instant.ts";
import { compareTime, type Statement } from "./statement.ts";

/**
 * The part of a box's history that is this shipment's. Carriers go on to tell the next journey of a box under the same
 * number once it was returned empty.
 */
export interface JourneyWindow {
  /** Start of the journey; null: there was none before. */
  readonly from: Instant | null;
  /** Start of the next journey, no more part of this one. */
  readonly until: Instant | null;
  /** When the box was returned: vessel calls that name no container and come later concern others. */
  readonly returnedAt: Instant | null;
}

/** Null when the box was not returned empty, so that everything belongs to one journey. */
export function journeyWindow(own: readonly Statement[], trackingBeganAt: Instant): JourneyWindow | null {
  if (!own.some((statement) => isActual(statement) && isEmptyReturn(statement))) return null;
  const journeys = separateJourneys(own.toSorted(compareTime));
  const underWay = journeys.findLastIndex(({ from }) => from === null || from <= trackingBeganAt);
  const journey = journeys[underWay];
  if (journey === undefined) return null;
  return { ...journey, until: journeys[underWay + 1]?.from ?? null };
}

export function isWithin(window: JourneyWindow, { observation, mode }: Statement): boolean {
  const { eventAt, containerNumber } = observation;
  if (window.from !== null && eventAt < window.from) return false;
  if (window.until !== null && eventAt >= window.until) return false;
  const isSharedCall = containerNumber === null && mode === "VESSEL";
  return !isSharedCall || window.returnedAt === null || eventAt <= window.returnedAt;
}

function separateJourneys(inOrderOfTime: readonly Statement[]) {
  const journeys: { from: Instant | null; returnedAt: Instant | null }[] = [];
  let current: { from: Instant | null; returnedAt: Instant | null } = { from: null, returnedAt: null };
  let wasFullAfterSea = false;
  for (const statement of inOrderOfTime) {
    const { eventAt } = statement.observation;
    if (current.returnedAt !== null && eventAt > current.returnedAt && isStart(statement)) {
      journeys.push(current);
      current = { from: eventAt, returnedAt: null };
      wasFullAfterSea = false;
    }
    if (!isActual(statement)) continue;
    if (isEmptyReturn(statement)) {
      if (wasFullAfterSea) current.returnedAt = eventAt;
    } else if (isDischarge(statement) || isFullOut(statement)) wasFullAfterSea = true;
  }
  journeys.push(current);
  return journeys;
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

/** What only a new journey begins with, planned or done: an empty box taken out, a full one brought, a loading. */
function isStart({ observation: { code, isEmpty }, mode }: Statement): boolean {
  if (code === "GTOT" || code === "PICK") return isEmpty === true;
  if (code === "GTIN") return isEmpty === false;
  return code === "LOAD" && mode === "VESSEL";
}
