import type { Leg } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLanes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";

/** One ship from port to port, close to plan: the ground on which most other stories stand. */
export function directLeg(shipment: Shipment): Leg {
  const lane = shipment.chance.pick("lane", directLanes);
  return sailing(shipment, {
    key: "sea",
    position: 1,
    lane,
    carriage: shipOn(shipment, lane, 0),
    departure: shipment.bookedAt + departureAfterBookingMs,
  });
}

/** Everything that the line says about an undisturbed direct voyage. */
export function directTimeline(shipment: Shipment) {
  return tellJourney(shipment, journeyAround(shipment, [directLeg(shipment)]));
}

export const direct: Scenario = {
  code: "DIR",
  story: "Direct voyage, on time, from the empty box fetched to the empty box returned.",
  timeline: directTimeline,
};
