import { type ObservedPlace, observedText } from "@svc/domain/observations";
import {
  carrierOf,
  firstLocation,
  firstTime,
  locationOf,
  readEmptyIndicator,
  sealsOf,
  splitBefore,
  timeOf,
  transportOf,
} from "./edifact-segments.ts";
import { type MessageFacts, referencesOf, type StatedFact, toContainerNumber, unknownPlace } from "./message-facts.ts";
import type { StatusMeaning } from "./profiles.ts";
import { type Segment, value } from "./segments.ts";

/** LOC qualifiers of the status itself, then those by the role of its place. */
const statusPlaces = ["175", "165", "5"] as const;
const rolePlaces: Readonly<Record<NonNullable<StatusMeaning["place"]>, readonly string[]>> = {
  receipt: ["88"],
  load: ["9"],
  discharge: ["11"],
  delivery: ["7", "11"],
};
const estimates = new Set(["132", "133"]);
/** UN/EDIFACT 2005: at which place of a transport, which event, and whether it has happened. */
const routeTimes: Readonly<Record<string, { place: string; event: "DEPA" | "ARRI"; classifier: "EST" | "ACT" }>> = {
  "133": { place: "9", event: "DEPA", classifier: "EST" },
  "186": { place: "9", event: "DEPA", classifier: "ACT" },
  "132": { place: "11", event: "ARRI", classifier: "EST" },
  "178": { place: "11", event: "ARRI", classifier: "ACT" },
};

interface Container {
  readonly number: string | null;
  readonly isEmpty: boolean | null;
  readonly equipmentType: string | null;
}

/** A container without a number is reported as a fault and left out. */
function containersOf(segments: readonly Segment[], facts: MessageFacts): Container[] {
  return segments.flatMap((segment): Container[] => {
    if (segment.tag !== "EQD" || value(segment, 1) !== "CN") return [];
    const number = toContainerNumber(value(segment, 2));
    if (number === null) facts.fault(segment, 2, "The container number is missing or not valid.");
    const equipmentType = observedText(value(segment, 3));
    return number === null ? [] : [{ number, isEmpty: readEmptyIndicator(segment), equipmentType }];
  });
}

function documentsOf(parts: readonly (readonly Segment[])[]): Pick<StatedFact, "bookings" | "bills"> {
  const all = (qualifier: string) => [
    ...new Set(parts.flatMap((segments) => referencesOf(segments, "RFF", qualifier))),
  ];
  return { bookings: all("BN"), bills: [...all("BM"), ...all("MB")] };
}

/** IFTSTA: statuses (STS) of consignments (CNI), each with its time, place, transport and containers. */
export function readIftsta(segments: readonly Segment[], facts: MessageFacts): void {
  const [header = [], ...consignments] = splitBefore(segments, new Set(["CNI"]));
  const scac = carrierOf(segments);
  // Some partners have no CNI at all.
  const groups = consignments.length > 0 ? consignments : [header];
  for (const group of groups) {
    const [consignment = [], ...statuses] = splitBefore(group, new Set(["STS"]));
    for (const status of statuses) {
      readStatus(status, group === header ? [consignment] : [header, consignment], scac, facts);
    }
  }
  if (facts.statuses === 0) facts.fault(segments[0] as Segment, null, "The message has no status: STS is missing.");
}

function readStatus(
  segments: readonly Segment[],
  around: readonly (readonly Segment[])[],
  scac: string | null,
  facts: MessageFacts,
): void {
  const sts = segments[0] as Segment;
  facts.statuses++;
  const code = value(sts, 2);
  if (code === "") {
    facts.fault(sts, 2, "The status code is missing.");
    return;
  }
  const tdt = segments.find(({ tag }) => tag === "TDT");
  const transport = tdt === undefined ? {} : transportOf(tdt);
  const named = containersOf(segments, facts);
  const referenced = referencesOf(segments, "RFF", "EQ").flatMap((text) => toContainerNumber(text) ?? []);
  const none: Container = { number: null, isEmpty: null, equipmentType: null };
  const unnamed = referenced.length > 0 ? referenced.map((number) => ({ ...none, number })) : [none];
  const containers = named.length > 0 ? named : unnamed;
  // Containers were named, but none that can be one: the status must not count for all of the shipment.
  if (named.length === 0 && segments.some(({ tag }) => tag === "EQD")) return;
  const shared = { ...documentsOf([...around, segments]), ...transport, scac, seals: sealsOf(segments) };
  const meaning = facts.meaningOf(
    "edifact",
    code,
    sts,
    containers.map(({ number }) => number),
  );
  const status = meaning === null ? null : statusFact(segments, meaning, sts, facts);
  for (const { number, isEmpty, equipmentType } of containers) {
    const about = { ...shared, containerNumber: number, isEmpty, equipmentType };
    if (meaning !== null && status !== null) facts.add({ ...about, ...status, segment: sts, code, meaning });
    addRoute(segments, about, status && meaning ? { ...status, event: meaning.event } : null, facts);
  }
}

/** Qualifiers of the actual and the estimated time of a departure or arrival. */
const routeQualifiers: Readonly<Record<string, readonly string[]>> = { DEPA: ["186", "133"], ARRI: ["178", "132"] };

/** When and where the status is; null, with a fault, when its time is missing or not valid. */
function statusFact(
  segments: readonly Segment[],
  meaning: StatusMeaning,
  sts: Segment,
  facts: MessageFacts,
): Pick<StatedFact, "time" | "classifier" | "place"> | null {
  const reported = firstTime(segments, "334", "7", ...(routeQualifiers[meaning.event ?? ""] ?? []));
  if (reported === null) {
    facts.fault(sts, null, "The status has no time: DTM+334 is missing.");
    return null;
  }
  if (reported.time === null) {
    facts.fault(reported.segment, 1, "The time is not valid, or its format is not 102, 203, 204, 205 or 303.");
    return null;
  }
  const roles = meaning.place === undefined ? [] : rolePlaces[meaning.place];
  const place = firstLocation(segments, ...statusPlaces, ...roles);
  return { time: reported.time, classifier: estimates.has(reported.qualifier) ? "EST" : "ACT", place };
}

/** Departures and arrivals that the status states of its transport, after the LOC that they belong to. */
function addRoute(
  segments: readonly Segment[],
  about: Omit<StatedFact, "segment" | "code" | "meaning" | "time" | "classifier" | "place">,
  status: { readonly event: string | undefined; readonly place: ObservedPlace } | null,
  facts: MessageFacts,
): void {
  if (about.mode !== "VESSEL") return;
  const isDirect = !segments.some((segment) => segment.tag === "LOC" && value(segment, 1) === "13");
  let loc: Segment | null = null;
  for (const segment of segments) {
    if (segment.tag === "LOC") loc = segment;
    if (segment.tag !== "DTM" || loc === null) continue;
    const { qualifier, time } = timeOf(segment);
    const route = routeTimes[qualifier];
    if (route === undefined || value(loc, 1) !== route.place) continue;
    const place = locationOf(loc);
    if (status?.event === route.event && status.place.locode === place.locode) continue;
    if (time === null) {
      facts.fault(segment, 1, "The time is not valid, or its format is not 102, 203, 204, 205 or 303.");
      continue;
    }
    facts.add({
      ...about,
      segment,
      code: null,
      time,
      classifier: route.classifier,
      place,
      meaning: { meaning: "Route", event: route.event },
      ...(isDirect ? {} : { vessel: null, voyage: null }),
    });
  }
}

const gateMoves: Readonly<Record<string, StatusMeaning>> = {
  "34": { meaning: "Gate in", event: "GTIN" },
  "36": { meaning: "Gate out", event: "GTOT" },
};
const vesselMoves: Readonly<Record<string, StatusMeaning>> = {
  "44": { meaning: "Discharged", event: "DISC", mode: "VESSEL" },
  "98": { meaning: "Discharged", event: "DISC", mode: "VESSEL" },
  "46": { meaning: "Loaded", event: "LOAD", mode: "VESSEL" },
  "270": { meaning: "Loaded", event: "LOAD", mode: "VESSEL" },
};

/** CODECO: containers that came in or went out by a gate. */
export function readCodeco(segments: readonly Segment[], facts: MessageFacts): void {
  readMoves(segments, facts, gateMoves, () => ["165", "175", "9", "11"], ["7", "203", "137"]);
}

/** COARRI: containers that were discharged from a vessel, or loaded. */
export function readCoarri(segments: readonly Segment[], facts: MessageFacts): void {
  readMoves(segments, facts, vesselMoves, ({ event }) => (event === "LOAD" ? ["9"] : ["11"]), ["203", "7"]);
}

/** A report (BGM) about containers (EQD), with what they share in front of the first of them. */
function readMoves(
  segments: readonly Segment[],
  facts: MessageFacts,
  moves: Readonly<Record<string, StatusMeaning>>,
  placeQualifiers: (meaning: StatusMeaning) => readonly string[],
  times: readonly string[],
): void {
  const bgm = segments.find(({ tag }) => tag === "BGM");
  const [header = [], ...groups] = splitBefore(
    segments.filter(({ tag }) => tag !== "CNT" && tag !== "UNT"),
    new Set(["EQD"]),
  );
  if (bgm === undefined) {
    facts.fault(segments[0] as Segment, null, "The message has no BGM segment.");
    return;
  }
  const code = value(bgm, 1);
  facts.statuses += groups.length;
  const meaning = moves[code];
  if (meaning === undefined) {
    facts.unmapped.push({ code: `BGM ${observedText(code) ?? ""}`.trim(), line: bgm.line });
    return;
  }
  const headerTdt = header.find(({ tag }) => tag === "TDT");
  for (const group of groups) {
    const eqd = group[0] as Segment;
    const [container] = containersOf(group.slice(0, 1), facts);
    if (container === undefined) continue;
    const reported = firstTime(group, ...times.filter((time) => time !== "137")) ?? firstTime(header, ...times);
    if (reported?.time == null) {
      facts.fault(
        reported?.segment ?? eqd,
        reported === null ? null : 1,
        "The time of the move is missing or not valid.",
      );
      continue;
    }
    // A gate move has the container's own transport: the header has the vessel of its voyage.
    const ownTdt = group.find(({ tag }) => tag === "TDT");
    const tdt = meaning.mode === "VESSEL" ? (headerTdt ?? ownTdt) : ownTdt;
    const places = placeQualifiers(meaning);
    const own = firstLocation(group, ...places);
    const place = own === unknownPlace ? firstLocation(header, ...places) : own;
    facts.add({
      ...documentsOf([header, group]),
      ...(tdt === undefined ? {} : transportOf(tdt)),
      segment: eqd,
      code,
      meaning,
      time: reported.time,
      classifier: "ACT",
      place,
      containerNumber: container.number,
      isEmpty: container.isEmpty,
      equipmentType: container.equipmentType,
      seals: sealsOf(group),
      scac: carrierOf(group) ?? carrierOf(header),
    });
  }
}
