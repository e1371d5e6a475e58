import type { Instant } from "../instant.ts";
import type { GateMove } from "./gate-moves.ts";
import { callsOf, type SeaRoute, seaStart } from "./sea-route.ts";
import { primary, type Series } from "./series.ts";
import { compareTime, isNotBefore, type SourceEvent } from "./source-event.ts";

/** The inland leg after the port of discharge. */
export interface InlandRoute {
  /** Null: no inland destination is known; the journey ends at the port of discharge. */
  readonly destination: string | null;
  /** The source event that gives the name and facility of the destination. */
  readonly namedBy: SourceEvent | null;
  /** Arrivals at the destination by rail, barge or truck. */
  readonly arrivals: readonly Series[];
  /** The full container entering the inland terminal, which some carriers report instead of the arrival. */
  readonly gateIn: GateMove | null;
  readonly isOnward: (series: Series) => boolean;
}

/**
 * Facilities where a laden container is handed over. Depots, off-dock yards and customer sites are not destinations.
 */
const inlandFacilities: ReadonlySet<string | null> = new Set([null, "RAMP", "INTE", "COYA", "COFS"]);

/** The destination is the last inland place that the laden container reaches, planned or actual. */
export function inlandRoute(
  sea: SeaRoute,
  series: readonly Series[],
  gates: readonly GateMove[],
  landingEvent: SourceEvent | null,
): InlandRoute {
  const isOnward = onwardTest(sea);
  const ports = new Set(portsOf(sea));
  const arrivals = series.filter((one) => one.code === "ARRI" && !ports.has(one.place) && isOnward(one));
  const gateIns = gates.filter((gate) => isInlandGateIn(gate, landingEvent) && !ports.has(gate.place));
  const named = [...arrivals.flatMap((one) => primary(one) ?? []), ...gateIns.map(({ sourceEvent }) => sourceEvent)];
  const namedBy =
    named
      .filter(({ place }) => place !== "")
      .toSorted(compareTime)
      .at(-1) ?? null;
  const destination = namedBy?.place ?? null;
  return {
    destination,
    namedBy,
    arrivals: arrivals.filter(({ place }) => place === destination),
    gateIn: gateIns.find(({ place }) => place === destination) ?? null,
    isOnward,
  };
}

const portsOf = (sea: SeaRoute): readonly string[] => callsOf(sea).map(({ place }) => place);

/**
 * Distinguishes inland moves after the voyage from those before it. Rail and truck moves after the sailing are always
 * at the other end; barges also run between two ocean vessels, so they are compared with the discharge.
 */
function onwardTest(sea: SeaRoute): (series: Series) => boolean {
  const sailsAt = seaStart(sea);
  const pod = sea.portOfDischarge;
  const landsAt = primary(pod?.arrival ?? null) ?? primary(pod?.discharge ?? null);
  return (series) => {
    const at = primary(series)?.observation.eventAt;
    if (at === undefined || sailsAt === null || series.mode === "VESSEL") return false;
    return at > (series.mode === "BARGE" ? bargeStart(landsAt, sailsAt) : sailsAt);
  };
}

function bargeStart(landsAt: SourceEvent | null, sailsAt: Instant): Instant {
  return landsAt?.observation.eventAt ?? sailsAt;
}

function isInlandGateIn({ direction, isEmpty, sourceEvent }: GateMove, landingEvent: SourceEvent | null): boolean {
  if (direction !== "in" || isEmpty !== false || landingEvent === null) return false;
  return inlandFacilities.has(sourceEvent.observation.place.facilityType) && isNotBefore(sourceEvent, landingEvent);
}
