import { dayMs, hourMs } from "@svc/domain";
import { chanceOf } from "../random.ts";
import { truckCall } from "../voyage/calls.ts";
import { Logbook } from "../voyage/logbook.ts";
import { departureAfterBookingMs, planJourney, sailing, vesselOn } from "../voyage/plan-journey.ts";
import { dischargedBy, journeyFacts, recordJourney } from "../voyage/record-journey.ts";
import type { Shipment } from "../voyage/shipment.ts";
import { directLanes } from "../world/lanes.ts";
import type { Scenario } from "./scenario.ts";
import { directLeg, directTimeline } from "./voyages.ts";

export const reusedContainer: Scenario = {
  code: "REU",
  description: "Direct voyage; four days after its return the first container is used for another customer's shipment.",
  timeline(shipment) {
    const journey = planJourney(shipment, [directLeg(shipment)]);
    const returnedAt = journey.emptyIn?.at ?? shipment.bookedAt;
    const digits = shipment.billOfLading.slice(-6);
    // Another customer's shipment: visible to requests by container number, not by the references of this shipment.
    const next: Shipment = {
      billOfLading: `SBXNXT${digits}`,
      booking: `SBXNXTB${digits}`,
      bookedAt: returnedAt + 5 * dayMs,
      containers: [shipment.containers[0]],
      chance: chanceOf(`SBXNXT${digits}`),
    };
    return [...journeyFacts(shipment, journey), ...journeyFacts(next, planJourney(next, [directLeg(next)]))];
  },
};

export const reloadedContainer: Scenario = {
  code: "RLD",
  containerCount: 1,
  description:
    "Direct voyage of one container; 14 days after it was taken out it goes on another voyage, without an empty return.",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const journey = planJourney(shipment, [leg], { emptyIn: null });
    const digits = shipment.billOfLading.slice(-6);
    const number = `SBXRLN${digits}`;
    const next: Shipment = {
      billOfLading: number,
      booking: `SBXRLNB${digits}`,
      bookedAt: (journey.fullOut?.at ?? shipment.bookedAt) + 14 * dayMs,
      containers: [shipment.containers[0]],
      chance: chanceOf(number),
    };
    const lane = directLanes.find(({ from }) => from.locode !== leg.from.locode) ?? directLanes[0];
    const departure = next.bookedAt + departureAfterBookingMs;
    const second = sailing(next, { key: "sea", position: 1, lane, carriage: vesselOn(next, lane, 0), departure });
    return [...journeyFacts(shipment, journey), ...journeyFacts(next, planJourney(next, [second], { emptyOut: null }))];
  },
};

export const neverReturned: Scenario = {
  code: "FOW",
  description: "Direct voyage; the containers leave the port of discharge, and their empty return is never reported.",
  timeline: (shipment) => journeyFacts(shipment, planJourney(shipment, [directLeg(shipment)], { emptyIn: null })),
};

export const neverPickedUp: Scenario = {
  code: "ARW",
  description: "Direct voyage; the containers are not picked up at the port of discharge.",
  timeline: (shipment) =>
    journeyFacts(shipment, planJourney(shipment, [directLeg(shipment)], { fullOut: null, emptyIn: null })),
};

export const customsHold: Scenario = {
  code: "HLD",
  description: "Direct voyage; customs hold the first container at the port of discharge, inspect and release it.",
  terminal: "customs_hold",
  timeline(shipment) {
    const leg = directLeg(shipment);
    const [heldContainer] = shipment.containers;
    const heldAt = dischargedBy((leg.actual ?? leg.planned).arrival, shipment.containers.length) + 20 * hourMs;
    const inspectedAt = heldAt + 2 * dayMs;
    const releasedAt = heldAt + 8 * dayMs;
    const logbook = new Logbook(shipment);
    const planned = planJourney(shipment, [leg]);
    const fullOut = { place: leg.to, at: releasedAt + dayMs };
    const emptyIn = planned.emptyIn && { ...planned.emptyIn, at: planned.emptyIn.at + 8 * dayMs };
    recordJourney(logbook, shipment, { ...planned, fullOut, emptyIn });
    const customs = {
      documentType: "CUS",
      documentId: `CUS${shipment.billOfLading}`,
      containers: [heldContainer],
    } as const;
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
      container: heldContainer,
      place: leg.to,
      call: truckCall(shipment, leg.to, "terminal"),
      at: inspectedAt,
      publishedAt: inspectedAt + 2 * hourMs,
    });
    logbook.document({ ...customs, key: "customs/RELS", code: "RELS", at: releasedAt, publishedAt: releasedAt });
    return logbook.facts;
  },
};

export const manyPages: Scenario = {
  code: "PAG",
  description: "Direct voyage of 55 containers: more than 450 events, so several pages.",
  containerCount: 55,
  timeline: directTimeline,
};
