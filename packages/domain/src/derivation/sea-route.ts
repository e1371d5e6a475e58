import type { Instant } from "../instant.ts";
import { primary, type SeriesByKey } from "./series.ts";
import { isInbound, isOutbound, type VesselCall, vesselCalls } from "./vessel-call.ts";

/** The ocean voyage of a container by its ports, planned and actual together. */
export interface SeaRoute {
  readonly portOfLading: VesselCall | null;
  readonly transshipments: readonly VesselCall[];
  /** Null while the container is known to sail on, but not where to. */
  readonly portOfDischarge: VesselCall | null;
}

/**
 * Gives each port its role. A discharge is at the port of discharge only when no sea lies ahead: when the container
 * neither leaves that port nor calls at a later one on a vessel.
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

/** When the container goes, or went, to sea: the first departure, planned or actual; as far as known. */
export function seaStart({ portOfLading, transshipments, portOfDischarge }: SeaRoute): Instant | null {
  const calls = [...transshipments, ...(portOfDischarge === null ? [] : [portOfDischarge])];
  const moves = [
    portOfLading?.departure,
    portOfLading?.loading,
    ...calls.flatMap((call) => [call.arrival, call.discharge]),
  ];
  for (const move of moves) {
    const statement = primary(move ?? null);
    if (statement !== null) return statement.observation.eventAt;
  }
  return null;
}

/**
 * The vessel that brought the container also leaves the port of discharge, and its departure does not take the
 * container along: not when it was to be discharged there, and not when no port follows.
 */
function withoutVesselSailingOn(call: VesselCall, index: number, calls: readonly VesselCall[]): VesselCall {
  const isSameVessel = call.inboundVessel !== null && call.inboundVessel === call.outboundVessel;
  if (!isSameVessel || call.loading !== null) return call;
  const isLast = !calls.slice(index + 1).some(isInbound);
  return isLast || call.discharge !== null ? { ...call, departure: null } : call;
}

/** Ports between, where the container stays on board of the vessel that brings it to the next port. */
function withoutCallsOnBoard(calls: readonly VesselCall[]): readonly VesselCall[] {
  return calls.filter((call, index) => {
    const vessel = calls[index - 1]?.outboundVessel ?? calls[index - 1]?.inboundVessel ?? null;
    if (vessel === null || call.loading !== null || call.discharge !== null) return true;
    const leavesWith = calls[index + 1]?.inboundVessel ?? null;
    const isOnBoard = [call.inboundVessel, call.outboundVessel].every((other) => other === null || other === vessel);
    return !(isOnBoard && leavesWith === vessel);
  });
}

/** A container that was loaded as its voyage began was not loaded at an earlier port of the plan, where nothing happened. */
function withoutAbandonedLadings(calls: readonly VesselCall[]): readonly VesselCall[] {
  const at = calls.findIndex((call) => call.loading?.actual != null);
  const loaded = calls[at];
  if (loaded === undefined || loaded.discharge !== null) return calls;
  const comesFromSea = loaded.arrival !== null && loaded.inboundVessel !== loaded.outboundVessel;
  return comesFromSea ? calls : calls.filter((call, index) => index >= at || hasHappened(call));
}

function hasHappened({ arrival, discharge, loading, departure }: VesselCall): boolean {
  return [arrival, discharge, loading, departure].some((series) => series?.actual != null);
}

/**
 * A container discharged for good does not arrive anywhere any more on the vessel that it left. Such an estimate is a
 * left-over of the plan, unless it was stated after the discharge.
 */
function withoutOvertakenArrivals(calls: readonly VesselCall[]): readonly VesselCall[] {
  const at = calls.findLastIndex((call) => call.discharge?.actual != null);
  const call = calls[at];
  const discharged = call?.discharge?.actual;
  if (call === undefined || discharged == null || isOutbound(call)) return calls;
  return calls.filter((later, index) => {
    if (index <= at || hasHappened(later) || isOutbound(later) || later.discharge !== null) return true;
    const stated = primary(later.arrival)?.statedAt ?? "";
    return later.inboundVessel === null || later.inboundVessel !== call.inboundVessel || stated > discharged.statedAt;
  });
}
