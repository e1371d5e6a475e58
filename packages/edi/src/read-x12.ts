import { type ObservedPlace, type ObservedVessel, observedText } from "@svc/domain/observations";
import { x12Time } from "./edi-time.ts";
import {
  joinContainerNumber,
  type MessageFacts,
  referencesOf,
  type StatedFact,
  scacOf,
  toContainerNumber,
  toPlace,
  toVessel,
  transportEvents,
  unknownPlace,
} from "./message-facts.ts";
import type { StatusMeaning } from "./profiles.ts";
import { type Segment, value } from "./segments.ts";

/** A port of the message (R4) with its times (DTM). */
interface Stop {
  readonly segment: Segment;
  /** R receipt, L load, T and Y transshipment, D discharge, E delivery, 5 activity. */
  readonly role: string;
  readonly place: ObservedPlace;
  readonly times: readonly { readonly qualifier: string; readonly time: string | null; readonly segment: Segment }[];
}

/** The R4 functions in which a status happens whose message does not name its place, in order of preference. */
const rolesByPlace: Readonly<Record<NonNullable<StatusMeaning["place"]>, readonly string[]>> = {
  receipt: ["R"],
  load: ["L"],
  discharge: ["D", "1"],
  delivery: ["E", "D"],
};

/** Codes of element 374 for departures from and arrivals at a stop, estimated or actual. */
const departures: Readonly<Record<string, "EST" | "ACT">> = { "139": "EST", "369": "EST", "370": "ACT" };
const arrivals: Readonly<Record<string, "EST" | "ACT">> = { "139": "EST", "371": "EST", "372": "ACT" };

function stopsOf(segments: readonly Segment[]): Stop[] {
  return segments.flatMap((segment, index) => {
    if (segment.tag !== "R4") return [];
    const after = segments.slice(index + 1);
    const end = after.findIndex(({ tag }) => tag !== "DTM");
    const times = after.slice(0, end === -1 ? undefined : end).map((dtm) => ({
      qualifier: value(dtm, 1),
      time: x12Time(value(dtm, 2), value(dtm, 3), value(dtm, 4)),
      segment: dtm,
    }));
    const code = value(segment, 2) === "UN" ? value(segment, 3) : "";
    return [{ segment, role: value(segment, 1), place: toPlace(code, value(segment, 4)), times }];
  });
}

function isAt(place: ObservedPlace, stop: Stop): boolean {
  return place.locode !== null && stop.place.locode === place.locode;
}

/** The stop at which the status happens: of the place that the status names, of the activity, or by role. */
function findStop(stops: readonly Stop[], named: ObservedPlace, meaning: StatusMeaning): Stop | null {
  const roles = named.locode === null ? ["5", ...(meaning.place === undefined ? [] : rolesByPlace[meaning.place])] : [];
  const byRole = roles.flatMap((role) => stops.find((stop) => stop.role === role) ?? []);
  const atPlace = stops.filter((stop) => isAt(named, stop));
  return atPlace.find(({ role }) => role === "5") ?? atPlace[0] ?? byRole[0] ?? null;
}

type Shared = Pick<StatedFact, "bookings" | "bills" | "scac" | "containerNumber" | "vessel" | "voyage">;

/** Events by the role of their place: port of loading, port of discharge. */
const routeEvents: ReadonlyMap<string, "DEPA" | "ARRI"> = new Map([
  ["L", "DEPA"],
  ["D", "ARRI"],
]);

/**
 * Whether the status is at a place on the way: some partners name a transshipment port only as the place of the
 * activity. It is not known where a port of loading or discharge has no UN/LOCODE.
 */
function isBetween(at: ObservedPlace, stops: readonly Stop[]): boolean {
  const isNamed = (role: string) => stops.some((stop) => stop.role === role && stop.place.locode !== null);
  const ends = stops.filter(({ role }) => ["R", "L", "D", "1", "E"].includes(role));
  const isKnown =
    at.locode !== null && isNamed("L") && isNamed("D") && ends.every(({ place }) => place.locode !== null);
  return isKnown && !ends.some((stop) => isAt(at, stop));
}

/** Departures from the POL and arrivals at the POD that the message states beside its status. */
function addRoute(
  facts: MessageFacts,
  stops: readonly Stop[],
  shared: Shared,
  { status, at }: { readonly status: StatedFact | null; readonly at: ObservedPlace },
): void {
  // The vessel is that of the status: the leg that it sails, of several, is not stated.
  const isDirect = !(stops.some(({ role }) => role === "Y" || role === "T") || isBetween(at, stops));
  for (const { role, place, times } of stops) {
    const event = routeEvents.get(role);
    if (event === undefined || (status?.meaning.event === event && status.place.locode === place.locode)) continue;
    for (const { qualifier, time, segment } of times) {
      const classifier = (event === "DEPA" ? departures : arrivals)[qualifier];
      if (classifier === undefined) continue;
      if (time === null) {
        facts.fault(segment, 2, "The date or time is not valid.");
        continue;
      }
      facts.add({
        ...shared,
        segment,
        code: null,
        time,
        classifier,
        place,
        mode: "VESSEL",
        meaning: { meaning: "Route", event },
        vessel: isDirect ? (shared.vessel ?? null) : null,
        voyage: isDirect ? (shared.voyage ?? null) : null,
      });
    }
  }
}

function toVesselByCode(code: string, qualifier: string, name: string): ObservedVessel | null {
  return toVessel(qualifier === "L" || qualifier === "" ? code : "", name);
}

function documentsOf(segments: readonly Segment[]): Pick<StatedFact, "bookings" | "bills" | "scac"> {
  return {
    bookings: referencesOf(segments, "N9", "BN"),
    bills: [...referencesOf(segments, "N9", "BM"), ...referencesOf(segments, "N9", "MB")],
    scac: scacOf(referencesOf(segments, "N9", "SCA")[0] ?? ""),
  };
}

/** E empty, L loaded. */
function readEmptyIndicator(code: string): boolean | null {
  if (code === "E") return true;
  return code === "L" ? false : null;
}

/**
 * The time of the stop that is that of the status, estimated (139) or actual (140). Of several the one that equals the
 * time of the status, else the actual one: an earlier estimate may stand beside it.
 */
function statusTime(stop: Stop, meaning: StatusMeaning, time: string | null): Stop["times"][number] | undefined {
  const candidates = stop.times.filter(
    (one) =>
      (one.qualifier === "139" || one.qualifier === "140") &&
      // The times of a port are those of the vessel, which need not be that of a container's move there.
      (stop.role === "5" || transportEvents.has(meaning.event ?? "") || [null, one.time].includes(time)),
  );
  const equal = candidates.filter((one) => one.time !== null && one.time === time);
  const preferred = equal.length > 0 ? equal : candidates;
  return preferred.find(({ qualifier }) => qualifier === "140") ?? preferred[0];
}

/** The status as an event; null when it is none, with the note, the code or the fault recorded. */
function addStatus(
  facts: MessageFacts,
  stops: readonly Stop[],
  status: Omit<StatedFact, "meaning" | "time" | "classifier"> & { readonly time: string | null },
  timeElement: number,
): StatedFact | null {
  const { segment, code, containerNumber } = status;
  facts.statuses++;
  if (code === null || code === "") {
    facts.fault(segment, timeElement - 1, "The status code is missing.");
    return null;
  }
  const meaning = facts.meaningOf("x12", code, segment, [containerNumber]);
  if (meaning === null) return null;
  const stop = findStop(stops, status.place, meaning);
  const reported = stop === null ? undefined : statusTime(stop, meaning, status.time);
  const time = status.time ?? reported?.time ?? null;
  if (time === null) {
    facts.fault(segment, timeElement, "The date or time of the status is missing or not valid.");
    return null;
  }
  const named = { ...status.place, name: status.place.name ?? stop?.place.name ?? null };
  const place = named.locode === null && stop !== null ? stop.place : named;
  const classifier = reported?.qualifier === "139" ? "EST" : "ACT";
  const fact: StatedFact = { ...status, meaning, time, classifier, place };
  return facts.add(fact) ? fact : null;
}

/** 315: status details of an ocean shipment. One status of one container, and the ports of its route. */
export function read315(segments: readonly Segment[], facts: MessageFacts): void {
  const b4 = segments.find(({ tag }) => tag === "B4");
  if (b4 === undefined) {
    facts.fault(segments[0] as Segment, null, "The message has no B4 segment.");
    return;
  }
  const q2 = segments.find(({ tag }) => tag === "Q2");
  const stops = stopsOf(segments);
  const containerNumber =
    joinContainerNumber(value(b4, 7), value(b4, 8), value(b4, 13)) ??
    toContainerNumber(referencesOf(segments, "N9", "EQ")[0] ?? "");
  const shared: Shared = {
    ...documentsOf(segments),
    containerNumber,
    vessel: q2 === undefined ? null : toVesselByCode(value(q2, 1), value(q2, 12), value(q2, 13)),
    voyage: q2 === undefined ? null : observedText(value(q2, 9)),
  };
  const code = value(b4, 12) === "UN" || value(b4, 12) === "" ? value(b4, 11) || value(b4, 6) : "";
  const place = toPlace(code, value(b4, 12) === "CI" ? value(b4, 11) : value(b4, 6));
  const status = {
    ...shared,
    segment: b4,
    code: value(b4, 3),
    time: x12Time(value(b4, 4), value(b4, 5)),
    place: place.name === place.locode ? { ...place, name: null } : place,
    isEmpty: readEmptyIndicator(value(b4, 9)),
    equipmentType: observedText(value(b4, 10)),
    seals: referencesOf(segments, "N9", "SN"),
  };
  const activity = stops.find(({ role }) => role === "5")?.place ?? unknownPlace;
  const at = status.place.locode === null ? activity : status.place;
  addRoute(facts, stops, shared, { status: addStatus(facts, stops, status, 4), at });
}

/** 322: activity at a terminal or ramp. One status of one or several containers. */
export function read322(segments: readonly Segment[], facts: MessageFacts): void {
  const q5 = segments.find(({ tag }) => tag === "Q5");
  if (q5 === undefined) {
    facts.fault(segments[0] as Segment, null, "The message has no Q5 segment.");
    return;
  }
  const stops = stopsOf(segments);
  const v1 = segments.find(({ tag }) => tag === "V1");
  const starts = segments.flatMap(({ tag }, index) => (tag === "N7" ? [index] : []));
  if (starts.length === 0) {
    facts.fault(q5, null, "The message names no container: N7 is missing.");
    return;
  }
  const activity = stops.find(({ role }) => role === "5")?.place ?? unknownPlace;
  const header = segments.slice(0, starts[0]);
  for (const [index, start] of starts.entries()) {
    const n7 = segments[start] as Segment;
    // References of the header are those of each container.
    const own = [...header, ...segments.slice(start, starts[index + 1])];
    const w2 = own.find(({ tag }) => tag === "W2");
    const status = {
      ...documentsOf(own),
      segment: q5,
      code: value(q5, 1),
      time: x12Time(value(q5, 2), value(q5, 3), value(q5, 4)),
      containerNumber: joinContainerNumber(value(n7, 1), value(n7, 2), value(n7, 18)),
      place: activity.locode === null ? { ...unknownPlace, name: observedText(value(q5, 6)) } : activity,
      isEmpty: w2 === undefined ? null : readEmptyIndicator(value(w2, 5)),
      equipmentType: observedText(value(n7, 22)),
      vessel: v1 === undefined ? null : toVesselByCode(value(v1, 1), value(v1, 8), value(v1, 2)),
      voyage: v1 === undefined ? null : observedText(value(v1, 4)),
    };
    addStatus(facts, stops, status, 2);
  }
}

/** 301: answer to a booking. Its confirmation, and the planned route. */
export function read301(segments: readonly Segment[], facts: MessageFacts): void {
  const b1 = segments.find(({ tag }) => tag === "B1");
  if (b1 === undefined) {
    facts.fault(segments[0] as Segment, null, "The message has no B1 segment.");
    return;
  }
  const v1 = segments.find(({ tag }) => tag === "V1");
  const stops = stopsOf(segments);
  const documents = documentsOf(segments);
  const booking = observedText(value(b1, 2));
  const shared: Shared = {
    ...documents,
    bookings: [...new Set([...(booking === null ? [] : [booking]), ...documents.bookings])],
    scac: scacOf(value(b1, 1)) ?? documents.scac,
    containerNumber: null,
    vessel: v1 === undefined ? null : toVesselByCode(value(v1, 1), value(v1, 8), value(v1, 2)),
    voyage: v1 === undefined ? null : observedText(value(v1, 4)),
  };
  facts.statuses++;
  const action = value(b1, 4);
  const time = x12Time(value(b1, 3), "");
  if (action !== "A") facts.unmapped.push({ code: `B1-04 ${observedText(action) ?? ""}`.trim(), line: b1.line });
  else if (time === null) facts.fault(b1, 3, "The date of the confirmation is missing or not valid.");
  else {
    const meaning = { meaning: "Booking accepted", event: "CONF", document: "BKG" } as const;
    const place = stops.find(({ role }) => role === "L")?.place ?? unknownPlace;
    facts.add({ ...shared, segment: b1, code: action, meaning, time, classifier: "ACT", place });
  }
  addRoute(facts, stops, shared, { status: null, at: unknownPlace });
}
