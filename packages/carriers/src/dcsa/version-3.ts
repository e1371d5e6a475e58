import { z } from "zod";

/**
 * DCSA Track & Trace 3.0 is not final: between January and June 2026 members lost their `Code` (`eventTypeCode` became
 * `eventType`) and codes became names (`ACT` became `ACTUAL`, `GTIN` became `GATED_IN`). Both spellings are accepted.
 * The names are those of the DCSA conformance gateway's samples or, where it has none, of its code lists.
 */
const codesByName: Readonly<Record<string, string>> = {
  PLANNED: "PLN",
  ESTIMATED: "EST",
  ACTUAL: "ACT",
  ARRIVED: "ARRI",
  DEPARTED: "DEPA",
  LOADED: "LOAD",
  DISCHARGED: "DISC",
  GATED_IN: "GTIN",
  GATED_OUT: "GTOT",
  STUFFED: "STUF",
  STRIPPED: "STRP",
  PICK_UP: "PICK",
  DROP_OFF: "DROP",
  INSPECTED: "INSP",
  RESEALED: "RSEA",
  REMOVED: "RMVD",
  AVAILABLE_FOR_PICK_UP: "AVPU",
  AVAILABLE_FOR_DROP_OFF: "AVDO",
  CUSTOMS_SELECTED_FOR_SCAN: "CUSS",
  CUSTOMS_SELECTED_FOR_INSPECTION: "CUSI",
  CUSTOMS_RELEASED: "CUSR",
  CROSSED: "CROS",
  RECEIVED: "RECE",
  DRAFTED: "DRFT",
  PENDING_APPROVAL: "PENA",
  PENDING_UPDATE: "PENU",
  REJECTED: "REJE",
  APPROVED: "APPR",
  ISSUED: "ISSU",
  SURRENDERED: "SURR",
  SUBMITTED: "SUBM",
  VOID: "VOID",
  CONFIRMED: "CONF",
  REQUESTED: "REQS",
  COMPLETED: "CMPL",
  ON_HOLD: "HOLD",
  RELEASED: "RELS",
  CANCELLED: "CANC",
  BOOKING: "BKG",
  TRANSPORT_DOCUMENT: "TRD",
  PORT_TERMINAL: "POTE",
  DEPOT: "DEPO",
  INLAND_TERMINAL: "INTE",
  RAMP: "RAMP",
  CUSTOMER_LOCATION: "CLOC",
  CONTAINER_FREIGHT_STATION: "COFS",
  OFF_DOCK_STORAGE: "OFFD",
  BORDER_CROSSING: "BOCR",
};

const member = z.record(z.string(), z.unknown()).catch({});

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => member.parse(inner)[name], value);
}

/** The first present member; names are converted to codes of 2.2. */
function codeAt(value: unknown, ...names: readonly string[]): unknown {
  const code = names.map((name) => at(value, name)).find((each) => each !== undefined && each !== null);
  return typeof code === "string" ? (codesByName[code.toUpperCase()] ?? code) : code;
}

function callOf(event: unknown): unknown {
  const call = at(event, "transportDetails", "transportCall");
  if (call === undefined) return undefined;
  const vessel = at(call, "vesselTransport");
  const voyage = (name: string) => at(call, name, "carrierVoyageNumber") ?? at(call, name, "universalVoyageReference");
  return {
    transportCallID: at(call, "transportCallReference"),
    transportCallSequenceNumber: at(call, "transportCallSequenceNumber"),
    modeOfTransport: codeAt(call, "modeOfTransport", "modeOfTransportCode"),
    importVoyageNumber: voyage("importVoyageNumberOrReference"),
    exportVoyageNumber: voyage("exportVoyageNumberOrReference"),
    vessel:
      vessel === undefined
        ? undefined
        : { vesselIMONumber: at(vessel, "vesselIMONumber"), vesselName: at(vessel, "vesselName") },
    location: locationOf(at(call, "location")),
  };
}

function locationOf(location: unknown): unknown {
  if (location === undefined || location === null) return undefined;
  return {
    ...member.parse(location),
    facilityCode: at(location, "facilityCode") ?? at(location, "facility", "facilityCode"),
    facilityCodeListProvider:
      at(location, "facilityCodeListProvider") ?? at(location, "facility", "facilityCodeListProvider"),
    facilityTypeCode: codeAt(location, "facilityType", "facilityTypeCode"),
  };
}

/** Converts an event of 3.0 to 2.2, so that events are interpreted in one place. Any member may be missing. */
export function asVersion2(event: unknown): unknown {
  const kind = at(event, "eventClassification");
  const document = at(event, "shipmentDetails", "documentReference");
  const equipment = at(event, "equipmentDetails");
  const eventType = codeAt(kind, "eventType", "eventTypeCode");
  return {
    eventID: at(event, "eventID"),
    eventType,
    eventClassifierCode: codeAt(kind, "eventClassifier", "eventClassifierCode"),
    eventDateTime: at(event, "eventDateTime"),
    eventCreatedDateTime: at(event, "eventUpdatedDateTime"),
    isRetracted: at(event, "isRetracted"),
    transportEventTypeCode: codeAt(kind, "transportEventType", "transportEventTypeCode"),
    equipmentEventTypeCode: codeAt(kind, "equipmentEventType", "equipmentEventTypeCode"),
    shipmentEventTypeCode: codeAt(kind, "shipmentEventType", "shipmentEventTypeCode"),
    documentTypeCode: codeAt(document, "type", "typeCode"),
    documentID: at(document, "reference"),
    documentReferences: [document, ...list(at(event, "shipmentDetails", "additionalDocumentReferences"))].map(
      (each) => ({
        documentReferenceType: codeAt(each, "type", "typeCode"),
        documentReferenceValue: at(each, "reference"),
      }),
    ),
    equipmentReference: eventType === "EQUIPMENT" ? at(equipment, "equipmentReference") : undefined,
    references:
      eventType !== "EQUIPMENT" && at(equipment, "equipmentReference") !== undefined
        ? [{ referenceType: "EQ", referenceValue: at(equipment, "equipmentReference") }]
        : undefined,
    ISOEquipmentCode: at(equipment, "ISOEquipmentCode"),
    emptyIndicatorCode: codeAt(equipment, "emptyIndicator", "emptyIndicatorCode"),
    seals: at(equipment, "seals"),
    eventLocation: locationOf(at(event, "eventLocation")),
    transportCall: callOf(event),
  };
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
