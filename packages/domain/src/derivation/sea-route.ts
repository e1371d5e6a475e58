import type { Instant } from "../instant.ts";
import { primary, type SeriesByKey } from "./series.ts";
import { hasActualMove, isInbound, isOutbound, type VesselCall, vesselCalls } from "./vessel-call.ts";

/** The ports of a container's ocean voyage, planned and actual. */
export interface SeaRoute {
  readonly portOfLading: VesselCall | null;
  readonly transshipments: readonly VesselCall[];
  /** Null while the container sails on to a port that is not known. */
  readonly portOfDischarge: VesselCall | null;
}

/**
 * Assigns each port its role. The port of discharge is the last one, and only if the container does not leave it on a
 * vessel.
 */
export function seaRoute(series: SeriesByKey): SeaRoute {
  const planned = vesselCalls(series).map(withoutVesselSailingOn);
  const calls = withoutCallsOnBoard(withoutOvertakenArrivals(withoutAbandonedLadings(planned)));
  const first = calls[0];
  const portOfLading = first !== undefined && isOutbound(first) && first.discharge === null ? first : null;
  const onward = portOfLading === null ? calls : calls.slice(1);
  const last = onward.at(-1);
  const portOfDischarge = last !== undefined && isInbound(last) && !isOutbound(last) ? last : null;
  const between = portOfDischarge === null ? onward : onward.slice(0, -1);
  const isHandled = (call: VesselCall) => isOutbound(call) || call.discharge !== null;
  const transshipments = between.filter((call, index) => portOfLading !== null || index > 0 || isHandled(call));
  return { portOfLading, transshipments, portOfDischarge };
}

/** The calls of a route in order. */
export const callsOf = ({ portOfLading, transshipments, portOfDischarge }: SeaRoute): readonly VesselCall[] =>
  [portOfLading, ...transshipments, portOfDischarge].filter((call) => call !== null);

/** Start of the ocean voyage: the first known departure, planned or actual. */
export function seaStart({ portOfLading, transshipments, portOfDischarge }: SeaRoute): Instant | null {
  const calls = [...transshipments, ...(portOfDischarge === null ? [] : [portOfDischarge])];
  const moves = [
    portOfLading?.departure,
    portOfLading?.loading,
    ...calls.flatMap((call) => [call.arrival, call.discharge]),
  ];
  for (const move of moves) {
    const sourceEvent = primary(move ?? null);
    if (sourceEvent !== null) return sourceEvent.observation.eventAt;
  }
  return null;
}

/**
 * Removes the departure of the vessel that brought the container when the container stays: it is discharged at the
 * port, or no port follows.
 */
function withoutVesselSailingOn(call: VesselCall, index: number, calls: readonly VesselCall[]): VesselCall {
  const isSameVessel = call.inboundVessel !== null && call.inboundVessel === call.outboundVessel;
  if (!isSameVessel || call.loading !== null) return call;
  const isLast = !calls.slice(index + 1).some(isInbound);
  return isLast || call.discharge !== null ? { ...call, departure: null } : call;
}

/** Removes intermediate ports where the container stays on board. */
function withoutCallsOnBoard(calls: readonly VesselCall[]): readonly VesselCall[] {
  return calls.filter((call, index) => {
    const vessel = calls[index - 1]?.outboundVessel ?? calls[index - 1]?.inboundVessel ?? null;
    if (vessel === null || call.loading !== null || call.discharge !== null) return true;
    const leavesWith = calls[index + 1]?.inboundVessel ?? null;
    const isOnBoard = [call.inboundVessel, call.outboundVessel].every((other) => other === null || other === vessel);
    return !(isOnBoard && leavesWith === vessel);
  });
}

/** Removes planned ports before the actual first loading where nothing happened. */
function withoutAbandonedLadings(calls: readonly VesselCall[]): readonly VesselCall[] {
  const at = calls.findIndex((call) => call.loading?.actual != null);
  const loaded = calls[at];
  if (loaded === undefined || loaded.discharge !== null) return calls;
  const comesFromSea = loaded.arrival !== null && loaded.inboundVessel !== loaded.outboundVessel;
  return comesFromSea ? calls : calls.filter((call, index) => index >= at || hasActualMove(call));
}

/**
 * Removes later estimated arrivals on the vessel that the container was discharged from, unless they were reported
 * after the discharge: they are remains of the plan.
 */
function withoutOvertakenArrivals(calls: readonly VesselCall[]): readonly VesselCall[] {
  const at = calls.findLastIndex((call) => call.discharge?.actual != null);
  const call = calls[at];
  const discharged = call?.discharge?.actual;
  if (call === undefined || discharged == null || isOutbound(call)) return calls;
  return calls.filter((later, index) => {
    if (index <= at || hasActualMove(later) || isOutbound(later) || later.discharge !== null) return true;
    const reportedAt = primary(later.arrival)?.reportedAt ?? "";
    return (
      later.inboundVessel === null || later.inboundVessel !== call.inboundVessel || reportedAt > discharged.reportedAt
    );
  });
}
