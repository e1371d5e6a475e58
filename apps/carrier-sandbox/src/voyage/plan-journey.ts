import { dayMs, hourMs } from "@svc/domain";
import type { Lane } from "../world/lanes.ts";
import type { Place } from "../world/places.ts";
import { fleet, type Vessel } from "../world/vessels.ts";
import type { Carriage, Journey, Leg, Span } from "./journey.ts";
import { dischargedBy } from "./record-journey.ts";
import type { Shipment } from "./shipment.ts";

/** The vessel departs this long after the booking, after the containers have reached the port. */
export const departureAfterBookingMs = 32 * hourMs;

/** A vessel of the service and its voyage number. Each leg of a shipment has another `slot`, so none share a vessel. */
export function vesselOn(shipment: Shipment, lane: Lane, slot: number): Carriage {
  const vessels = fleet[lane.service];
  const start = Math.floor(shipment.chance.between("vessel", 0, vessels.length));
  const vessel = vessels[(start + slot) % vessels.length] as Vessel;
  const number = Math.floor(shipment.chance.between(`voyage/${slot}`, 10, 999));
  return {
    mode: "VESSEL",
    vessel,
    voyage: `${String(number).padStart(3, "0")}${lane.direction}`,
    service: lane.service,
  };
}

/** Sailing time at a speed between 16.5 and 18.5 knots. */
export function sailingTimeMs(shipment: Shipment, key: string, nauticalMiles: number): number {
  return (nauticalMiles / shipment.chance.between(`${key}/knots`, 16.5, 18.5)) * hourMs;
}

/** A leg planned at the booking that deviates from its plan by a few hours. Scenarios override its parts. */
export function sailing(
  shipment: Shipment,
  options: {
    readonly key: string;
    readonly position: number;
    readonly lane: Pick<Lane, "from" | "to" | "nauticalMiles">;
    readonly carriage: Carriage;
    readonly departure: number;
    /** Transit time; default: derived from the distance. */
    readonly underwayMs?: number;
  },
): Leg {
  const { key, position, lane, carriage, departure } = options;
  const underway = options.underwayMs ?? sailingTimeMs(shipment, key, lane.nauticalMiles);
  const planned: Span = { departure, arrival: departure + underway };
  const late = shipment.chance.between(`${key}/late`, -5, 9) * hourMs;
  return {
    key,
    position,
    carriage,
    from: lane.from,
    to: lane.to,
    containers: shipment.containers,
    announcedAt: shipment.bookedAt - 24 * hourMs,
    planned,
    actual: { departure, arrival: planned.arrival + Math.min(late, underway * 0.1) },
    droppedAt: null,
    estimates: estimatesFor(underway),
  };
}

/** About one per day. */
function estimatesFor(underwayMs: number): number {
  return Math.max(1, Math.round(underwayMs / dayMs));
}

/** Adds the gate moves to the legs: empty out and full in before the first, full out and empty in after the last. */
export function planJourney(
  shipment: Shipment,
  legs: readonly [Leg, ...Leg[]],
  overrides: Partial<Journey> = {},
): Journey {
  const { chance, bookedAt, containers } = shipment;
  const first = legs[0];
  const last = legs.at(-1) ?? first;
  const pickedUpAt = dischargedBy((last.actual ?? last.planned).arrival, containers.length);
  const fullOutAt = pickedUpAt + chance.between("full-out", 2.2, 3.5) * dayMs;
  return {
    emptyOut: { place: first.from, at: bookedAt - chance.between("empty-out", 8, 20) * hourMs },
    fullIn: { place: first.from, at: bookedAt + chance.between("full-in", 9.5, 11.5) * hourMs },
    legs,
    ...deliveryFrom(shipment, last.to, fullOutAt),
    ...overrides,
  };
}

function deliveryFrom(shipment: Shipment, place: Place, fullOutAt: number): Pick<Journey, "fullOut" | "emptyIn"> {
  const emptyInAt = fullOutAt + shipment.chance.between("empty-in", 4.5, 6.5) * dayMs;
  return { fullOut: { place, at: fullOutAt }, emptyIn: { place, at: emptyInAt } };
}
