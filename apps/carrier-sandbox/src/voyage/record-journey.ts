import { hourMs } from "@svc/domain";
import { truckCall } from "./calls.ts";
import type { Fact } from "./fact.ts";
import { delayAfterFirstContainerMs, dischargeAfterArrivalMs, type Haulage, type Journey } from "./journey.ts";
import { Logbook } from "./logbook.ts";
import { recordLeg } from "./record-leg.ts";
import type { Shipment } from "./shipment.ts";

interface GateMove {
  readonly key: string;
  readonly code: "GTIN" | "GTOT";
  readonly isEmpty: boolean;
  readonly facility: "terminal" | "depot";
  readonly lagHours: readonly [number, number];
}

const gateMoves = {
  emptyOut: { key: "empty-out", code: "GTOT", isEmpty: true, facility: "depot", lagHours: [0.5, 1.5] },
  fullIn: { key: "full-in", code: "GTIN", isEmpty: false, facility: "terminal", lagHours: [0.5, 1.5] },
  fullOut: { key: "full-out", code: "GTOT", isEmpty: false, facility: "terminal", lagHours: [1, 3] },
  emptyIn: { key: "empty-in", code: "GTIN", isEmpty: true, facility: "depot", lagHours: [2, 6] },
} as const satisfies Readonly<Record<string, GateMove>>;

function recordGateMove(logbook: Logbook, shipment: Shipment, move: GateMove, haulage: Haulage): void {
  const call = truckCall(shipment, haulage.place, move.facility);
  shipment.containers.forEach((container, index) => {
    const at = haulage.at + delayAfterFirstContainerMs(index, shipment.containers.length);
    const key = `${move.key}/${container.number}`;
    logbook.equipment({
      key,
      code: move.code,
      classifier: "ACT",
      isEmpty: move.isEmpty,
      container,
      place: haulage.place,
      ...(move.facility === "depot" ? { locationName: `${haulage.place.name} Empty Depot` } : {}),
      call,
      at,
      publishedAt: at + shipment.chance.between(`${key}/lag`, ...move.lagHours) * hourMs,
    });
  });
}

function recordDocuments(logbook: Logbook, shipment: Shipment, journey: Journey): void {
  const { booking, billOfLading, bookedAt } = shipment;
  const documents = [
    { code: "RECE", documentType: "BKG", documentId: booking, at: bookedAt - 26 * hourMs },
    { code: "CONF", documentType: "BKG", documentId: booking, at: bookedAt - 25 * hourMs },
  ] as const;
  for (const { at, ...document } of documents) {
    logbook.document({ ...document, key: `document/${document.code}`, at, publishedAt: at });
  }
  const sailedAt = journey.legs[0]?.actual?.departure;
  if (sailedAt !== undefined) {
    const at = sailedAt + 18 * hourMs;
    logbook.document({
      key: "document/ISSU",
      code: "ISSU",
      documentType: "TRD",
      documentId: billOfLading,
      at,
      publishedAt: at,
    });
  }
}

/** Records all events of a journey in a logbook. */
export function recordJourney(logbook: Logbook, shipment: Shipment, journey: Journey): void {
  recordDocuments(logbook, shipment, journey);
  for (const name of ["emptyOut", "fullIn", "fullOut", "emptyIn"] as const) {
    const haulage = journey[name];
    if (haulage) recordGateMove(logbook, shipment, gateMoves[name], haulage);
  }
  for (const leg of journey.legs) recordLeg(logbook, shipment.chance, leg);
}

/** All events that the carrier ever publishes about a journey. */
export function journeyFacts(shipment: Shipment, journey: Journey): readonly Fact[] {
  const logbook = new Logbook(shipment);
  recordJourney(logbook, shipment, journey);
  return logbook.facts;
}

/** When the last container of a leg has been discharged. */
export function dischargedBy(arrival: number, containerCount: number): number {
  return arrival + dischargeAfterArrivalMs + delayAfterFirstContainerMs(containerCount - 1, containerCount);
}
