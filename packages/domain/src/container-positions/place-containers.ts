import { drawnLine, headingOnLeg, type LegPosition, positionOnLeg } from "../container-route/leg-position.ts";
import type { FindRoute, ReportedPositions } from "../container-route/route-map.ts";
import type { RoutePlace, RouteRecords } from "../container-route/route-stop.ts";
import type { ContainerStatus } from "../containers/container.ts";
import type { ContainerLocation, VesselLeg } from "../derivation/derived-shipment.ts";
import type { Instant } from "../instant.ts";
import type { Vessel } from "../reference-data/vessel.ts";
import type { Position } from "../sea-routes/great-circle.ts";

/** The containers that a map of all voyages leaves out: they left the transport that is tracked. */
export const statusesOffTheMap = [
  "picked_up",
  "dropped",
  "delivered",
  "empty_returned",
] as const satisfies ContainerStatus[];

/** A container with what the map shows of it. */
export interface LocatedContainer {
  readonly id: string;
  readonly number: string;
  readonly shipmentId: string;
  readonly status: ContainerStatus;
  /** Value of `delayDays` of shipments. */
  readonly delayDays: number | null;
  readonly hasOpenException: boolean;
  /** Whether a hold at its terminal is active. */
  readonly isHeld: boolean;
  /** Whether it has arrived at the port of discharge. */
  readonly hasArrived: boolean;
  readonly location: ContainerLocation;
}

/** One position with the containers that are there: a vessel on a leg, or the place of their last event. */
export interface ContainerPlace {
  /** Unique on one map. The same for the same vessel on the same leg. */
  readonly id: string;
  readonly position: Position;
  /** `ais`: reported by the vessel; `estimated`: along the lane by time; `event`: the place of the last event. */
  readonly source: "ais" | "estimated" | "event";
  /** When the vessel reported it; null for other sources. */
  readonly reportedAt: Instant | null;
  /** Clockwise from north; null at a place, and of a vessel that waits before its port. */
  readonly headingDegrees: number | null;
  readonly vessel: Vessel | null;
  /** The leg's first and last port; null at a place. */
  readonly leg: {
    readonly from: RoutePlace;
    readonly to: RoutePlace;
    /** ETA at the last port; null: not reported. */
    readonly expectedAt: Instant | null;
  } | null;
  /** The place of the last event; null on a leg. */
  readonly place: RoutePlace | null;
  /** Containers, ordered by number. */
  readonly containers: readonly LocatedContainer[];
}

export interface ContainerPlaces {
  /** Places, those with the most containers first. */
  readonly places: readonly ContainerPlace[];
  /** The number of containers without an event, or whose place has no coordinates. */
  readonly withoutPosition: number;
}

type Spot = Omit<ContainerPlace, "id" | "containers">;

const positionOf = (place: RoutePlace | null): Position | null =>
  place === null || place.longitude === null || place.latitude === null ? null : [place.longitude, place.latitude];

/**
 * The containers by their positions now. The position of a vessel is that of the route's map of each of its containers.
 * Containers with the same leg and times share one computation.
 */
export function placeContainers(
  containers: readonly LocatedContainer[],
  records: Pick<RouteRecords, "kindOf" | "place" | "vessel">,
  findRoute: FindRoute,
  now: Instant,
  reported: ReportedPositions,
): ContainerPlaces {
  const spots = new Map<string, { readonly spot: Spot; readonly placed: LocatedContainer[] }>();
  const spotIds = new Map<string, string | null>();
  let withoutPosition = 0;
  const add = (key: string, find: () => Spot | null): string | null => {
    const known = spotIds.get(key);
    if (known !== undefined) return known;
    const spot = find();
    const id = spot === null ? null : spotId(spot, spots);
    if (spot !== null && id !== null && !spots.has(id)) spots.set(id, { spot, placed: [] });
    spotIds.set(key, id);
    return id;
  };
  const placeAt = (locode: string) => records.place({ locode, name: null, kind: records.kindOf(locode) ?? "port" });
  const placeSpot = (locode: string): Spot | null => {
    const place = placeAt(locode);
    const position = positionOf(place);
    if (place === null || position === null) return null;
    return { position, source: "event", reportedAt: null, headingDegrees: null, vessel: null, leg: null, place };
  };
  const legSpot = (leg: VesselLeg): Spot | null => {
    const [from, to] = [placeAt(leg.from), placeAt(leg.to)];
    const [start, end] = [positionOf(from), positionOf(to)];
    if (from === null || to === null || start === null || end === null) return null;
    const route = findRoute({ locode: from.locode, position: start }, { locode: to.locode, position: end });
    if (route === null) return null;
    const vessel = leg.vessel === null ? null : records.vessel(leg.vessel);
    const report = vessel === null ? undefined : reported.get(vessel.id);
    const found = positionOnLeg({ ...leg, points: drawnLine(route) }, now, report);
    return found === null ? null : vesselSpot(found, vessel, { from, to, expectedAt: leg.expectedAt });
  };
  for (const container of containers) {
    const { leg, locode } = container.location;
    const onLeg = leg === null ? null : add(legKey(leg), () => legSpot(leg));
    const id = onLeg ?? (locode === null ? null : add(locode, () => placeSpot(locode)));
    const placed = id === null ? undefined : spots.get(id)?.placed;
    if (placed === undefined) withoutPosition += 1;
    else placed.push(container);
  }
  const places = [...spots].map(([id, { spot, placed }]) => ({ id, ...spot, containers: placed.toSorted(byNumber) }));
  return { places: places.toSorted(byCount), withoutPosition };
}

const byNumber = (a: LocatedContainer, b: LocatedContainer): number => (a.number < b.number ? -1 : 1);
const byCount = (a: ContainerPlace, b: ContainerPlace): number =>
  b.containers.length - a.containers.length || (a.id < b.id ? -1 : 1);

const legKey = ({ from, to, vessel, departedAt, expectedAt }: VesselLeg): string =>
  [from, to, vessel?.imo ?? vessel?.name, departedAt, expectedAt].join("|");

function vesselSpot(found: LegPosition, vessel: Vessel | null, leg: NonNullable<Spot["leg"]>): Spot {
  const { position, reported, at } = found;
  const source = reported === null ? "estimated" : "ais";
  const reportedAt = reported === null ? null : at;
  return { position, source, reportedAt, headingDegrees: headingOnLeg(found), vessel, leg, place: null };
}

/** Legs of one vessel with other times are spots of their own, unless it reports its position and has one ETA. */
function spotId(spot: Spot, spots: ReadonlyMap<string, { readonly spot: Spot }>): string {
  const { vessel, leg, place } = spot;
  const base = leg ? [vessel?.imo ?? vessel?.id ?? "vessel", leg.from.locode, leg.to.locode].join("-") : place?.locode;
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? `${base}` : `${base}-${number}`;
    const other = spots.get(id);
    const isSame =
      other?.spot.position.join() === spot.position.join() && other.spot.leg?.expectedAt === leg?.expectedAt;
    if (other === undefined || isSame) return id;
  }
}
