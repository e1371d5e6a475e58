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
  readonly firstVesselEvent: SourceEvent | null;
  /** The discharge at the port of discharge, or the vessel's arrival there when no discharge was reported. */
  readonly landingEvent: SourceEvent | null;
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
  const landingEvent = sea.portOfDischarge?.discharge?.actual ?? sea.portOfDischarge?.arrival?.actual ?? null;
  const inland = inlandRoute(sea, series, gates, landingEvent);
  return { series, gates, sea, inland, firstVesselEvent: firstVesselMove(sea), landingEvent, terminal };
}

/** Whether an event is before the first vessel event. Of a date without a time the whole day is. */
export function isAtOrigin({ firstVesselEvent }: Journey, sourceEvent: SourceEvent): boolean {
  return firstVesselEvent === null || isNotBefore(firstVesselEvent, sourceEvent);
}

/**
 * Whether an event is after the discharge from the last vessel or, if that is unknown, after the first vessel event.
 */
export function isAfterSea(journey: Journey, sourceEvent: SourceEvent): boolean {
  const { landingEvent } = journey;
  return landingEvent === null ? !isAtOrigin(journey, sourceEvent) : isNotBefore(sourceEvent, landingEvent);
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
