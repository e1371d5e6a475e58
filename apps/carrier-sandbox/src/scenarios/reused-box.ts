import { chanceOf } from "../random.ts";
import { dayMs } from "../voyage/journey.ts";
import { departureAfterBookingMs, journeyAround, sailing, shipOn } from "../voyage/plan-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLanes } from "../world/lanes.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const reusedBox: Scenario = {
  code: "REU",
  story: "Direct voyage; four days after its return the first box goes on another customer's journey.",
  timeline(shipment) {
    const journey = journeyAround(shipment, [directLeg(shipment)]);
    const returnedAt = journey.emptyIn?.at ?? shipment.bookedAt;
    const digits = shipment.billOfLading.slice(-6);
    // Somebody else's number: nobody who asks for this shipment's documents sees it, only who asks for the box.
    const next: Shipment = {
      billOfLading: `SBXNXT${digits}`,
      booking: `SBXNXTB${digits}`,
      bookedAt: returnedAt + 5 * dayMs,
      containers: [shipment.containers[0]],
      chance: chanceOf(`SBXNXT${digits}`),
    };
    return [...tellJourney(shipment, journey), ...tellJourney(next, journeyAround(next, [directLeg(next)]))];
  },
};

export const reloadedContainer: Scenario = {
  code: "RLD",
  boxes: 1,
  story:
    "Direct voyage of one container; 14 days after it was taken out it goes on another voyage, without an empty return.",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const journey = journeyAround(shipment, [leg], { emptyIn: null });
    const digits = shipment.billOfLading.slice(-6);
    const number = `SBXRLN${digits}`;
    const next: Shipment = {
      billOfLading: number,
      booking: `SBXRLNB${digits}`,
      bookedAt: (journey.fullOut?.at ?? shipment.bookedAt) + 14 * dayMs,
      containers: [shipment.containers[0]],
      chance: chanceOf(number),
    };
    const lane = directLanes.find(({ from }) => from.locode !== leg.from.locode) ?? directLanes[0];
    const departure = next.bookedAt + departureAfterBookingMs;
    const second = sailing(next, { key: "sea", position: 1, lane, carriage: shipOn(next, lane, 0), departure });
    return [...tellJourney(shipment, journey), ...tellJourney(next, journeyAround(next, [second], { emptyOut: null }))];
  },
};
