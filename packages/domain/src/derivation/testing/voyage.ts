import { addMs, dayMs, hourMs, type Instant, instant } from "../../instant.ts";
import type {
  Classifier,
  DataSource,
  Observation,
  ObservedVessel,
  PickupReport,
  TransportMode,
} from "../../observations/observation.ts";
import type { PlaceDirectory } from "../place-directory.ts";

/** Day 0 of the test voyages. */
const departureDay = instant("2026-01-01T00:00:00Z");

export function day(days: number): Instant {
  return addMs(departureDay, days * dayMs);
}

const placeNames: ReadonlyMap<string, string> = new Map([
  ["CNSHA", "Shanghai"],
  ["SGSIN", "Singapore"],
  ["NLRTM", "Rotterdam"],
]);

export const testPlaces: PlaceDirectory = {
  canonicalLocode: (locode) => (locode === "CNSGH" || locode === "CNYSA" ? "CNSHA" : locode),
  kindOf: (locode) => (locode === "USCHI" || locode === "USDAL" ? "metro_area" : "port"),
  nameOf: (locode) => placeNames.get(locode) ?? null,
};

export const vessels = {
  A: { imo: "2000016", name: "SBX ALPHA" },
  B: { imo: "2000028", name: "SBX BRAVO" },
  C: { imo: "2000030", name: "SBX CHARLIE" },
} as const satisfies Record<string, ObservedVessel>;

export type VesselName = keyof typeof vessels;

/** The details of an observation that matter to a test. Days count from `departureDay`. */
export interface FactDetails {
  readonly at: string;
  readonly day: number;
  readonly container?: string | null;
  readonly mode?: TransportMode | null;
  readonly vessel?: VesselName | null;
  readonly voyage?: string;
  readonly empty?: boolean | null;
  /** The source gives a date without a time: the event is at the midnight of `day`. */
  readonly dateOnly?: boolean;
  readonly dataSource?: DataSource;
  readonly facilityType?: string | null;
  readonly facilityCode?: string | null;
  /** When the carrier reported it. Default: two hours after an actual, else day -10. */
  readonly reported?: number;
  /** When it was observed. Default: one hour after `reported`. */
  readonly observed?: number;
  readonly eventId?: string | null;
  readonly retracted?: boolean;
  readonly iso?: string;
  readonly seals?: readonly string[];
  readonly id?: string;
}

let sequence = 0;

/** One observation, for example `fact("ACT LOAD", { at: "CNSHA", day: 0, container: "SBXU0000019", vessel: "A" })`. */
export function fact(what: `${Classifier} ${string}`, details: FactDetails): Observation {
  const [classifier, code] = what.split(" ") as [Classifier, string];
  sequence += 1;
  const id = details.id ?? `observation-${String(sequence).padStart(6, "0")}`;
  const isTransport = code === "ARRI" || code === "DEPA";
  const mode = details.mode === undefined ? defaultMode(code) : details.mode;
  const reported = details.reported ?? (classifier === "ACT" ? details.day + 2 / 24 : -10);
  return {
    id,
    eventType: isTransport ? "TRANSPORT" : "EQUIPMENT",
    code,
    classifier,
    eventAt: day(details.day),
    timePrecision: details.dateOnly === true ? "date_only" : "exact",
    statedAt: day(reported),
    observedAt: day(details.observed ?? reported + 1 / 24),
    sourceEventId: details.eventId === undefined ? `message-${id}` : details.eventId,
    dataSource: details.dataSource ?? "shipping_line",
    containerNumber: details.container ?? null,
    isEmpty: details.empty ?? null,
    isoEquipmentCode: details.iso ?? null,
    seals: details.seals ?? [],
    place: {
      locode: details.at,
      name: null,
      facilityCode: details.facilityCode ?? null,
      facilityCodeProvider: details.facilityCode == null ? null : "SMDG",
      facilityType: details.facilityType ?? null,
    },
    call: callOf(mode, details),
    documentType: null,
    documentId: null,
    reason: null,
    retracted: details.retracted ?? false,
  };
}

function defaultMode(code: string): TransportMode | null {
  return ["ARRI", "DEPA", "LOAD", "DISC"].includes(code) ? "VESSEL" : null;
}

function callOf(mode: TransportMode | null, { vessel, voyage }: FactDetails): Observation["call"] {
  if (mode === null) return null;
  const named = mode === "VESSEL" && vessel !== null ? vessels[vessel ?? "A"] : null;
  return {
    reference: null,
    mode,
    vessel: named,
    importVoyage: voyage ?? null,
    exportVoyage: voyage ?? null,
    sequence: null,
  };
}

/** An observation about the booking. */
export function bookingFact(code: string, onDay: number, documentId = "SBXB000123"): Observation {
  return {
    ...fact(`ACT ${code}`, { at: "CNSHA", day: onDay }),
    eventType: "SHIPMENT",
    place: { locode: null, name: null, facilityCode: null, facilityCodeProvider: null, facilityType: null },
    documentType: "BKG",
    documentId,
  };
}

/** A terminal's report about the pickup of the container, made two hours after the event. */
export function pickupFact(
  pickup: PickupReport,
  details: Pick<FactDetails, "at" | "day" | "reported" | "id"> & { readonly container?: string },
): Observation {
  return {
    ...fact("ACT X", { container: "SBXU0000019", facilityType: "POTE", eventId: null, ...details }),
    eventType: "TERMINAL",
    code: pickup.aspect.toUpperCase(),
    dataSource: pickup.aspect === "last_free_day" && pickup.setBy === "rail" ? "rail" : "terminal",
    pickup,
  };
}

/** Returns the observation as reported again six hours later, with changes. */
export function reportedAgain(previous: Observation, changes: Partial<Observation>): Observation {
  sequence += 1;
  const id = `observation-${String(sequence).padStart(6, "0")}`;
  const statedAt = addMs(previous.statedAt ?? previous.observedAt, 6 * hourMs);
  return { ...previous, id, sourceEventId: `message-${id}`, statedAt, observedAt: addMs(statedAt, hourMs), ...changes };
}

/** The observations made until a day. */
export function until(lastDay: number, observations: readonly Observation[]): readonly Observation[] {
  return observations.filter(({ observedAt }) => observedAt <= day(lastDay));
}
