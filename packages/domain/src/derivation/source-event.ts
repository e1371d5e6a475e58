import { compareText } from "../compare-text.ts";
import type { Instant } from "../instant.ts";
import { addMs, dayMs, hourMs } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import {
  type Classifier,
  type DataSource,
  type Observation,
  type ObservedCall,
  type ObservedPlace,
  reportTimeOf,
  type TransportMode,
} from "../observations/observation.ts";
import type { PlaceDirectory } from "./place-directory.ts";

/** Tolerance for carriers' clocks. An actual further in the future is treated as an estimate. */
export const futureActualToleranceMs = 2 * hourMs;

/** An observation with its place, mode and classifier resolved: the input of the rules. */
export interface SourceEvent {
  readonly observation: Observation;
  /** Reported classifier, except that an actual in the future counts as an estimate. */
  readonly classifier: Classifier;
  /** When the report was made (`reportTimeOf`). */
  readonly reportedAt: Instant;
  readonly mode: TransportMode | null;
  /** Comparison key: the canonical UN/LOCODE, else the name in upper case. Empty when the source gave no place. */
  readonly place: string;
  /** Canonical, null when the source gave none. */
  readonly locode: string | null;
  readonly placeKind: "port" | "metro_area";
  /** Comparison key: the IMO number, else the name in upper case. Null when the source gave no vessel. */
  readonly vessel: string | null;
}

/** Moves of a means of transport. Without a reported mode they count as vessel moves at a port. */
const transportMoves: ReadonlySet<string> = new Set(["ARRI", "DEPA", "LOAD", "DISC"]);
const railFacilities: ReadonlySet<string> = new Set(["RAMP", "INTE"]);

/** Resolves observations to source events, in the same order. Each place is looked up once. */
export function toSourceEvents(observations: readonly Observation[], places: PlaceDirectory): readonly SourceEvent[] {
  const imoByName = imoNumbersByName(observations);
  const settled = settledPlaces(observations, places);
  return observations.map((observation) => {
    const { place } = observation;
    const known = place.locode === null ? undefined : settled.get(place.locode);
    const placeKind = known?.kind ?? "port";
    return {
      observation,
      classifier: effectiveClassifier(observation),
      reportedAt: reportTimeOf(observation, observation.observedAt),
      mode: settledMode(observation, placeKind),
      place: known?.locode ?? nameKey(place),
      locode: known?.locode ?? null,
      placeKind,
      vessel: vesselKey(observation.call, imoByName),
    };
  });
}

/** A total order by age. Positive: `a` is newer. */
export function compareNewness(a: SourceEvent, b: SourceEvent): number {
  return (
    compareText(a.reportedAt, b.reportedAt) ||
    compareText(a.observation.observedAt, b.observation.observedAt) ||
    compareText(a.observation.id, b.observation.id)
  );
}

/** Precedence of sources for actuals: a terminal observes the move, a carrier relays it, AIS infers it. */
const credibility: Readonly<Record<DataSource, number>> = { terminal: 3, rail: 3, shipping_line: 2, ais: 1 };

/** Rule source_precedence: the actual of the more credible source wins; of equally credible ones the newer. */
export function compareCredibility(a: SourceEvent, b: SourceEvent): number {
  return credibility[a.observation.dataSource] - credibility[b.observation.dataSource] || compareNewness(a, b);
}

export function mostCredible(a: SourceEvent | null, b: SourceEvent | null): SourceEvent | null {
  if (a === null || b === null) return a ?? b;
  return compareCredibility(a, b) >= 0 ? a : b;
}

export function newest(a: SourceEvent | null, b: SourceEvent | null): SourceEvent | null {
  if (a === null || b === null) return a ?? b;
  return compareNewness(a, b) >= 0 ? a : b;
}

/** Compares by event time, then the older source event first. */
export function compareTime(a: SourceEvent, b: SourceEvent): number {
  return compareText(a.observation.eventAt, b.observation.eventAt) || compareNewness(a, b);
}

/**
 * Whether `later` may have happened after `earlier`. A date without a time stands for its whole local day: at one place
 * the local dates are compared, between places the day lasts 24 hours from its local midnight.
 */
export function isNotBefore(later: SourceEvent, earlier: SourceEvent): boolean {
  const [after, before] = [later.observation, earlier.observation];
  if (after.timePrecision !== "date_only" && before.timePrecision !== "date_only")
    return after.eventAt >= before.eventAt;
  if (later.place === earlier.place) return localDateOf(later) >= localDateOf(earlier);
  return (after.timePrecision === "date_only" ? addMs(after.eventAt, dayMs) : after.eventAt) > before.eventAt;
}

export const isActual = ({ classifier }: SourceEvent): boolean => classifier === "ACT";

export function localDateOf({ observation: { localDate, eventAt } }: SourceEvent): LocalDate {
  return localDate ?? eventAt.slice(0, 10);
}

function effectiveClassifier({ classifier, eventAt, observedAt }: Observation): Classifier {
  // Fast path: nearly every actual is in the past, so the date arithmetic is rarely needed.
  if (classifier !== "ACT" || eventAt <= observedAt) return classifier;
  return eventAt <= addMs(observedAt, futureActualToleranceMs) ? "ACT" : "EST";
}

function settledMode(observation: Observation, placeKind: "port" | "metro_area"): TransportMode | null {
  const reported = observation.call?.mode ?? null;
  if (reported !== null || !transportMoves.has(observation.code)) return reported;
  return placeKind === "metro_area" || railFacilities.has(observation.place.facilityType ?? "") ? "RAIL" : "VESSEL";
}

interface SettledPlace {
  readonly locode: string;
  readonly kind: "port" | "metro_area";
}

/**
 * Returns the places by reported code. One that is not in the directory is inland if trains call there and vessels do
 * not.
 */
function settledPlaces(
  observations: readonly Observation[],
  places: PlaceDirectory,
): ReadonlyMap<string, SettledPlace> {
  const settled = new Map<string, SettledPlace>();
  const unknown = new Map<string, { hasVessels: boolean; hasTrains: boolean }>();
  const toCanonicalLocode = (reportedLocode: string): string =>
    places.canonicalLocode(reportedLocode.trim().toUpperCase());
  for (const { code, place, call } of observations) {
    if (place.locode === null) continue;
    const known = settled.get(place.locode);
    const locode = known?.locode ?? toCanonicalLocode(place.locode);
    if (known === undefined) settled.set(place.locode, { locode, kind: places.kindOf(locode) ?? "port" });
    if (known === undefined && places.kindOf(locode) === null)
      unknown.set(locode, { hasVessels: false, hasTrains: false });
    const calls = unknown.get(locode);
    if (calls === undefined) continue;
    if (call?.mode === "VESSEL" && transportMoves.has(code)) calls.hasVessels = true;
    if (call?.mode === "RAIL" || railFacilities.has(place.facilityType ?? "")) calls.hasTrains = true;
  }
  for (const [given, { locode }] of settled) {
    const calls = unknown.get(locode);
    if (calls?.hasTrains === true && !calls.hasVessels) settled.set(given, { locode, kind: "metro_area" });
  }
  return settled;
}

function nameKey(place: ObservedPlace): string {
  return (place.name ?? "").trim().toUpperCase();
}

/** Identifies vessels that a source gives only by name. If a name has several numbers, the smallest is used. */
function imoNumbersByName(observations: readonly Observation[]): ReadonlyMap<string, string> {
  const imoByName = new Map<string, string>();
  for (const { call } of observations) {
    const vessel = call?.vessel;
    if (vessel?.imo == null || vessel.name === null) continue;
    const known = imoByName.get(vessel.name);
    if (known === undefined || vessel.imo < known) imoByName.set(vessel.name, vessel.imo);
  }
  return imoByName;
}

function vesselKey(call: ObservedCall | null, imoByName: ReadonlyMap<string, string>): string | null {
  const vessel = call?.vessel;
  if (vessel == null) return null;
  if (vessel.imo !== null || vessel.name === null) return vessel.imo;
  return imoByName.get(vessel.name) ?? vessel.name.trim().toUpperCase();
}
