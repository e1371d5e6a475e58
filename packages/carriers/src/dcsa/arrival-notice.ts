import { isJsonObject, type JsonObject, localDateAt } from "@svc/domain";
import { normalizeContainerNumber } from "@svc/domain/identifiers";
import {
  type Classifier,
  type ObservationDraft,
  observedText,
  readEventTime,
  readReportTime,
} from "@svc/domain/observations";
import type { StoredReading } from "../carrier-protocol.ts";
import { parseJsonBody } from "../json-body.ts";
import type { PlaceLookup } from "../place-lookup.ts";

const membersOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** Null: no text, or an empty one. */
const textOf = (value: unknown): string | null => (typeof value === "string" ? observedText(value) : null);
const textsOf = (value: unknown): readonly string[] => listOf(value).flatMap((each) => textOf(each) ?? []);

const classifiers: ReadonlySet<string> = new Set<Classifier>(["PLN", "EST", "ACT"]);
/** Free time of the container before it is picked up; that after it (`DET`) and of the terminal (`STO`) are others. */
const demurrage = "DEM";
const otherFreeTimes: ReadonlySet<string> = new Set(["DET", "STO"]);

interface NoticeContainer {
  readonly number: string;
  readonly isoEquipmentCode: string | null;
  readonly place: ObservationDraft["place"];
  readonly timeZone: string | null;
}

/** A last free day as the notice states it. */
interface LastFreeDate {
  readonly text: string;
  readonly classifier: Classifier;
}

/** The notices of a body, which may be several pages; null when it is none. */
export function noticesOf(body: Uint8Array): readonly JsonObject[] | null {
  const document = parseJsonBody(body);
  const lists = (Array.isArray(document) ? document : [document]).map((page) => membersOf(page).arrivalNotices);
  return lists.every(Array.isArray) ? lists.flat().map(membersOf) : null;
}

/**
 * Reads notices of the DCSA Arrival Notice API. Only a last free day with a date is read: none is computed from a
 * duration. Charges are not read, because they are of the bill of lading and not of the stay at the terminal.
 * `skipped`: notices without a time of issue, and dates of which it is not known what or whose they are.
 */
export function readArrivalNotices(notices: readonly JsonObject[], places: PlaceLookup): StoredReading {
  const readings = notices.map((notice) => readNotice(notice, places));
  return {
    drafts: readings.flatMap(({ drafts }) => drafts),
    skipped: readings.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

function readNotice(notice: JsonObject, places: PlaceLookup): StoredReading {
  const issuedAt = readReportTime(textOf(notice.issueDateTime) ?? "");
  if (issuedAt === null) return { drafts: [], skipped: 1 };
  const containers = containersOf(notice, places);
  const drafts = new Map<string, ObservationDraft>();
  let skipped = 0;
  for (const freeTime of listOf(notice.freeTimes).map(membersOf)) {
    if (freeTime.lastFreeDate == null && freeTime.lastFreeDateTime == null) continue;
    const types = textsOf(freeTime.typeCodes);
    if (types.length > 0 && types.every((type) => otherFreeTimes.has(type))) continue;
    const lastFreeDate = types.length === 0 || types.includes(demurrage) ? lastFreeDateOf(freeTime) : null;
    const own = containersWith(freeTime, containers);
    if (lastFreeDate === null || own.length === 0) {
      skipped++;
      continue;
    }
    for (const container of own) {
      const draft = lastFreeDayDraft(container, lastFreeDate, issuedAt);
      if (draft === null) skipped++;
      // The earliest day of several: until then the container is free of charge by each of them.
      else retainEarlier(drafts, `${container.number} ${lastFreeDate.classifier}`, draft);
    }
  }
  return { drafts: [...drafts.values()], skipped };
}

function containersOf(notice: JsonObject, places: PlaceLookup): readonly NoticeContainer[] {
  return listOf(notice.utilizedTransportEquipments).flatMap((each) => {
    const { equipment, pickupInformation } = membersOf(each);
    const { equipmentReference, ISOEquipmentCode } = membersOf(equipment);
    const number = normalizeContainerNumber(textOf(equipmentReference) ?? "");
    if (!/^[A-Z0-9]{4,15}$/.test(number)) return [];
    const location =
      membersOf(pickupInformation).pickupLocation ??
      membersOf(notice.pickupInformation).pickupLocation ??
      membersOf(notice.transport).portOfDischarge;
    const place = placeOf(membersOf(location));
    const timeZone = place.locode === null ? null : places.timeZoneOf(place.locode);
    return { number, isoEquipmentCode: textOf(ISOEquipmentCode), place, timeZone };
  });
}

function placeOf({ locationName, UNLocationCode, facilityTypeCode, facility }: JsonObject): ObservationDraft["place"] {
  const { facilityCode, facilityCodeListProvider } = membersOf(facility);
  return {
    locode: textOf(UNLocationCode),
    name: textOf(locationName),
    facilityCode: textOf(facilityCode),
    facilityCodeProvider: textOf(facilityCode) === null ? null : textOf(facilityCodeListProvider),
    facilityType: textOf(facilityTypeCode),
  };
}

/** Containers by number, else by the code of their type; without either all. A group of types (22GP) is no type. */
function containersWith(freeTime: JsonObject, containers: readonly NoticeContainer[]): readonly NoticeContainer[] {
  const numbers = textsOf(freeTime.equipmentReferences).map(normalizeContainerNumber);
  if (numbers.length > 0) return containers.filter(({ number }) => numbers.includes(number));
  const codes = textsOf(freeTime.ISOEquipmentCodes);
  if (codes.length === 0) return containers;
  return containers.filter(({ isoEquipmentCode }) => isoEquipmentCode !== null && codes.includes(isoEquipmentCode));
}

/** Null: without a value, or with a classifier that is not documented. One without a classifier is stated as it is. */
function lastFreeDateOf({ lastFreeDate, lastFreeDateTime }: JsonObject): LastFreeDate | null {
  const { value, classifier } = membersOf(lastFreeDate ?? lastFreeDateTime);
  const text = textOf(value);
  const code = classifier == null ? "ACT" : (textOf(classifier) ?? "");
  return text === null || !classifiers.has(code) ? null : { text, classifier: code as Classifier };
}

/** Null: its local day is not known. */
function lastFreeDayDraft(
  { number, place, timeZone }: NoticeContainer,
  { text, classifier }: LastFreeDate,
  issuedAt: ObservationDraft["eventAt"],
): ObservationDraft | null {
  const day = readEventTime(text, timeZone)?.localDate ?? null;
  const lastFreeDayAt = day === null ? null : (readEventTime(day, timeZone)?.at ?? null);
  if (lastFreeDayAt === null) return null;
  return {
    eventType: "TERMINAL",
    code: "LAST_FREE_DAY",
    classifier,
    eventAt: issuedAt,
    timePrecision: "exact",
    localDate: timeZone === null ? null : localDateAt(issuedAt, timeZone),
    statedAt: issuedAt,
    sourceEventId: null,
    dataSource: "shipping_line",
    containerNumber: number,
    isEmpty: null,
    isoEquipmentCode: null,
    seals: [],
    place,
    call: null,
    documentType: "ARN",
    documentId: null,
    reason: null,
    retracted: false,
    pickup: { aspect: "last_free_day", setBy: "line", lastFreeDayAt },
  };
}

const dayOf = ({ pickup }: ObservationDraft): string =>
  pickup?.aspect === "last_free_day" ? (pickup.lastFreeDayAt ?? "") : "";

function retainEarlier(drafts: Map<string, ObservationDraft>, key: string, draft: ObservationDraft): void {
  const before = drafts.get(key);
  if (before === undefined || dayOf(draft) < dayOf(before)) drafts.set(key, draft);
}
