import { hourMs } from "@svc/domain";
import { splitRoute } from "@svc/domain/container-route";
import { courseDegrees, findSeaRoute, type Position, type SeaRoute } from "@svc/domain/sea-routes";
import type { Fact } from "../voyage/fact.ts";
import { type Place, placeByLocode } from "../world/places.ts";
import type { Vessel } from "../world/vessels.ts";

/** A vessel under way between two ports. Simulated epoch milliseconds. */
interface Passage {
  readonly imo: string;
  readonly name: string;
  readonly from: Place;
  readonly to: Place;
  readonly departure: number;
  readonly arrival: number;
}

export interface VesselMovement {
  readonly imo: string;
  readonly mmsi: string;
  readonly name: string;
  readonly position: Position;
  readonly speedKnots: number;
  readonly courseDegrees: number;
  readonly destination: string;
}

const routes = new Map<string, SeaRoute | null>();

/** The fleet's fictional MMSIs: 200 is assigned to no country. */
const mmsiOf = ({ imo }: Pick<Vessel, "imo">): string => `200${imo.slice(1)}`;

/**
 * Finds where the vessels of some shipments are at a time. The carrier's shipments are independent of each other, so
 * two may name one vessel at the same time: it sails where it departed first.
 */
export function vesselMovements(shipments: readonly (readonly Fact[])[], now: number): readonly VesselMovement[] {
  const underWay = shipments
    .flatMap(passagesOf)
    .filter(({ departure, arrival }) => departure <= now && now < arrival)
    .toSorted((a, b) => a.departure - b.departure);
  const firstByImo = new Map<string, Passage>();
  for (const passage of underWay) if (!firstByImo.has(passage.imo)) firstByImo.set(passage.imo, passage);
  return [...firstByImo.values()].flatMap((passage) => movementAt(passage, now) ?? []);
}

/** Returns the passages of a vessel: from each actual departure to the next actual arrival. */
function passagesOf(facts: readonly Fact[]): readonly Passage[] {
  const moves = facts.flatMap(({ event, at, withdrawnAt }) => {
    if (event.eventType !== "TRANSPORT" || event.eventClassifierCode !== "ACT" || withdrawnAt !== null) return [];
    const { vessel, UNLocationCode: locode = "" } = event.transportCall;
    const place = placeByLocode.get(locode);
    return vessel && place ? [{ code: event.transportEventTypeCode, vessel, place, at }] : [];
  });
  return moves.flatMap(({ code, vessel, place, at }) => {
    const arrival = moves
      .filter((one) => one.code === "ARRI" && one.at > at && one.vessel.vesselIMONumber === vessel.vesselIMONumber)
      .toSorted((a, b) => a.at - b.at)[0];
    if (code !== "DEPA" || arrival === undefined) return [];
    const { vesselIMONumber: imo, vesselName: name = "" } = vessel;
    return [{ imo, name, from: place, to: arrival.place, departure: at, arrival: arrival.at }];
  });
}

/** Null when no route by sea is known. */
function movementAt({ imo, name, from, to, departure, arrival }: Passage, now: number): VesselMovement | null {
  const route = routeBetween(from, to);
  if (route === null) return null;
  const shareAt = (at: number) => sailedShare((at - departure) / (arrival - departure));
  const { position, ahead } = splitRoute(route.points, shareAt(now));
  const next = ahead[1] ?? route.points.at(-1) ?? position;
  return {
    imo,
    mmsi: mmsiOf({ imo }),
    name,
    position,
    destination: to.locode,
    speedKnots: (shareAt(now + hourMs) - shareAt(now)) * route.distanceNm,
    courseDegrees: courseDegrees(position, next),
  };
}

/** Vessels do not keep one speed: it varies by 15 % over the passage. */
function sailedShare(timeShare: number): number {
  const share = Math.min(1, Math.max(0, timeShare));
  return share + 0.008 * Math.sin(6 * Math.PI * share);
}

function routeBetween(from: Place, to: Place): SeaRoute | null {
  const key = `${from.locode} ${to.locode}`;
  const known = routes.get(key);
  if (known !== undefined) return known;
  const route =
    from.position === null || to.position === null
      ? null
      : findSeaRoute({ locode: from.locode, position: from.position }, { locode: to.locode, position: to.position });
  routes.set(key, route);
  return route;
}
