import { hourMs, type Instant, msBetween } from "../instant.ts";
import { compareCredibility, compareTime, type Statement } from "./statement.ts";

/** Events of one kind at one place within this time are one move: a duplicate, a correction, or GTOT with PICK. */
const sameGateMoveMs = 12 * hourMs;

/** A container passing a gate. Actuals only: no rule uses planned gate moves. */
export interface GateMove {
  readonly direction: "in" | "out";
  readonly place: string;
  readonly isEmpty: boolean | null;
  readonly at: Instant;
  /** The one that tells the time: a passage of the gate before a pick-up or drop, then the most credible source, then the newest. */
  readonly statement: Statement;
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

/** The moves in order of time. */
export function gateMoves(statements: readonly Statement[]): readonly GateMove[] {
  const groups = Map.groupBy(statements, groupKey);
  return inOrderOfTime([...groups.values()].flatMap(movesOfGroup));
}

export function inOrderOfTime(moves: readonly GateMove[]): readonly GateMove[] {
  return moves.toSorted((a, b) => compareTime(a.statement, b.statement));
}

function movesOfGroup(group: readonly Statement[]): readonly GateMove[] {
  const moves: Statement[][] = [];
  let previous: Statement | null = null;
  for (const statement of group.toSorted(compareTime)) {
    const move = moves.at(-1);
    if (move !== undefined && previous !== null && isSameMove(previous, statement)) move.push(statement);
    else moves.push([statement]);
    previous = statement;
  }
  return moves.flatMap((move) => toGateMove(move) ?? []);
}

function isSameMove(previous: Statement, statement: Statement): boolean {
  return msBetween(previous.observation.eventAt, statement.observation.eventAt) <= sameGateMoveMs;
}

function toGateMove(statements: readonly Statement[]): GateMove | null {
  const [statement] = statements.toSorted(
    (a, b) => Number(isGatePassage(b)) - Number(isGatePassage(a)) || compareCredibility(b, a),
  );
  if (statement === undefined) return null;
  const { code, isEmpty, eventAt } = statement.observation;
  return { direction: directions.get(code) ?? "in", place: statement.place, isEmpty, at: eventAt, statement };
}

function isGatePassage({ observation: { code } }: Statement): boolean {
  return code === "GTIN" || code === "GTOT";
}

function groupKey({ observation, mode, place }: Statement): string {
  const isRail = mode === "RAIL";
  return `${directions.get(observation.code)} ${observation.isEmpty} ${isRail} ${place}`;
}
