import type { GateMove } from "./gate-moves.ts";
import { type InlandRoute, inlandRoute } from "./inland-route.ts";
import { type SeaRoute, seaRoute } from "./sea-route.ts";
import type { Series, SeriesByKey } from "./series.ts";
import { compareTime, isNotBefore, type SourceEvent } from "./source-event.ts";

/** The reconstructed journey of a container, from which the rules derive its milestones. */
export interface Journey {
  readonly series: readonly Series[];
  readonly gates: readonly GateMove[];
  readonly sea: SeaRoute;
  readonly inland: InlandRoute;
  /** The first actual vessel event; null: the container is still at the origin. */
  readonly sailed: SourceEvent | null;
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
  return { series, gates, sea, inland, sailed: firstVesselMove(sea), landed, terminal };
}

/** Whether an event is before the first vessel event. Of a date without a time the whole day is. */
export function isAtOrigin({ sailed }: Journey, sourceEvent: SourceEvent): boolean {
  return sailed === null || isNotBefore(sailed, sourceEvent);
}

/**
 * Whether an event is after the discharge from the last vessel or, if that is unknown, after the first vessel event.
 */
export function isAfterSea(journey: Journey, sourceEvent: SourceEvent): boolean {
  const { landed } = journey;
  return landed === null ? !isAtOrigin(journey, sourceEvent) : isNotBefore(sourceEvent, landed);
}

function firstVesselMove({ portOfLading, transshipments, portOfDischarge }: SeaRoute): SourceEvent | null {
  const moves = [
    portOfLading?.loading,
    portOfLading?.departure,
    ...transshipments.flatMap((call) => [call.arrival, call.discharge, call.loading, call.departure]),
    portOfDischarge?.arrival,
    portOfDischarge?.discharge,
  ];
  return moves.flatMap((series) => series?.actual ?? []).toSorted(compareTime)[0] ?? null;
}
