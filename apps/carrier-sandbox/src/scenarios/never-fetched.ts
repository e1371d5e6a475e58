import { journeyAround } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const neverFetched: Scenario = {
  code: "ARW",
  story: "Direct voyage; nobody fetches the boxes from the port of discharge.",
  timeline: (shipment) =>
    tellJourney(shipment, journeyAround(shipment, [directLeg(shipment)], { fullOut: null, emptyIn: null })),
};
