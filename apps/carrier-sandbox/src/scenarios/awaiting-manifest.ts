import { dayMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const awaitingManifest: Scenario = {
  code: "AWM",
  story: "The line knows nothing of the number for three days; then a direct voyage begins.",
  timeline(shipment) {
    const knownAt = shipment.bookedAt + 3 * dayMs;
    return directTimeline({ ...shipment, bookedAt: knownAt }).map((fact) => ({
      ...fact,
      publishedAt: Math.max(fact.publishedAt, knownAt),
    }));
  },
};
