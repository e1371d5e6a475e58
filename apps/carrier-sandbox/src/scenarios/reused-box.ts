import { chanceOf } from "../random.ts";
import { dayMs } from "../voyage/journey.ts";
import { journeyAround } from "../voyage/plan-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
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
