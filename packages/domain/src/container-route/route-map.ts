import type { Instant } from "../instant.ts";
import { hourMs, msBetween } from "../instant.ts";
import type { Vessel } from "../reference-data/vessel.ts";
import type { SeaPort, SeaRoute } from "../sea-routes/find-sea-route.ts";
import { type Position, withSteps } from "../sea-routes/great-circle.ts";
import { joinRoute } from "../sea-routes/join-route.ts";
import type { StoredVesselPosition } from "../vessel-positions/vessel-position.ts";
import type { RoutePlace, RouteStop } from "./route-stop.ts";
import { splitRoute } from "./split-route.ts";

/** Spacing of positions, so that lines follow great circles on maps that draw straight segments. */
const stepNm = 100;
/** An older AIS position is not drawn: a vessel sails 200 nautical miles in this time. */
const positionShownMs = 12 * hourMs;
/** A vessel farther from the leg is on another voyage: the carrier reported another vessel than it uses. */
const offRouteMaxNm = 300;

export interface MappedStop {
  readonly stop: RouteStop;
  readonly place: RoutePlace;
  readonly position: Position;
  /** POL, TS1, TS2, …, POD; DST for an inland destination. */
  readonly label: string;
}

/** A leg between two consecutive ports. `sequence` is the number of its first port, from 1. */
export interface MappedLeg {
  readonly from: MappedStop;
  readonly to: MappedStop;
  readonly sequence: number;
  readonly points: readonly Position[];
}

/** A vessel under way. */
export interface MappedVessel {
  readonly leg: MappedLeg;
  readonly vessel: Vessel | null;
  /** As the vessel reported it; else interpolated between departure and estimated arrival. */
  readonly position: Position;
  readonly at: Instant;
  /** Age of the position; 0 for an estimated one. */
  readonly ageMs: number;
  /** The AIS report that the position is from; null: the position is estimated. */
  readonly reported: StoredVesselPosition | null;
  /** From the vessel to its next port. */
  readonly ahead: readonly Position[];
}

export interface RouteMap {
  readonly stops: readonly MappedStop[];
  /** Between two ports with an actual departure and an actual arrival. */
  readonly sailedLegs: readonly MappedLeg[];
  /** All other legs, including the one under way. */
  readonly legsAhead: readonly MappedLeg[];
  readonly vessel: MappedVessel | null;
}

export type FindRoute = (from: SeaPort, to: SeaPort) => SeaRoute | null;
/** The newest reported position of a vessel by its id. */
export type ReportedPositions = ReadonlyMap<string, StoredVesselPosition>;

/**
 * The map of a route at a given time. Stops without coordinates and the legs to and from them are omitted. Inland legs
 * are not drawn, because the service has no rail or road network.
 */
export function routeMap(
  route: readonly RouteStop[],
  findRoute: FindRoute,
  now: Instant,
  reported: ReportedPositions = new Map(),
): RouteMap {
  const stops = mappedStops(route);
  const reachedUntil = route.findLastIndex(({ inbound }) => inbound?.actualAt != null);
  const legs = stops.slice(1).flatMap((to, index) => {
    const from = stops[index];
    const leg = from === undefined ? null : toLeg(from, to, index + 1, route, findRoute);
    return leg === null ? [] : [leg];
  });
  const isSailed = ({ from, to }: MappedLeg) =>
    from.stop.outbound?.actualAt != null && to.stop.inbound?.actualAt != null;
  const underWay = legs.findLast(
    ({ from, to }) => from.stop.outbound?.actualAt != null && route.indexOf(to.stop) > reachedUntil,
  );
  return {
    stops,
    sailedLegs: legs.filter(isSailed),
    legsAhead: legs.filter((leg) => !isSailed(leg)),
    vessel: underWay === undefined ? null : (reportedVessel(underWay, now, reported) ?? estimatedVessel(underWay, now)),
  };
}

function mappedStops(route: readonly RouteStop[]): readonly MappedStop[] {
  const transshipments = route.filter(({ role }) => role === "transshipment");
  const labels = { port_of_lading: "POL", port_of_discharge: "POD", destination: "DST" } as const;
  return route.flatMap((stop) => {
    const { place, role } = stop;
    if (place === null || place.longitude === null || place.latitude === null) return [];
    const label = role === "transshipment" ? `TS${transshipments.indexOf(stop) + 1}` : labels[role];
    return [{ stop, place, position: [place.longitude, place.latitude], label }];
  });
}

/** Null for inland legs, and where a stop in between was omitted. */
function toLeg(
  from: MappedStop,
  to: MappedStop,
  sequence: number,
  route: readonly RouteStop[],
  findRoute: FindRoute,
): MappedLeg | null {
  const areNeighbours = route.indexOf(to.stop) === route.indexOf(from.stop) + 1;
  if (!areNeighbours || to.stop.role === "destination") return null;
  const asPort = ({ place, position }: MappedStop): SeaPort => ({ locode: place.locode, position });
  const found = findRoute(asPort(from), asPort(to));
  return found === null ? null : { from, to, sequence, points: withSteps(found.points, stepNm) };
}

function vesselOf({ from, to }: MappedLeg): Vessel | null {
  return from.stop.outbound?.vessel ?? to.stop.inbound?.vessel ?? null;
}

/** Null without a recent position since the departure, near the leg. */
function reportedVessel(leg: MappedLeg, now: Instant, positions: ReportedPositions): MappedVessel | null {
  const vessel = vesselOf(leg);
  const departedAt = leg.from.stop.outbound?.actualAt ?? null;
  const reported = vessel === null ? undefined : positions.get(vessel.id);
  if (departedAt === null || reported === undefined || reported.at < departedAt) return null;
  if (msBetween(reported.at, now) > positionShownMs) return null;
  const { ahead, offNm } = joinRoute(leg.points, reported.position);
  if (offNm > offRouteMaxNm) return null;
  const { position, at } = reported;
  return { leg, vessel, position, at, ageMs: Math.max(0, msBetween(at, now)), reported, ahead };
}

function estimatedVessel(leg: MappedLeg, now: Instant): MappedVessel | null {
  const departedAt = leg.from.stop.outbound?.actualAt ?? null;
  const expectedAt = leg.to.stop.inbound?.estimatedAt ?? null;
  if (departedAt === null || expectedAt === null || expectedAt <= departedAt) return null;
  const share = Math.max(0, Math.min(1, msBetween(departedAt, now) / msBetween(departedAt, expectedAt)));
  const { position, ahead } = splitRoute(leg.points, share);
  return { leg, vessel: vesselOf(leg), position, at: now, ageMs: 0, reported: null, ahead };
}
