import { type GateMove, gateMoves, isGateCode } from "./gate-moves.ts";
import { type SeriesByKey, SeriesCollector } from "./series.ts";
import type { StandingStatements } from "./standing-statements.ts";
import { newest, type Statement } from "./statement.ts";
import { isWithin, type VoyageWindow } from "./voyage-window.ts";

/** Statements by whom they concern. */
interface StatementGroups {
  readonly containers: ReadonlyMap<string, StandingStatements>;
  /** Of no container in particular: they concern each one whose way leads through the call. */
  readonly shared: StandingStatements;
  /** Shipment events: about booking and bill of lading, not about a move. */
  readonly documents: readonly Statement[];
}

/** What a group reports, reduced for the rules. */
export interface GroupFacts {
  readonly series: SeriesByKey;
  readonly gates: readonly GateMove[];
  /** What terminals report of the container. */
  readonly terminal: readonly Statement[];
  readonly description: ContainerDescription;
}

/** What equipment events report of the container itself: the newest value of each. */
export interface ContainerDescription {
  readonly sizeType: Statement | null;
  readonly seal: Statement | null;
}

export function groupStatements({ holding, lapsed }: StandingStatements): StatementGroups {
  const containers = new Map<string, { holding: Statement[]; lapsed: Statement[] }>();
  const shared: { holding: Statement[]; lapsed: Statement[] } = { holding: [], lapsed: [] };
  const documents: Statement[] = [];
  for (const statement of holding) {
    const { containerNumber, eventType } = statement.observation;
    if (eventType === "SHIPMENT") documents.push(statement);
    else if (containerNumber === null) shared.holding.push(statement);
    else {
      const group = containers.get(containerNumber);
      if (group === undefined) containers.set(containerNumber, { holding: [statement], lapsed: [] });
      else group.holding.push(statement);
    }
  }
  for (const statement of lapsed) {
    const { containerNumber } = statement.observation;
    const group = containerNumber === null ? shared : containers.get(containerNumber);
    group?.lapsed.push(statement);
  }
  return { containers, shared, documents };
}

export function factsOf(group: StandingStatements): GroupFacts {
  const collector = new SeriesCollector();
  const gates: Statement[] = [];
  const terminal: Statement[] = [];
  let sizeType: Statement | null = null;
  let seal: Statement | null = null;
  for (const statement of group.holding) {
    const { eventType, code, isoEquipmentCode, seals } = statement.observation;
    if (eventType === "TERMINAL") {
      terminal.push(statement);
      continue;
    }
    if (!isGateCode(code)) collector.add(statement);
    else if (statement.classifier === "ACT") gates.push(statement);
    if (isoEquipmentCode !== null) sizeType = newest(sizeType, statement);
    if (seals.length > 0 && code !== "RMVD") seal = newest(seal, statement);
  }
  for (const statement of group.lapsed) collector.remember(statement);
  return { series: collector.collected(), gates: gateMoves(gates), terminal, description: { sizeType, seal } };
}

export function withinWindow(window: VoyageWindow, { holding, lapsed }: StandingStatements): StandingStatements {
  const isOfJourney = (statement: Statement) => isWithin(window, statement);
  return { holding: holding.filter(isOfJourney), lapsed: lapsed.filter(isOfJourney) };
}
