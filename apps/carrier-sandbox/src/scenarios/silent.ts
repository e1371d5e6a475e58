import { dayMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const silent: Scenario = {
  code: "SIL",
  story: "Direct voyage; from the eighth day on the line says nothing new.",
  timeline: (shipment) => directTimeline(shipment).filter((fact) => fact.publishedAt <= shipment.bookedAt + 8 * dayMs),
};
