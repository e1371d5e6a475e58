import type { Instant } from "../instant.ts";
import type { Vessel } from "../reference-data/vessel.ts";
import type { SeaPort, SeaRoute } from "../sea-routes/find-sea-route.ts";
import type { Position } from "../sea-routes/great-circle.ts";
import type { StoredVesselPosition } from "../vessel-positions/vessel-position.ts";
import { drawnLine, type LegPosition, positionOnLeg } from "./leg-position.ts";
import type { RoutePlace, RouteStop } from "./route-stop.ts";

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
export interface MappedVessel extends LegPosition {
  readonly leg: MappedLeg;
  readonly vessel: Vessel | null;
}

export interface RouteMap {
  readonly stops: readonly MappedStop[];
  /** Legs between two ports with an actual departure and an actual arrival. */
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
  const lastDepartedIndex = route.findLastIndex(
    ({ outbound }, index) => outbound?.actualAt != null && index >= reachedUntil && index < route.length - 1,
  );
  const underWay = legs.find(({ from }) => from.stop === route[lastDepartedIndex]);
  return {
    stops,
    sailedLegs: legs.filter(isSailed),
    legsAhead: legs.filter((leg) => !isSailed(leg)),
    vessel: underWay === undefined ? null : mappedVessel(underWay, now, reported),
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
  return found === null ? null : { from, to, sequence, points: drawnLine(found) };
}

function vesselOf({ from, to }: MappedLeg): Vessel | null {
  return from.stop.outbound?.vessel ?? to.stop.inbound?.vessel ?? null;
}

function mappedVessel(leg: MappedLeg, now: Instant, positions: ReportedPositions): MappedVessel | null {
  const vessel = vesselOf(leg);
  const { points, from, to } = leg;
  const [departedAt, expectedAt] = [from.stop.outbound?.actualAt ?? null, to.stop.inbound?.estimatedAt ?? null];
  const found = positionOnLeg(
    { points, departedAt, expectedAt },
    now,
    vessel === null ? undefined : positions.get(vessel.id),
  );
  return found === null ? null : { leg, vessel, ...found };
}
