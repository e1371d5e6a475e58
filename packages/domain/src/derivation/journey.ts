import type { Instant } from "../instant.ts";
import type { GateMove } from "./gate-moves.ts";
import { type InlandRoute, inlandRoute } from "./inland-route.ts";
import { type SeaRoute, seaRoute } from "./sea-route.ts";
import type { Series, SeriesByKey } from "./series.ts";
import { compareText, isNotBefore, type Statement } from "./statement.ts";

/** The reconstructed journey of a container, from which the rules derive its milestones. */
export interface Journey {
  readonly series: readonly Series[];
  readonly gates: readonly GateMove[];
  readonly sea: SeaRoute;
  readonly inland: InlandRoute;
  /** Time of the first actual vessel event; null: the container is still at the origin. */
  readonly sailedAt: Instant | null;
  /** The discharge at the port of discharge, or the vessel's arrival there when no discharge was told. */
  readonly landed: Statement | null;
  /** What terminals say of the container. */
  readonly terminal: readonly Statement[];
}

export function journeyOf(
  seriesByKey: SeriesByKey,
  gates: readonly GateMove[],
  terminal: readonly Statement[] = [],
): Journey {
  const sea = seaRoute(seriesByKey);
  const series = [...seriesByKey.values()];
  const landed = sea.portOfDischarge?.discharge?.actual ?? sea.portOfDischarge?.arrival?.actual ?? null;
  const inland = inlandRoute(sea, series, gates, landed);
  return { series, gates, sea, inland, sailedAt: sailedAt(sea), landed, terminal };
}

/** Whether something happened before the container went to sea. */
export function isAtOrigin({ sailedAt }: Journey, statement: Statement): boolean {
  return sailedAt === null || statement.observation.eventAt <= sailedAt;
}

/** Whether something happened after the container came off its last vessel, as far as that is known. */
export function isAfterSea({ landed, sailedAt }: Journey, statement: Statement): boolean {
  if (landed !== null) return isNotBefore(statement, landed);
  return sailedAt !== null && statement.observation.eventAt > sailedAt;
}

function sailedAt({ portOfLading, transshipments, portOfDischarge }: SeaRoute): Instant | null {
  const moves = [
    portOfLading?.loading,
    portOfLading?.departure,
    ...transshipments.flatMap((call) => [call.arrival, call.discharge, call.loading, call.departure]),
    portOfDischarge?.arrival,
    portOfDischarge?.discharge,
  ];
  const times = moves.flatMap((series) => series?.actual?.observation.eventAt ?? []);
  return times.sort(compareText)[0] ?? null;
}
