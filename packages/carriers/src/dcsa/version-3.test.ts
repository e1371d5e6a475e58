import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@jest/globals";
import { CarrierConnection } from "../carrier-connection.ts";
import { unknownPlaces } from "../place-lookup.ts";
import { DcsaCarrier } from "./dcsa-carrier.ts";
import { createEventReader, version3 } from "./dcsa-dialect.ts";

const connection = CarrierConnection.parse({ scac: "SBXL", protocol: "dcsa-3", baseUrl: "http://line.test" });
const read = (event: object) => createEventReader(connection, version3, unknownPlaces)(event)?.[0];

const shared = {
  eventID: "evt-1",
  eventDateTime: "2025-01-25T00:45:00Z",
  eventUpdatedDateTime: "2025-01-25T01:23:45Z",
  shipmentDetails: { documentReference: { type: "BOOKING", reference: "BOOK1" } },
};

test("a departure with the names of 2026", () => {
  const draft = read({
    ...shared,
    eventLocation: { UNLocationCode: "GBSOU", facilityType: "PORT_TERMINAL" },
    eventClassification: { eventType: "TRANSPORT", eventClassifier: "ACTUAL", transportEventType: "DEPARTED" },
    equipmentDetails: { equipmentReference: "MSKU0000006" },
    transportDetails: {
      transportCall: {
        transportCallReference: "tc-1",
        transportCallSequenceNumber: 1,
        modeOfTransport: "VESSEL",
        exportVoyageNumberOrReference: { carrierVoyageNumber: "V002E" },
        vesselTransport: { vesselIMONumber: "9321483", vesselName: "EMMA" },
      },
    },
  });
  expect(draft).toMatchObject({
    eventType: "TRANSPORT",
    code: "DEPA",
    classifier: "ACT",
    containerNumber: "MSKU0000006",
    statedAt: "2025-01-25T01:23:45.000Z",
    place: { locode: "GBSOU", facilityType: "POTE" },
    call: { reference: "tc-1", mode: "VESSEL", exportVoyage: "V002E", vessel: { imo: "9321483", name: "EMMA" } },
    retracted: false,
  });
});

test("a gate-in in either spelling, and a retracted one", () => {
  const equipmentDetails = { equipmentReference: "MSKU0000006", ISOEquipmentCode: "45G1" };
  const observation = read({
    ...shared,
    isRetracted: true,
    eventClassification: { eventType: "EQUIPMENT", eventClassifier: "ACTUAL", equipmentEventType: "GATED_IN" },
    equipmentDetails: { ...equipmentDetails, emptyIndicator: "EMPTY" },
  });
  const codes = read({
    ...shared,
    isRetracted: true,
    eventClassification: { eventTypeCode: "EQUIPMENT", eventClassifierCode: "ACT", equipmentEventTypeCode: "GTIN" },
    equipmentDetails: { ...equipmentDetails, emptyIndicatorCode: "EMPTY" },
  });
  expect(observation).toMatchObject({ code: "GTIN", classifier: "ACT", isEmpty: true, retracted: true });
  expect(codes).toEqual(observation);
});

test("a confirmed booking concerns the whole shipment", () => {
  const eventClassification = { eventType: "SHIPMENT", eventClassifier: "ACTUAL", shipmentEventType: "CONFIRMED" };
  const equipmentDetails = { equipmentReference: "MSKU0000006" };
  expect(read({ ...shared, eventClassification, equipmentDetails })).toMatchObject({
    code: "CONF",
    documentType: "BKG",
    documentId: "BOOK1",
    containerNumber: null,
  });
});

test.each([null, 7, "x", [], {}, { eventClassification: [], transportDetails: 3 }])(
  "rejects %p as an event",
  (event) => {
    expect(read(event as object)).toBeUndefined();
  },
);

test("requests /v3/events as version 3 and follows the cursor of the header", async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.url} ${String(request.headers["api-version"])}`);
    const headers = requests.length === 1 ? { "Next-Page-Cursor": "c2" } : undefined;
    response.writeHead(200, headers).end(JSON.stringify({ events: [] }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const carrier = new DcsaCarrier({
    connection: { ...connection, baseUrl },
    dialect: version3,
    places: unknownPlaces,
  });
  const reply = await carrier.track({ kind: "booking_number", number: "B1" }, new AbortController().signal);
  expect(reply).toMatchObject({ outcome: "not_found", requests: 2 });
  expect(requests).toEqual([
    "/v3/events?carrierBookingReference=B1&limit=100 3",
    "/v3/events?carrierBookingReference=B1&limit=100&cursor=c2 3",
  ]);
  await carrier.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
