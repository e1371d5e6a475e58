import { createHash } from "node:crypto";
import type { DcsaServer } from "@svc/carriers/carrier-server";
import type { DcsaEvent } from "../dcsa/event-schema.ts";

type Members = Record<string, unknown>;

/** Whether a carrier with these habits publishes the event at all. */
export function isPublished(event: DcsaEvent, { habits }: DcsaServer): boolean {
  if (event.eventType !== "SHIPMENT") return true;
  if (habits.includes("no_shipment_events")) return false;
  return !habits.includes("two_shipment_events") || ["ISSU", "CONF"].includes(event.shipmentEventTypeCode);
}

const hashed = (value: unknown): string => createHash("sha256").update(String(value)).digest("hex").slice(0, 32);

function withHashedReferences(event: Members): Members {
  const hash = (list: unknown, name: string) =>
    (list as Members[] | undefined)?.map((each) => ({ ...each, [name]: hashed(each[name]) }));
  return {
    ...event,
    documentReferences: hash(event.documentReferences, "documentReferenceValue"),
    references: hash(event.references, "referenceValue"),
  };
}

function withCall(event: Members, change: (call: Members) => Members): Members {
  return event.transportCall === undefined
    ? event
    : { ...event, transportCall: change(event.transportCall as Members) };
}

function inLowerCase({ UNLocationCode, ...rest }: Members): Members {
  return UNLocationCode === undefined ? rest : { ...rest, unLocationCode: UNLocationCode };
}

const changes: Readonly<Record<string, (event: Members) => Members>> = {
  plan_spelling: (event) => (event.eventClassifierCode === "PLN" ? { ...event, eventClassifierCode: "PLAN" } : event),
  numeric_vessel_numbers: (event) =>
    withCall(event, ({ vessel, ...call }) => ({
      ...call,
      ...(vessel !== undefined && {
        vessel: { ...(vessel as Members), vesselIMONumber: Number((vessel as Members).vesselIMONumber) },
      }),
    })),
  empty_vessels: (event) => withCall(event, (call) => (call.vessel === undefined ? call : { ...call, vessel: {} })),
  lower_case_locations: (event) => ({
    ...withCall(event, inLowerCase),
    ...(event.eventLocation !== undefined && { eventLocation: inLowerCase(event.eventLocation as Members) }),
  }),
  no_calls_of_transport_events: ({ transportCall, ...event }) =>
    event.eventType === "TRANSPORT" ? event : { ...event, transportCall },
  hashed_references: withHashedReferences,
};

/** The spelling of DCSA Track & Trace 3.0, with the names of its first draft. */
function asVersion3(event: DcsaEvent): Members {
  const call = event.eventType === "SHIPMENT" ? undefined : event.transportCall;
  const isEquipment = event.eventType === "EQUIPMENT";
  const onBoard = event.references?.filter(({ referenceType }) => referenceType === "EQ") ?? [];
  const location = (isEquipment ? event.eventLocation : undefined) ?? {
    UNLocationCode: call?.UNLocationCode,
    facilityCode: call?.facilityCode,
    facilityCodeListProvider: call?.facilityCodeListProvider,
  };
  const voyage = (number: string | undefined) => number && { carrierVoyageNumber: number };
  return {
    eventID: event.eventID,
    eventDateTime: event.eventDateTime,
    eventUpdatedDateTime: event.eventCreatedDateTime,
    eventClassification: {
      eventTypeCode: event.eventType,
      eventClassifierCode: event.eventClassifierCode,
      ...("transportEventTypeCode" in event && { transportEventTypeCode: event.transportEventTypeCode }),
      ...("equipmentEventTypeCode" in event && { equipmentEventTypeCode: event.equipmentEventTypeCode }),
      ...("shipmentEventTypeCode" in event && { shipmentEventTypeCode: event.shipmentEventTypeCode }),
    },
    ...("documentTypeCode" in event && {
      shipmentDetails: { documentReference: { typeCode: event.documentTypeCode, reference: event.documentID } },
    }),
    ...(isEquipment && {
      equipmentDetails: {
        equipmentReference: event.equipmentReference,
        ISOEquipmentCode: event.ISOEquipmentCode,
        emptyIndicatorCode: event.emptyIndicatorCode,
        seals: event.seals,
      },
      eventLocation: { ...location, facilityTypeCode: call?.facilityTypeCode },
    }),
    // An event has room for one container; without any it is of the whole shipment.
    ...(!isEquipment &&
      onBoard.length === 1 && { equipmentDetails: { equipmentReference: onBoard[0]?.referenceValue } }),
    ...(call && {
      transportDetails: {
        transportCall: {
          transportCallReference: call.transportCallID,
          modeOfTransportCode: call.modeOfTransport,
          importVoyageNumberOrReference: voyage(call.importVoyageNumber),
          exportVoyageNumberOrReference: voyage(call.exportVoyageNumber),
          vesselTransport: call.vessel,
          location: { ...location, facilityTypeCode: call.facilityTypeCode },
        },
      },
    }),
  };
}

/** An event as the carrier writes it. */
export function carrierEvent(event: DcsaEvent, { version, habits }: DcsaServer): object {
  const written: Members = version === "3" ? asVersion3(event) : event;
  return habits.reduce((changed, habit) => changes[habit]?.(changed) ?? changed, written);
}
