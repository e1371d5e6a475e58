import { compareText } from "../compare-text.ts";
import { latest, primary, type Series, type SeriesByKey } from "./series.ts";
import { compareNewness, compareTime, type SourceEvent } from "./source-event.ts";

/** The vessel moves of a container at a port. */
export interface VesselCall {
  readonly place: string;
  /** Arrival of the inbound vessel. */
  readonly arrival: Series | null;
  readonly discharge: Series | null;
  readonly loading: Series | null;
  /** Departure of the outbound vessel. */
  readonly departure: Series | null;
  readonly inboundVessel: string | null;
  readonly outboundVessel: string | null;
}

interface PortSeries {
  readonly place: string;
  readonly arrivals: Series[];
  readonly departures: Series[];
  discharge: Series | null;
  loading: Series | null;
  earliest: SourceEvent | null;
}

export function isInbound(call: VesselCall): boolean {
  return call.arrival !== null || call.discharge !== null;
}

/** Whether any of its moves has happened. */
export function hasActualMove({ arrival, discharge, loading, departure }: VesselCall): boolean {
  return [arrival, discharge, loading, departure].some((series) => series?.actual != null);
}

export function isOutbound(call: VesselCall): boolean {
  return call.departure !== null || call.loading !== null;
}

/** The calls in journey order. If several vessels call at a port, those that carry this container are chosen. */
export function vesselCalls(series: SeriesByKey): readonly VesselCall[] {
  let aboard: string | null = null;
  return seriesByPort(series).map((port) => {
    const call = vesselCall(port, aboard);
    aboard = call.outboundVessel ?? aboard;
    return call;
  });
}

function vesselCall(port: PortSeries, aboard: string | null): VesselCall {
  const loadedOn = primary(port.loading)?.vessel ?? null;
  const dischargedFrom = primary(port.discharge)?.vessel ?? null;
  const arrival = chooseVessel(port.arrivals, port.discharge, dischargedFrom ?? aboard, loadedOn);
  const inboundVessel = dischargedFrom ?? arrival?.vessel ?? null;
  const departure = chooseVessel(port.departures, port.loading, loadedOn, inboundVessel);
  return {
    place: port.place,
    arrival,
    discharge: port.discharge,
    loading: port.loading,
    departure,
    inboundVessel,
    outboundVessel: loadedOn ?? departure?.vessel ?? null,
  };
}

/**
 * Chooses among the vessels that call at the port: the one that the container is known to be on, else one that is not
 * the other vessel of the call. Among those it prefers an actual, then the newest report, because the old plan may
 * remain after a rollover.
 */
function chooseVessel(
  candidates: readonly Series[],
  handling: Series | null,
  expected: string | null,
  other: string | null,
): Series | null {
  const carrying = candidates.filter(({ vessel }) => vessel === expected);
  const unnamed = candidates.filter(({ vessel }) => vessel === null);
  const isCertain = expected !== null && handling?.actual?.vessel === expected;
  if (expected !== null && (carrying.length > 0 || isCertain)) return best(carrying) ?? best(unnamed);
  return best(candidates.filter(({ vessel }) => vessel === null || vessel !== other)) ?? best(candidates);
}

function best(candidates: readonly Series[]): Series | null {
  return candidates.reduce<Series | null>((chosen, candidate) => {
    if (chosen === null) return candidate;
    if ((candidate.actual === null) !== (chosen.actual === null)) return candidate.actual === null ? chosen : candidate;
    const [newestCandidate, newestChosen] = [latest(candidate), latest(chosen)];
    return newestCandidate !== null && newestChosen !== null && compareNewness(newestCandidate, newestChosen) > 0
      ? candidate
      : chosen;
  }, null);
}

function seriesByPort(series: SeriesByKey): readonly PortSeries[] {
  const ports = new Map<string, PortSeries>();
  for (const one of series.values()) {
    if (one.mode !== "VESSEL" || one.place === "") continue;
    let port = ports.get(one.place);
    if (port === undefined) {
      port = emptyPort(one.place);
      ports.set(one.place, port);
    }
    addSeries(port, one);
  }
  return [...ports.values()].filter(({ earliest }) => earliest !== null).sort(compareInJourneyOrder);
}

function emptyPort(place: string): PortSeries {
  return {
    place,
    arrivals: [],
    departures: [],
    discharge: null,
    loading: null,
    earliest: null,
  };
}

function addSeries(port: PortSeries, series: Series): void {
  const { code } = series;
  const at = primary(series);
  if (at === null) return;
  if (code === "ARRI") port.arrivals.push(series);
  else if (code === "DEPA") port.departures.push(series);
  else if (code === "DISC") port.discharge = series;
  else if (code === "LOAD") port.loading = series;
  else return;
  if (port.earliest === null || compareTime(at, port.earliest) < 0) port.earliest = at;
}

function compareInJourneyOrder(a: PortSeries, b: PortSeries): number {
  const [first, second] = [a.earliest?.observation, b.earliest?.observation];
  return (
    compareText(first?.eventAt ?? "", second?.eventAt ?? "") ||
    (first?.call?.sequence ?? 0) - (second?.call?.sequence ?? 0) ||
    compareText(a.place, b.place)
  );
}
