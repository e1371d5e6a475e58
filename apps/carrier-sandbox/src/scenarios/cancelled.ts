import { hourMs } from "../voyage/journey.ts";
import { Logbook } from "../voyage/logbook.ts";
import { journeyAround } from "../voyage/plan-journey.ts";
import { tellJourneyInto } from "../voyage/tell-journey.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const cancelled: Scenario = {
  code: "CAN",
  story: "The booking is cancelled 18 hours after it is first asked about, before anything is loaded.",
  withdraws: true,
  timeline(shipment) {
    const cancelledAt = shipment.bookedAt + 18 * hourMs;
    const leg = { ...directLeg(shipment), actual: null, droppedAt: cancelledAt };
    const logbook = new Logbook(shipment);
    const never = { fullIn: null, fullOut: null, emptyIn: null };
    tellJourneyInto(logbook, shipment, journeyAround(shipment, [leg], never));
    logbook.document({
      key: "document/VOID",
      code: "VOID",
      documentType: "BKG",
      documentId: shipment.booking,
      reason: "Cancelled at the shipper's request",
      at: cancelledAt,
      publishedAt: cancelledAt,
    });
    return logbook.facts;
  },
};
