import { observedText } from "@svc/domain/observations";
import { z } from "zod";

/** Text as carriers send it, numbers converted. Null for absent, null, empty and non-text values. */
const text = z
  .union([z.string(), z.number()])
  .transform((value) => observedText(String(value)))
  .nullable()
  .catch(null);

const code = text.transform((value) => value?.toUpperCase() ?? null);
const locode = code.transform((value) => {
  const compact = value?.replace(/[\s-]/g, "") ?? "";
  return /^[A-Z]{2}[A-Z0-9]{3}$/.test(compact) ? compact : null;
});

/** MSC writes unLocationCode. */
function withCanonicalSpelling(value: unknown): unknown {
  const isOther = typeof value === "object" && value !== null && "unLocationCode" in value;
  return isOther ? { UNLocationCode: value.unLocationCode, ...value } : value;
}

const locationMembers = z
  .object({
    locationName: text,
    UNLocationCode: locode,
    facilityCode: code,
    facilityCodeListProvider: code,
    facilityTypeCode: code,
    address: z.object({ city: text }).nullable().catch(null),
  })
  .nullable()
  .catch(null);
const location = z.preprocess(withCanonicalSpelling, locationMembers);

const callMembers = z
  .object({
    transportCallID: text,
    modeOfTransport: code,
    importVoyageNumber: text,
    exportVoyageNumber: text,
    carrierVoyageNumber: text,
    transportCallSequenceNumber: z.coerce.number().int().min(0).max(2_147_483_647).nullable().catch(null),
    UNLocationCode: locode,
    facilityCode: code,
    facilityCodeListProvider: code,
    facilityTypeCode: code,
    otherFacility: text,
    location,
    vessel: z.object({ vesselIMONumber: text, vesselName: text }).nullable().catch(null),
  })
  .nullable()
  .catch(null);
const transportCall = z.preprocess(withCanonicalSpelling, callMembers);

const references = z
  .array(z.object({ referenceType: code, referenceValue: text }).nullable().catch(null))
  .max(1_000)
  .catch([]);

const seals = z
  .array(z.object({ sealNumber: text }).nullable().catch(null))
  .max(100)
  .catch([]);

/**
 * An event of DCSA Track & Trace 2.2 as carriers send it: every member optional, of any type, in any case. Deprecated
 * members are accepted for those that replaced them; `isRetracted` is from 3.0.
 */
export const DcsaEvent = z.object({
  eventID: text,
  eventType: code,
  eventClassifierCode: code,
  eventDateTime: text,
  eventCreatedDateTime: text,
  transportEventTypeCode: code,
  equipmentEventTypeCode: code,
  shipmentEventTypeCode: code,
  eventTypeCode: code,
  transportCall,
  equipmentReference: text,
  ISOEquipmentCode: code,
  emptyIndicatorCode: code,
  eventLocation: location,
  seals,
  documentID: text,
  documentTypeCode: code,
  shipmentInformationTypeCode: code,
  reason: text,
  delayReasonCode: code,
  changeRemark: text,
  references,
  isRetracted: z.boolean().catch(false),
});
export type DcsaEvent = z.output<typeof DcsaEvent>;
