import { dayMs } from "../voyage/journey.ts";
import { directTimeline } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const forgotten: Scenario = {
  code: "NFO",
  story: "Direct voyage; from the twelfth day on the line no longer knows the number.",
  withdraws: true,
  timeline(shipment) {
    const forgottenAt = shipment.bookedAt + 12 * dayMs;
    return directTimeline(shipment).flatMap((fact) =>
      fact.publishedAt < forgottenAt ? [{ ...fact, withdrawnAt: forgottenAt }] : [],
    );
  },
};
