import { containerCheckDigit, isLocode, looksLikeContainerNumber } from "@svc/domain/identifiers";

/** Members whose values describe the voyage and nobody's shipment. All others are replaced. */
const retainedMembers = new Set(
  [
    "eventType",
    "eventTypeCode",
    "eventClassifier",
    "eventClassifierCode",
    "isRetracted",
    "eventDateTime",
    "eventCreatedDateTime",
    "eventUpdatedDateTime",
    "transportEventType",
    "transportEventTypeCode",
    "equipmentEventType",
    "equipmentEventTypeCode",
    "shipmentEventType",
    "shipmentEventTypeCode",
    "shipmentInformationTypeCode",
    "documentTypeCode",
    "type",
    "typeCode",
    "documentReferenceType",
    "referenceType",
    "delayReasonCode",
    "ISOEquipmentCode",
    "emptyIndicator",
    "emptyIndicatorCode",
    "modeOfTransport",
    "modeOfTransportCode",
    "transportCallSequenceNumber",
    "carrierServiceCode",
    "UNLocationCode",
    "facilityCode",
    "facilityCodeListProvider",
    "facilityType",
    "facilityTypeCode",
    "vesselIMONumber",
    "vesselName",
    "exportVoyageNumber",
    "importVoyageNumber",
    "carrierVoyageNumber",
    // COSCO
    "voyageNo",
    "portOfLoading",
    "portOfDischarge",
    "city",
    "label",
    "containerNumberStatus",
    "transportation",
    "timeOfIssue",
    "expectedDateOfDeparture",
    "actualDepartureDate",
    "estimatedDateOfArrival",
    "actualArrivalDate",
  ].map((name) => name.toLowerCase()),
);
const retainedLengthMax = 40;
/** Places in words: facility, city, state and country. */
const placeMembers = new Set(["location", "fromcity"]);
const placeLengthMax = 120;

/** Replaces values, the same one always by the same replacement. */
class Pseudonyms {
  readonly #replaced = new Map<string, string>();

  of(value: string): string {
    const known = this.#replaced.get(value);
    if (known !== undefined) return known;
    const serial = this.#replaced.size + 1;
    const firstTen = `TSTU${String(serial).padStart(6, "0")}`;
    // Too long to be read as a number of a container.
    const pseudonym = looksLikeContainerNumber(value)
      ? `${firstTen}${containerCheckDigit(firstTen)}`
      : `value replaced by number ${serial}`;
    this.#replaced.set(value, pseudonym);
    return pseudonym;
  }
}

function stripped(value: unknown, name: string, pseudonyms: Pseudonyms): unknown {
  if (Array.isArray(value)) return value.map((each) => stripped(each, name, pseudonyms));
  if (typeof value === "object" && value !== null) {
    // Numbers may be names, too.
    const members = Object.entries(value).map(([key, inner]) => {
      return [/\d{3}/.test(key) ? pseudonyms.of(key) : key, stripped(inner, key, pseudonyms)] as const;
    });
    return Object.fromEntries(members);
  }
  const isPlace = placeMembers.has(name.toLowerCase());
  const isRetained =
    isPlace || retainedMembers.has(name.toLowerCase()) || (name === "eventLocation" && isLocode(String(value)));
  const longest = isPlace ? placeLengthMax : retainedLengthMax;
  if (typeof value === "string")
    return value === "" || (isRetained && value.length <= longest) ? value : pseudonyms.of(value);
  return typeof value !== "number" || isRetained ? value : 0;
}

/**
 * A carrier's reply that can be shared as a test: its shape, codes, times, places and vessels, without references,
 * container numbers, names, identifiers and other values, each of which is replaced. Null when it is not JSON.
 */
export function stripReply(body: Uint8Array): unknown {
  try {
    return stripped(JSON.parse(new TextDecoder().decode(body)), "", new Pseudonyms());
  } catch {
    return null;
  }
}
