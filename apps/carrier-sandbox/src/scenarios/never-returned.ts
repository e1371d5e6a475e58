import { journeyAround } from "../voyage/plan-journey.ts";
import { tellJourney } from "../voyage/tell-journey.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const neverReturned: Scenario = {
  code: "FOW",
  story: "Direct voyage; the boxes leave the port of discharge and the line never hears of them again.",
  timeline: (shipment) => tellJourney(shipment, journeyAround(shipment, [directLeg(shipment)], { emptyIn: null })),
};
