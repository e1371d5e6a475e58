import { truckCall } from "../voyage/calls.ts";
import { dayMs, hourMs } from "../voyage/journey.ts";
import { Logbook } from "../voyage/logbook.ts";
import { journeyAround } from "../voyage/plan-journey.ts";
import { dischargedBy, tellJourneyInto } from "../voyage/tell-journey.ts";
import { directLeg } from "./direct.ts";
import type { Scenario } from "./scenario.ts";

export const heldAtCustoms: Scenario = {
  code: "HLD",
  story: "Direct voyage; customs hold the first box at the port of discharge, inspect and release it.",
  terminal: "customs_hold",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const [held] = shipment.containers;
    const heldAt = dischargedBy((leg.actual ?? leg.planned).arrival, shipment.containers.length) + 20 * hourMs;
    const inspectedAt = heldAt + 2 * dayMs;
    const releasedAt = heldAt + 8 * dayMs;
    const logbook = new Logbook(shipment);
    const planned = journeyAround(shipment, [leg]);
    const fullOut = { place: leg.to, at: releasedAt + dayMs };
    const emptyIn = planned.emptyIn && { ...planned.emptyIn, at: planned.emptyIn.at + 8 * dayMs };
    tellJourneyInto(logbook, shipment, { ...planned, fullOut, emptyIn });
    const customs = { documentType: "CUS", documentId: `CUS${shipment.billOfLading}`, containers: [held] } as const;
    logbook.document({
      ...customs,
      key: "customs/HOLD",
      code: "HOLD",
      reason: "Selected for inspection",
      at: heldAt,
      publishedAt: heldAt,
    });
    logbook.equipment({
      key: "customs/INSP",
      code: "INSP",
      classifier: "ACT",
      isEmpty: false,
      container: held,
      place: leg.to,
      call: truckCall(shipment, leg.to, "terminal"),
      at: inspectedAt,
      publishedAt: inspectedAt + 2 * hourMs,
    });
    logbook.document({ ...customs, key: "customs/RELS", code: "RELS", at: releasedAt, publishedAt: releasedAt });
    return logbook.facts;
  },
};
