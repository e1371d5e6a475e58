import { restate } from "../voyage/fact.ts";
import { hourMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const duplicated: Scenario = {
  code: "DUP",
  story: "Direct voyage; two hours after every message it comes once more under another event id.",
  timeline: (shipment) =>
    directTimeline(shipment).flatMap((fact) => [
      fact,
      restate(fact, { key: `${fact.key}/again`, publishedAt: fact.publishedAt + 2 * hourMs }),
    ]),
};
