import { hourMs, type Instant, msBetween } from "../instant.ts";
import { compareCredibility, compareTime, localDateOf, type SourceEvent } from "./source-event.ts";

/** Events of one kind at one place within this time are one move: a duplicate, a correction, or GTOT with PICK. */
const sameGateMoveMs = 12 * hourMs;

/** A container passing a gate. Actuals only: no rule uses planned gate moves. */
export interface GateMove {
  readonly direction: "in" | "out";
  readonly place: string;
  readonly isEmpty: boolean | null;
  readonly at: Instant;
  /** Gives the time: GTIN and GTOT before PICK and DROP, then the most credible source, then the newest. */
  readonly sourceEvent: SourceEvent;
}

const directions: ReadonlyMap<string, "in" | "out"> = new Map([
  ["GTIN", "in"],
  ["DROP", "in"],
  ["GTOT", "out"],
  ["PICK", "out"],
]);

export function isGateCode(code: string): boolean {
  return directions.has(code);
}

/** The moves in chronological order. */
export function gateMoves(sourceEvents: readonly SourceEvent[]): readonly GateMove[] {
  const groups = Map.groupBy(sourceEvents, groupKey);
  return sortByTime([...groups.values()].flatMap(groupMoves));
}

export function sortByTime(moves: readonly GateMove[]): readonly GateMove[] {
  return moves.toSorted((a, b) => compareTime(a.sourceEvent, b.sourceEvent));
}

/** A date without a time belongs to a move of its local day: its midnight is not the time of the move. */
function groupMoves(group: readonly SourceEvent[]): readonly GateMove[] {
  const sorted = group.toSorted(compareTime);
  const moves = groupExactTimes(sorted.filter((sourceEvent) => !isDateOnly(sourceEvent)));
  for (const date of sorted.filter(isDateOnly)) {
    const move = moves.find((reports) => reports.some((report) => localDateOf(report) === localDateOf(date)));
    if (move === undefined) moves.push([date]);
    else move.push(date);
  }
  return moves.flatMap((move) => toGateMove(move) ?? []);
}

function groupExactTimes(sorted: readonly SourceEvent[]): SourceEvent[][] {
  const moves: SourceEvent[][] = [];
  for (const sourceEvent of sorted) {
    const move = moves.at(-1);
    const previous = move?.at(-1);
    if (previous !== undefined && isSameMove(previous, sourceEvent)) move?.push(sourceEvent);
    else moves.push([sourceEvent]);
  }
  return moves;
}

function isDateOnly({ observation }: SourceEvent): boolean {
  return observation.timePrecision === "date_only";
}

function isSameMove(previous: SourceEvent, sourceEvent: SourceEvent): boolean {
  return msBetween(previous.observation.eventAt, sourceEvent.observation.eventAt) <= sameGateMoveMs;
}

function toGateMove(sourceEvents: readonly SourceEvent[]): GateMove | null {
  const [sourceEvent] = sourceEvents.toSorted(
    (a, b) => Number(isGatePassage(b)) - Number(isGatePassage(a)) || compareCredibility(b, a),
  );
  if (sourceEvent === undefined) return null;
  const { code, isEmpty, eventAt } = sourceEvent.observation;
  return { direction: directions.get(code) ?? "in", place: sourceEvent.place, isEmpty, at: eventAt, sourceEvent };
}

function isGatePassage({ observation: { code } }: SourceEvent): boolean {
  return code === "GTIN" || code === "GTOT";
}

function groupKey({ observation, mode, place }: SourceEvent): string {
  const isRail = mode === "RAIL";
  return `${directions.get(observation.code)} ${observation.isEmpty} ${isRail} ${place}`;
}
