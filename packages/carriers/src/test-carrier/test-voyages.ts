import { instant } from "@svc/domain";
import type { ObservationDraft, ObservedCall, ObservedPlace } from "@svc/domain/observations";

const shanghai: ObservedPlace = {
  locode: "CNSHA",
  name: "Shanghai",
  facilityCode: "SHAT1",
  facilityCodeProvider: "SMDG",
  facilityType: "POTE",
};
const losAngeles: ObservedPlace = {
  locode: "USLAX",
  name: "Los Angeles",
  facilityCode: "LAXT1",
  facilityCodeProvider: "SMDG",
  facilityType: "POTE",
};

const vessel = { imo: "2000016", name: "SBX AURORA" };

function vesselCall(reference: string, sequence: number): ObservedCall {
  return { reference, mode: "VESSEL", vessel, importVoyage: "021E", exportVoyage: "021E", sequence };
}

const departure = vesselCall("test-call-1", 1);
const arrival = vesselCall("test-call-2", 2);
const truck: ObservedCall = { ...arrival, reference: "test-call-3", mode: "TRUCK", vessel: null, sequence: null };

const blank = {
  classifier: "ACT",
  timePrecision: "exact",
  sourceEventId: null,
  dataSource: "shipping_line",
  containerNumber: null,
  isEmpty: null,
  isoEquipmentCode: null,
  seals: [],
  call: null,
  documentType: null,
  documentId: null,
  reason: null,
  retracted: false,
} as const satisfies Partial<ObservationDraft>;

type Fact = Pick<ObservationDraft, "eventType" | "code" | "place"> & Partial<ObservationDraft> & { at: string };

function draft({ at, ...fact }: Fact, index: number): ObservationDraft {
  const eventAt = instant(at);
  return { ...blank, eventAt, statedAt: eventAt, sourceEventId: `test-event-${index + 1}`, ...fact };
}

const container = {
  eventType: "EQUIPMENT",
  containerNumber: "SBXU0000019",
  isoEquipmentCode: "45G1",
  isEmpty: false,
} as const;

/** Shanghai to Los Angeles in spring 2026, from empty out to empty in. All events are in the past. */
export const completedVoyage: readonly ObservationDraft[] = (
  [
    { ...container, code: "GTOT", place: shanghai, isEmpty: true, at: "2026-03-01T01:30:00Z" },
    { ...container, code: "GTIN", place: shanghai, seals: ["TS104512"], at: "2026-03-03T06:10:00Z" },
    { ...container, code: "LOAD", place: shanghai, call: departure, at: "2026-03-05T09:45:00Z" },
    { eventType: "TRANSPORT", code: "DEPA", place: shanghai, call: departure, at: "2026-03-05T18:20:00Z" },
    {
      eventType: "TRANSPORT",
      code: "ARRI",
      classifier: "EST",
      place: losAngeles,
      call: arrival,
      at: "2026-03-20T15:00:00Z",
      statedAt: instant("2026-03-05T20:00:00Z"),
    },
    { eventType: "TRANSPORT", code: "ARRI", place: losAngeles, call: arrival, at: "2026-03-21T02:40:00Z" },
    { ...container, code: "DISC", place: losAngeles, call: arrival, at: "2026-03-22T11:05:00Z" },
    { ...container, code: "GTOT", place: losAngeles, call: truck, at: "2026-03-25T17:30:00Z" },
    { ...container, code: "GTIN", place: losAngeles, call: truck, isEmpty: true, at: "2026-03-29T19:15:00Z" },
  ] satisfies Fact[]
).map(draft);

/** A booking that was confirmed and then voided before loading. */
export const cancelledBooking: readonly ObservationDraft[] = (["CONF", "VOID"] as const).map((code, index) =>
  draft(
    {
      eventType: "SHIPMENT",
      code,
      place: { locode: null, name: null, facilityCode: null, facilityCodeProvider: null, facilityType: null },
      documentType: "BKG",
      documentId: "TEST-TR-BOOKING-CANCELLED",
      reason: code === "VOID" ? "Cancelled at the shipper's request" : null,
      at: `2026-03-0${index + 1}T08:00:00Z`,
    },
    index,
  ),
);
