import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { unknownPlaces } from "../place-lookup.ts";
import { toObservations } from "./dcsa-observation.ts";
import { QuirkProfile } from "./quirk-profile.ts";

const standard = QuirkProfile.parse({});
const zones: Readonly<Record<string, string>> = { CNSHA: "Asia/Shanghai", USLAX: "America/Los_Angeles" };
const timeZoneOf = (locode: string) => zones[locode] ?? null;

function read(event: unknown, profile = standard) {
  return toObservations(event, profile, { ...unknownPlaces, timeZoneOf });
}

const vesselCall = {
  transportCallID: "call-1",
  modeOfTransport: "VESSEL",
  importVoyageNumber: "021W",
  exportVoyageNumber: "022E",
  transportCallSequenceNumber: 2,
  UNLocationCode: "CNSHA",
  facilityCode: "YS1",
  facilityCodeListProvider: "SMDG",
  facilityTypeCode: "POTE",
  vessel: { vesselIMONumber: "9321483", vesselName: "King of the Seas" },
};

const departure = {
  eventID: "3cecb101-7a1a-43a4-9d62-e88a131651e2",
  eventType: "TRANSPORT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-05T17:45:00+08:00",
  eventCreatedDateTime: "2026-03-05T11:00:00Z",
  transportEventTypeCode: "DEPA",
  delayReasonCode: "WEA",
  changeRemark: "Bad weather",
  transportCall: vesselCall,
};

const loading = {
  eventID: "3cecb101-7a1a-43a4-9d62-e88a131651e3",
  eventType: "EQUIPMENT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-05T09:00:00+08:00",
  eventCreatedDateTime: "2026-03-05T02:00:00Z",
  equipmentEventTypeCode: "LOAD",
  equipmentReference: "APZU 481209-0",
  ISOEquipmentCode: "22GP",
  emptyIndicatorCode: "LADEN",
  eventLocation: { locationName: "Yangshan", UNLocationCode: "CNSHA" },
  transportCall: vesselCall,
  seals: [{ sealNumber: "SB1", sealType: "BLT" }, { sealNumber: "" }],
};

const confirmation = {
  eventID: "3cecb101-7a1a-43a4-9d62-e88a131651e4",
  eventType: "SHIPMENT",
  eventClassifierCode: "ACT",
  eventDateTime: "2026-03-01T09:00:00Z",
  eventCreatedDateTime: "2026-03-01T09:00:00Z",
  shipmentEventTypeCode: "CONF",
  documentID: "ABC123",
  documentTypeCode: "BKG",
  references: [{ referenceType: "EQ", referenceValue: "APZU4812090" }],
};

describe("a DCSA event as observations", () => {
  test("a departure concerns every container of the subject", () => {
    expect(read(departure)).toEqual([
      {
        eventType: "TRANSPORT",
        code: "DEPA",
        classifier: "ACT",
        eventAt: "2026-03-05T09:45:00.000Z",
        timePrecision: "exact",
        localDate: "2026-03-05",
        statedAt: "2026-03-05T11:00:00.000Z",
        sourceEventId: departure.eventID,
        dataSource: "shipping_line",
        containerNumber: null,
        isEmpty: null,
        isoEquipmentCode: null,
        seals: [],
        place: {
          locode: "CNSHA",
          name: null,
          facilityCode: "YS1",
          facilityCodeProvider: "SMDG",
          facilityType: "POTE",
        },
        call: {
          reference: "call-1",
          mode: "VESSEL",
          vessel: { imo: "9321483", name: "King of the Seas" },
          importVoyage: "021W",
          exportVoyage: "022E",
          sequence: 2,
        },
        documentType: null,
        documentId: null,
        reason: "Bad weather",
        retracted: false,
      },
    ]);
  });

  test("a departure that names containers is one observation for each", () => {
    const references = ["APZU4812090", "apzu 481209 0", "MSKU0000006"].map((referenceValue) => ({
      referenceType: "EQ",
      referenceValue,
    }));
    const named = read({ ...departure, references: [...references, { referenceType: "FF", referenceValue: "X" }] });
    expect(named?.map((each) => each.containerNumber)).toEqual(["APZU4812090", "MSKU0000006"]);
  });

  test("a loading concerns its container, at the event's own place", () => {
    expect(read(loading)).toEqual([
      expect.objectContaining({
        code: "LOAD",
        containerNumber: "APZU4812090",
        isEmpty: false,
        isoEquipmentCode: "22GP",
        seals: ["SB1"],
        place: {
          locode: "CNSHA",
          name: "Yangshan",
          facilityCode: "YS1",
          facilityCodeProvider: "SMDG",
          facilityType: "POTE",
        },
      }),
    ]);
  });

  test("a booking confirmation concerns the shipment, a customs hold the containers it names", () => {
    expect(read(confirmation)?.[0]).toMatchObject({
      code: "CONF",
      documentType: "BKG",
      documentId: "ABC123",
      containerNumber: null,
      call: null,
    });
    const hold = { ...confirmation, shipmentEventTypeCode: "HOLD", documentTypeCode: "CUS", reason: "Inspection" };
    expect(read(hold)?.[0]).toMatchObject({ code: "HOLD", containerNumber: "APZU4812090", reason: "Inspection" });
  });

  test("3.0's retraction is kept", () => {
    expect(read({ ...loading, isRetracted: true })?.[0]?.retracted).toBe(true);
  });

  test("unknown codes are kept for later versions of the rules", () => {
    expect(read({ ...loading, equipmentEventTypeCode: "AVPU" })?.[0]?.code).toBe("AVPU");
  });
});

describe("quirks of carriers", () => {
  test("PLAN is a plan", () => {
    expect(read({ ...departure, eventClassifierCode: "PLAN" })?.[0]?.classifier).toBe("PLN");
  });

  test("an empty vessel is null, empty strings are absent", () => {
    const transportCall = { ...vesselCall, vessel: { vesselIMONumber: "", vesselName: " " }, exportVoyageNumber: "" };
    const call = read({ ...departure, transportCall })?.[0]?.call;
    expect(call).toMatchObject({ vessel: null, exportVoyage: null });
  });

  test("deprecated members of older replies are accepted", () => {
    const { transportEventTypeCode: code, ...rest } = departure;
    const transportCall = { ...vesselCall, exportVoyageNumber: null, carrierVoyageNumber: "99E" };
    const old = read({ ...rest, eventTypeCode: code, transportCall })?.[0];
    expect(old).toMatchObject({ code: "DEPA", call: { exportVoyage: "99E" } });
    const { documentTypeCode, ...shipment } = confirmation;
    expect(read({ ...shipment, shipmentInformationTypeCode: "BOK" })?.[0]?.documentType).toBe("BKG");
    expect(documentTypeCode).toBe("BKG");
  });

  test("without eventType the specific code decides", () => {
    const { eventType: _, ...rest } = loading;
    expect(read(rest)?.[0]?.eventType).toBe("EQUIPMENT");
  });

  test("a time without an offset is local time of the port, else marked", () => {
    const eventDateTime = "2026-03-05T17:45:00";
    expect(read({ ...departure, eventDateTime })?.[0]).toMatchObject({
      eventAt: "2026-03-05T09:45:00.000Z",
      timePrecision: "local_assumed",
    });
    const unknown = { ...departure, eventDateTime, transportCall: { ...vesselCall, UNLocationCode: "XXAAA" } };
    expect(read(unknown)?.[0]).toMatchObject({
      eventAt: "2026-03-05T17:45:00.000Z",
      timePrecision: "local_assumed",
    });
  });

  test("call ids that change every time are dropped on request", () => {
    const profile = QuirkProfile.parse({ stableTransportCallIds: false });
    expect(read(departure, profile)?.[0]?.call?.reference).toBeNull();
  });

  test("characters that PostgreSQL rejects are removed", () => {
    const place = { locationName: "Yang\u0000shan\ud800", UNLocationCode: "CN SHA" };
    expect(read({ ...loading, eventLocation: place })?.[0]?.place).toMatchObject({
      name: "Yang shan\ufffd",
      locode: "CNSHA",
    });
  });
});

describe("events that cannot be read", () => {
  test.each([
    ["no object", 42],
    ["null", null],
    ["unknown type", { ...departure, eventType: "WEATHER" }],
    ["a type named like a built-in", { ...departure, eventType: "constructor" }],
    ["no code", { ...departure, transportEventTypeCode: "" }],
    ["unknown classifier", { ...departure, eventClassifierCode: "MAYBE" }],
    ["a classifier named like a built-in", { ...departure, eventClassifierCode: "toString" }],
    ["no time", { ...departure, eventDateTime: null }],
    ["impossible time", { ...departure, eventDateTime: "2026-02-30" }],
    ["impossible container", { ...loading, equipmentReference: "to be confirmed tomorrow" }],
  ])("%s", (_name, event) => {
    expect(read(event)).toBeNull();
  });

  test("no input makes the reader throw", () => {
    const keys = [...Object.keys(loading), ...Object.keys(departure), ...Object.keys(confirmation)];
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()),
        fc.constantFrom(departure, loading),
        (noise, event) => {
          const observations = read({ ...event, ...noise });
          expect(observations === null || observations.length > 0).toBe(true);
        },
      ),
    );
  });
});
