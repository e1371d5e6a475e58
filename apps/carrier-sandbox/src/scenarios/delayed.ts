import { dayMs } from "../voyage/journey.ts";
import { journeyAround } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const delayed: Scenario = {
  code: "DLY",
  story: "Direct voyage into a congested port: nine days late, with 25 changes of the ETA on the way.",
  terminal: "last_free_day_moved",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const actual = { departure: leg.planned.departure, arrival: leg.planned.arrival + 9 * dayMs };
    return tellJourney(shipment, journeyAround(shipment, [{ ...leg, actual, estimates: 25 }]));
  },
};
