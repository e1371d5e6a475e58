import { isJsonObject, type JsonObject } from "@svc/domain";
import type { DcsaDialect } from "../dcsa/dcsa-dialect.ts";
import { parseJsonBody } from "../json-body.ts";

/** The lists of a reply, with the eventType that DCSA gives their events. */
const eventLists = { shipmentEvent: "SHIPMENT", transportEvent: "TRANSPORT", equipmentEvent: "EQUIPMENT" } as const;

/**
 * The events of HMM's reply, one object of lists, as events of DCSA Track & Trace 2.2. Calls are in a list of their
 * own, and a place is a plain UN/LOCODE. Null when it has none of the lists.
 */
export function readHmmEvents(body: Uint8Array): readonly JsonObject[] | null {
  const reply = parseJsonBody(body);
  if (!isJsonObject(reply) || !Object.keys(eventLists).some((name) => Array.isArray(reply[name]))) return null;
  const listOf = (name: string): readonly unknown[] => (Array.isArray(reply[name]) ? reply[name] : []);
  const calls = new Map(
    listOf("transportCall").flatMap((call) => (isJsonObject(call) ? [[call.transportCallID, call]] : [])),
  );
  return Object.entries(eventLists).flatMap(([name, eventType]) =>
    listOf(name).map((event): JsonObject => {
      if (!isJsonObject(event)) return {};
      const { transportCallID, eventLocation, documentId, ...rest } = event;
      const call = calls.get(transportCallID);
      const place = typeof eventLocation === "string" ? { UNLocationCode: eventLocation } : eventLocation;
      return {
        ...rest,
        eventType,
        // The sample in HMM's documents has documentId.
        ...(documentId != null && rest.documentID == null && { documentID: documentId }),
        ...(call && { transportCall: call }),
        ...(place != null && { eventLocation: place }),
      };
    }),
  );
}

/** HMM's Cargo Tracking: the words of DCSA 2.2 in a shape of its own, searched by booking. */
export const hmmDialect: DcsaDialect = {
  eventsPath: "/cargo-tracking-dcsa",
  apiVersion: "2",
  toVersion2: (event) => event,
  // The API has no other search. ZZ stands for every container of the booking.
  parametersOf: (_kind, number) => ({ carrierBookingReference: number, equipmentReference: "ZZ" }),
  readEvents: readHmmEvents,
};
