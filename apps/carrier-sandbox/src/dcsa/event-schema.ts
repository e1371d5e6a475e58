import { locodeShape } from "@svc/domain/identifiers";
import { z } from "zod";

/** The codes of DCSA Track & Trace 2.2. */
export const eventTypes = ["SHIPMENT", "TRANSPORT", "EQUIPMENT"] as const;
const classifiers = ["PLN", "EST", "ACT"] as const;
export const transportEventTypeCodes = ["ARRI", "DEPA"] as const;
export const equipmentEventTypeCodes = [
  "LOAD",
  "DISC",
  "GTIN",
  "GTOT",
  "STUF",
  "STRP",
  "PICK",
  "DROP",
  "INSP",
  "RSEA",
  "RMVD",
] as const;
export const shipmentEventTypeCodes = [
  "RECE",
  "DRFT",
  "PENA",
  "PENU",
  "REJE",
  "APPR",
  "ISSU",
  "SURR",
  "SUBM",
  "VOID",
  "CONF",
  "REQS",
  "CMPL",
  "HOLD",
  "RELS",
] as const;
export const documentTypeCodes = ["CBR", "BKG", "SHI", "SRM", "TRD", "ARN", "VGM", "CAS", "CUS", "DGD", "OOG"] as const;
const modesOfTransport = ["VESSEL", "RAIL", "TRUCK", "BARGE"] as const;
const facilityTypeCodes = ["BOCR", "CLOC", "COFS", "COYA", "OFFD", "DEPO", "INTE", "POTE", "RAMP"] as const;

const uuid = z.guid();
const facilityCode = z.string().min(1).max(6);
const facilityCodeListProvider = z.enum(["BIC", "SMDG"]);
const locode = z.string().regex(locodeShape);

const base = {
  eventID: uuid,
  eventClassifierCode: z.enum(classifiers),
  /** Local time of the place, with its offset. */
  eventDateTime: z.iso.datetime({ offset: true }),
  eventCreatedDateTime: z.iso.datetime({ offset: true }),
};

const location = z.strictObject({
  locationName: z.string().max(100).optional(),
  UNLocationCode: locode.optional(),
  facilityCode: facilityCode.optional(),
  facilityCodeListProvider: facilityCodeListProvider.optional(),
});

const vessel = z.strictObject({
  vesselIMONumber: z.string().regex(/^\d{7}$/),
  vesselName: z.string().max(35).optional(),
  vesselOperatorCarrierCode: z.string().max(10).optional(),
  vesselOperatorCarrierCodeListProvider: z.enum(["SMDG", "NMFTA"]).optional(),
});

const transportCall = z.strictObject({
  transportCallID: z.string().min(1).max(100),
  modeOfTransport: z.enum(modesOfTransport),
  carrierServiceCode: z.string().max(5).optional(),
  exportVoyageNumber: z.string().max(50).optional(),
  importVoyageNumber: z.string().max(50).optional(),
  transportCallSequenceNumber: z.int().optional(),
  UNLocationCode: locode.optional(),
  facilityCode: facilityCode.optional(),
  facilityCodeListProvider: facilityCodeListProvider.optional(),
  facilityTypeCode: z.enum(facilityTypeCodes).optional(),
  location: location.optional(),
  vessel: vessel.optional(),
});

const documentReferences = z.array(
  z.strictObject({ documentReferenceType: z.enum(["BKG", "TRD"]), documentReferenceValue: z.string() }),
);

const references = z.array(
  z.strictObject({
    referenceType: z.enum(["FF", "SI", "PO", "CR", "AAO", "EQ"]),
    referenceValue: z.string().max(100),
  }),
);

const seals = z.array(
  z.strictObject({
    sealNumber: z.string().max(15),
    sealType: z.enum(["KLP", "BLT", "WIR"]),
    sealSource: z.enum(["CAR", "SHI", "PHY", "VET", "CUS"]).optional(),
  }),
);

const transportEvent = z.strictObject({
  ...base,
  eventType: z.literal("TRANSPORT"),
  transportEventTypeCode: z.enum(transportEventTypeCodes),
  delayReasonCode: z.string().max(3).optional(),
  changeRemark: z.string().max(250).optional(),
  transportCall,
  documentReferences: documentReferences.optional(),
  references: references.optional(),
});

const equipmentEvent = z.strictObject({
  ...base,
  eventType: z.literal("EQUIPMENT"),
  equipmentEventTypeCode: z.enum(equipmentEventTypeCodes),
  equipmentReference: z.string().max(15).optional(),
  ISOEquipmentCode: z.string().max(4).optional(),
  emptyIndicatorCode: z.enum(["EMPTY", "LADEN"]),
  eventLocation: location.optional(),
  transportCall: transportCall.optional(),
  documentReferences: documentReferences.optional(),
  references: references.optional(),
  seals: seals.optional(),
});

const shipmentEvent = z.strictObject({
  ...base,
  eventType: z.literal("SHIPMENT"),
  eventClassifierCode: z.literal("ACT"),
  shipmentEventTypeCode: z.enum(shipmentEventTypeCodes),
  documentID: z.string().min(1),
  documentTypeCode: z.enum(documentTypeCodes),
  reason: z.string().optional(),
  references: references.optional(),
});

/** One event as the standard requires it: required members, codes and lengths, and no unknown members. */
export const DcsaEvent = z.discriminatedUnion("eventType", [transportEvent, equipmentEvent, shipmentEvent]);
export type DcsaEvent = z.output<typeof DcsaEvent>;
export type TransportEvent = z.output<typeof transportEvent>;
export type EquipmentEvent = z.output<typeof equipmentEvent>;
export type ShipmentEvent = z.output<typeof shipmentEvent>;
export type TransportCall = z.output<typeof transportCall>;
