import { truckCall } from "./calls.ts";
import type { Fact } from "./fact.ts";
import { behindFirstBoxMs, dischargeAfterArrivalMs, type Haulage, hourMs, type Journey } from "./journey.ts";
import { Logbook } from "./logbook.ts";
import type { Shipment } from "./shipment.ts";
import { tellLeg } from "./tell-leg.ts";

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

function tellGateMove(logbook: Logbook, shipment: Shipment, move: GateMove, haulage: Haulage): void {
  const call = truckCall(shipment, haulage.place, move.facility);
  shipment.containers.forEach((container, index) => {
    const at = haulage.at + behindFirstBoxMs(index, shipment.containers.length);
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

function tellDocuments(logbook: Logbook, shipment: Shipment, journey: Journey): void {
  const { booking, billOfLading, bookedAt } = shipment;
  const statements = [
    { code: "RECE", documentType: "BKG", documentId: booking, at: bookedAt - 26 * hourMs },
    { code: "CONF", documentType: "BKG", documentId: booking, at: bookedAt - 25 * hourMs },
  ] as const;
  for (const { at, ...statement } of statements) {
    logbook.document({ ...statement, key: `document/${statement.code}`, at, publishedAt: at });
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

/** Writes a whole journey into a logbook that may hold more. */
export function tellJourneyInto(logbook: Logbook, shipment: Shipment, journey: Journey): void {
  tellDocuments(logbook, shipment, journey);
  for (const name of ["emptyOut", "fullIn", "fullOut", "emptyIn"] as const) {
    const haulage = journey[name];
    if (haulage) tellGateMove(logbook, shipment, gateMoves[name], haulage);
  }
  for (const leg of journey.legs) tellLeg(logbook, shipment.chance, leg);
}

/** Everything that the line will ever say about a journey. */
export function tellJourney(shipment: Shipment, journey: Journey): readonly Fact[] {
  const logbook = new Logbook(shipment);
  tellJourneyInto(logbook, shipment, journey);
  return logbook.facts;
}

/** When the last of the boxes has left the ship or train of a leg. */
export function dischargedBy(arrival: number, boxes: number): number {
  return arrival + dischargeAfterArrivalMs + behindFirstBoxMs(boxes - 1, boxes);
}
