import { compareText } from "../compare-text.ts";
import type { Instant } from "../instant.ts";
import type { GateMove } from "./gate-moves.ts";
import { type InlandRoute, inlandRoute } from "./inland-route.ts";
import { type SeaRoute, seaRoute } from "./sea-route.ts";
import type { Series, SeriesByKey } from "./series.ts";
import { isNotBefore, type SourceEvent } from "./source-event.ts";

/** The reconstructed journey of a container, from which the rules derive its milestones. */
export interface Journey {
  readonly series: readonly Series[];
  readonly gates: readonly GateMove[];
  readonly sea: SeaRoute;
  readonly inland: InlandRoute;
  /** Time of the first actual vessel event; null: the container is still at the origin. */
  readonly sailedAt: Instant | null;
  /** The discharge at the port of discharge, or the vessel's arrival there when no discharge was reported. */
  readonly landed: SourceEvent | null;
  /** Source events reported by terminals. */
  readonly terminal: readonly SourceEvent[];
}

export function buildJourney(
  seriesByKey: SeriesByKey,
  gates: readonly GateMove[],
  terminal: readonly SourceEvent[] = [],
): Journey {
  const sea = seaRoute(seriesByKey);
  const series = [...seriesByKey.values()];
  const landed = sea.portOfDischarge?.discharge?.actual ?? sea.portOfDischarge?.arrival?.actual ?? null;
  const inland = inlandRoute(sea, series, gates, landed);
  return { series, gates, sea, inland, sailedAt: sailedAt(sea), landed, terminal };
}

/** Whether an event is before the first vessel event. */
export function isAtOrigin({ sailedAt }: Journey, sourceEvent: SourceEvent): boolean {
  return sailedAt === null || sourceEvent.observation.eventAt <= sailedAt;
}

/**
 * Whether an event is after the discharge from the last vessel or, if that is unknown, after the first vessel event.
 */
export function isAfterSea({ landed, sailedAt }: Journey, sourceEvent: SourceEvent): boolean {
  if (landed !== null) return isNotBefore(sourceEvent, landed);
  return sailedAt !== null && sourceEvent.observation.eventAt > sailedAt;
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
