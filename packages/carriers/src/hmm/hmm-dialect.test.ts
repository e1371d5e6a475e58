import { describe, expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { createEventReader } from "../dcsa/dcsa-dialect.ts";
import { unknownPlaces } from "../place-lookup.ts";
import { hmmDialect, readHmmEvents } from "./hmm-dialect.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const connection = CarrierConnection.parse({ scac: "HDMU", protocol: "hmm-1", baseUrl: "http://line.test" });
const read = createEventReader(connection, hmmDialect, { ...unknownPlaces, timeZoneOf: () => "Asia/Seoul" });

describe("a reply of HMM", () => {
  test("is read with its words, its list of calls and its plain places", () => {
    const reply = {
      shipment: {},
      shipmentEvent: [],
      transportEvent: [
        {
          eventType: "Transport",
          eventClassifierCode: "ACT",
          transportEventTypeCode: "DEPA",
          eventDateTime: "2026-03-05T17:45:00+09:00",
          transportCallID: "c1",
        },
      ],
      equipmentEvent: [
        {
          eventType: "Equipment",
          eventClassifierCode: "ACT",
          equipmentEventTypeCode: "GTIN",
          eventDateTime: "2026-03-04T08:00:00+09:00",
          equipmentReference: "HMMU1234561",
          emptyIndicatorCode: "Laden",
          eventLocation: "KRPUS",
          transportCallID: "c2",
        },
      ],
      transportCall: [
        {
          transportCallID: "c1",
          modeOfTransport: "Vessel",
          UNLocationCode: "KRPUS",
          vessel: { vesselIMONumber: 9321483 },
        },
        { transportCallID: "c2", modeOfTransport: "Truck", facilityCode: "KRPUSPNC" },
      ],
    };
    const [departure, gateIn] = (readHmmEvents(bytes(reply)) ?? []).map((event) => read(event)?.[0]);
    expect(departure).toMatchObject({
      eventType: "TRANSPORT",
      code: "DEPA",
      place: { locode: "KRPUS" },
      call: { mode: "VESSEL", vessel: { imo: "9321483" } },
    });
    expect(gateIn).toMatchObject({
      eventType: "EQUIPMENT",
      code: "GTIN",
      containerNumber: "HMMU1234561",
      isEmpty: false,
      place: { locode: "KRPUS", facilityCode: "KRPUSPNC" },
      call: { mode: "TRUCK" },
    });
  });

  test.each(["documentId", "documentID"])("names the document of a shipment event as %s", (member) => {
    const confirmed = {
      eventClassifierCode: "ACT",
      shipmentEventTypeCode: "CONF",
      eventDateTime: "2026-03-01T10:00:00+09:00",
      documentTypeCode: "BKG",
      [member]: "SELM12345600",
    };
    const [event] = readHmmEvents(bytes({ shipmentEvent: [confirmed] })) ?? [];
    expect(read(event)).toMatchObject([{ code: "CONF", documentType: "BKG", documentId: "SELM12345600" }]);
  });

  test("without any list of events is not one of HMM; events that are no objects are skipped", () => {
    for (const body of [[], "text", { shipment: {} }, { error: "no subscription" }])
      expect(readHmmEvents(bytes(body))).toBeNull();
    expect(readHmmEvents(new TextEncoder().encode("<html>"))).toBeNull();
    expect(readHmmEvents(bytes({ equipmentEvent: [null, 7] }))?.map(read)).toEqual([null, null]);
  });
});
