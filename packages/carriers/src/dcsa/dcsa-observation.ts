import { normalizeContainerNumber } from "@svc/domain/identifiers";
import {
  type Classifier,
  type ObservationDraft,
  type ObservedCall,
  type ObservedPlace,
  readEventTime,
  readReportTime,
  type TransportMode,
} from "@svc/domain/observations";
import type { PlaceLookup } from "../place-lookup.ts";
import { DcsaEvent } from "./dcsa-event.ts";
import type { QuirkProfile } from "./quirk-profile.ts";

type DcsaEventType = "TRANSPORT" | "EQUIPMENT" | "SHIPMENT";

interface EventKind {
  readonly code: (event: DcsaEvent) => string | null;
  /** The containers of the event; `[null]`: all of the subject. Empty: the event is skipped. */
  readonly containers: (event: DcsaEvent) => readonly (string | null)[];
  readonly reason: (event: DcsaEvent) => string | null;
}

/** Documents of the whole booking or bill of lading. Others (VGM, CUS, CAS, …) may concern single containers. */
const shipmentDocumentTypes = new Set(["CBR", "BKG", "SHI", "SRM", "TRD", "ARN"]);

const kinds: Readonly<Record<DcsaEventType, EventKind>> = {
  TRANSPORT: {
    code: (event) => event.transportEventTypeCode ?? event.eventTypeCode,
    containers: referencedContainers,
    reason: (event) => event.changeRemark ?? event.delayReasonCode,
  },
  EQUIPMENT: {
    code: (event) => event.equipmentEventTypeCode ?? event.eventTypeCode,
    containers: (event) =>
      event.equipmentReference === null ? referencedContainers(event) : containerNumberOf(event.equipmentReference),
    reason: () => null,
  },
  SHIPMENT: {
    code: (event) => event.shipmentEventTypeCode ?? event.eventTypeCode,
    containers: (event) =>
      shipmentDocumentTypes.has(documentTypeOf(event) ?? "") ? [null] : referencedContainers(event),
    reason: (event) => event.reason,
  },
};

const modes: ReadonlySet<string> = new Set<TransportMode>(["VESSEL", "RAIL", "TRUCK", "BARGE"]);

/** DCSA allows numbers outside ISO 6346, up to 15 characters. Empty when it cannot be a number at all. */
function containerNumberOf(reference: string): readonly string[] {
  const number = normalizeContainerNumber(reference);
  return /^[A-Z0-9]{4,15}$/.test(number) ? [number] : [];
}

/** Transport events have no container member; some carriers list the containers on board as references. */
function referencedContainers(event: DcsaEvent): readonly (string | null)[] {
  const numbers = event.references.flatMap((reference) =>
    reference?.referenceType === "EQ" && reference.referenceValue !== null
      ? containerNumberOf(reference.referenceValue)
      : [],
  );
  return numbers.length > 0 ? [...new Set(numbers)] : [null];
}

function kindOf(event: DcsaEvent): DcsaEventType | null {
  const reported = event.eventType as DcsaEventType | null;
  if (reported !== null) return Object.hasOwn(kinds, reported) ? reported : null;
  if (event.transportEventTypeCode !== null) return "TRANSPORT";
  if (event.equipmentEventTypeCode !== null) return "EQUIPMENT";
  return event.shipmentEventTypeCode === null ? null : "SHIPMENT";
}

function classifierOf(event: DcsaEvent, profile: QuirkProfile): Classifier | null {
  const code = event.eventClassifierCode ?? "";
  if (code === "PLN" || code === "EST" || code === "ACT") return code;
  return Object.hasOwn(profile.classifiers, code) ? (profile.classifiers[code] ?? null) : null;
}

/** BOK is the deprecated spelling of BKG. */
function documentTypeOf(event: DcsaEvent): string | null {
  const code = event.documentTypeCode ?? event.shipmentInformationTypeCode;
  return code === "BOK" ? "BKG" : code;
}

/** The event's own location first, then that of the call. */
function placeOf(event: DcsaEvent, profile: QuirkProfile, places: PlaceLookup): ObservedPlace {
  const call = event.transportCall;
  const own = event.eventLocation ?? call?.location ?? null;
  const facility = own?.facilityCode != null ? own : call;
  const name = own?.locationName ?? own?.address?.city ?? null;
  const locode = own?.UNLocationCode ?? call?.UNLocationCode ?? null;
  return {
    locode: locode ?? (profile.placesInWords && name !== null ? places.locodeOf(name) : null),
    name,
    facilityCode: facility?.facilityCode ?? null,
    facilityCodeProvider: facility?.facilityCode == null ? null : facility.facilityCodeListProvider,
    facilityType: own?.facilityTypeCode ?? call?.facilityTypeCode ?? null,
  };
}

function callOf(event: DcsaEvent, profile: QuirkProfile): ObservedCall | null {
  const call = event.transportCall;
  if (!call) return null;
  const { vesselIMONumber: imo = null, vesselName: name = null } = call.vessel ?? {};
  return {
    reference: profile.stableTransportCallIds ? call.transportCallID : null,
    mode: modes.has(call.modeOfTransport ?? "") ? (call.modeOfTransport as TransportMode) : null,
    vessel: imo === null && name === null ? null : { imo, name },
    importVoyage: call.importVoyageNumber,
    exportVoyage: call.exportVoyageNumber ?? call.carrierVoyageNumber,
    sequence: call.transportCallSequenceNumber,
  };
}

function isEmptyCode(code: DcsaEvent["emptyIndicatorCode"]): boolean | null {
  if (code === "EMPTY") return true;
  return code === "LADEN" ? false : null;
}

/**
 * Converts a DCSA event to observations: one for each container it names, or one for the whole subject. Null when type,
 * code, classifier or time is missing, or a container number is invalid. Unknown codes are kept for later versions of
 * the rules.
 */
export function toObservations(
  raw: unknown,
  profile: QuirkProfile,
  places: PlaceLookup,
): readonly ObservationDraft[] | null {
  const parsed = DcsaEvent.safeParse(raw);
  if (!parsed.success) return null;
  const event = parsed.data;
  const eventType = kindOf(event);
  const classifier = classifierOf(event, profile);
  if (eventType === null || classifier === null || event.eventDateTime === null) return null;
  const kind = kinds[eventType];
  const code = kind.code(event);
  const place = placeOf(event, profile, places);
  const timeZone = place.locode === null ? null : places.timeZoneOf(place.locode);
  const time = readEventTime(event.eventDateTime, timeZone, { offsetIsLocal: profile.offsetIsLocal });
  const containers = kind.containers(event);
  if (code === null || time === null || containers.length === 0) return null;
  const fact = {
    eventType,
    code,
    classifier,
    eventAt: time.at,
    timePrecision: time.precision,
    localDate: time.localDate,
    statedAt: event.eventCreatedDateTime === null ? null : readReportTime(event.eventCreatedDateTime),
    sourceEventId: event.eventID,
    dataSource: "shipping_line",
    isEmpty: isEmptyCode(event.emptyIndicatorCode),
    isoEquipmentCode: event.ISOEquipmentCode,
    seals: event.seals.flatMap((seal) => seal?.sealNumber ?? []),
    place,
    call: callOf(event, profile),
    documentType: documentTypeOf(event),
    documentId: event.documentID,
    reason: kind.reason(event),
    retracted: event.isRetracted,
  } as const;
  return containers.map((containerNumber) => ({ ...fact, containerNumber }));
}
