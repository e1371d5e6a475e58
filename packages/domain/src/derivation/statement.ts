import type { Instant } from "../instant.ts";
import { addMs, dayMs, hourMs } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import type {
  Classifier,
  DataSource,
  Observation,
  ObservedCall,
  ObservedPlace,
  TransportMode,
} from "../observations/observation.ts";
import type { PlaceDirectory } from "./place-directory.ts";

/** Carriers' clocks run ahead a little; an actual further in the future than this is a forecast. */
export const futureActualToleranceMs = 2 * hourMs;

/** An observation with its place, mode and classifier settled: what the rules work on. */
export interface Statement {
  readonly observation: Observation;
  /** As stated, except that an actual of the future counts as an estimate. */
  readonly classifier: Classifier;
  /** When the source said so; when it does not tell, when it was heard. */
  readonly statedAt: Instant;
  readonly mode: TransportMode | null;
  /** Compares places: the canonical UN/LOCODE, else the name in upper case. Empty when the source named none. */
  readonly place: string;
  /** Canonical, null when the source gave none. */
  readonly locode: string | null;
  readonly placeKind: "port" | "metro_area";
  /** Compares vessels: the IMO number, else the name in upper case. Null when the source named none. */
  readonly vessel: string | null;
}

/** Moves of a means of transport, which without a stated mode are taken for a vessel's at a port. */
const transportMoves: ReadonlySet<string> = new Set(["ARRI", "DEPA", "LOAD", "DISC"]);
const railFacilities: ReadonlySet<string> = new Set(["RAMP", "INTE"]);

/** All observations as statements, in the same order. Each place is looked up once. */
export function statementsOf(observations: readonly Observation[], places: PlaceDirectory): readonly Statement[] {
  const imoOf = imoNumbersByName(observations);
  const settled = settledPlaces(observations, places);
  return observations.map((observation) => {
    const { place } = observation;
    const known = place.locode === null ? undefined : settled.get(place.locode);
    const placeKind = known?.kind ?? "port";
    return {
      observation,
      classifier: effectiveClassifier(observation),
      statedAt: observation.statedAt ?? observation.observedAt,
      mode: settledMode(observation, placeKind),
      place: known?.locode ?? nameKey(place),
      locode: known?.locode ?? null,
      placeKind,
      vessel: vesselKey(observation.call, imoOf),
    };
  });
}

/** A total order: which of two statements about the same thing is newer. Positive: `a` is. */
export function compareNewness(a: Statement, b: Statement): number {
  return (
    compareText(a.statedAt, b.statedAt) ||
    compareText(a.observation.observedAt, b.observation.observedAt) ||
    compareText(a.observation.id, b.observation.id)
  );
}

/** Who is believed of what happened: a terminal sees it, a line is told it, AIS infers it. */
const credibility: Readonly<Record<DataSource, number>> = { terminal: 3, rail: 3, shipping_line: 2, ais: 1 };

/** Of two actuals of the same move the one of the source that is believed more, of equals the newer: rule source_precedence. */
export function compareCredibility(a: Statement, b: Statement): number {
  return credibility[a.observation.dataSource] - credibility[b.observation.dataSource] || compareNewness(a, b);
}

export function mostCredible(a: Statement | null, b: Statement | null): Statement | null {
  if (a === null || b === null) return a ?? b;
  return compareCredibility(a, b) >= 0 ? a : b;
}

export function newest(a: Statement | null, b: Statement | null): Statement | null {
  if (a === null || b === null) return a ?? b;
  return compareNewness(a, b) >= 0 ? a : b;
}

/** By the time of what happened; of equal times the older statement first. */
export function compareTime(a: Statement, b: Statement): number {
  return compareText(a.observation.eventAt, b.observation.eventAt) || compareNewness(a, b);
}

/**
 * Whether `later` may have happened after `earlier`. A date without a time is its whole day, on the clock of its place: within
 * one place the local dates are compared, between places the day reaches from its midnight to the next.
 */
export function isNotBefore(later: Statement, earlier: Statement): boolean {
  const [after, before] = [later.observation, earlier.observation];
  if (after.timePrecision !== "date_only" && before.timePrecision !== "date_only")
    return after.eventAt >= before.eventAt;
  if (later.place === earlier.place) return localDateOf(after) >= localDateOf(before);
  return (after.timePrecision === "date_only" ? addMs(after.eventAt, dayMs) : after.eventAt) > before.eventAt;
}

function localDateOf({ localDate, eventAt }: Observation): LocalDate {
  return localDate ?? eventAt.slice(0, 10);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function effectiveClassifier({ classifier, eventAt, observedAt }: Observation): Classifier {
  // The plain comparison spares the arithmetic in nearly every case.
  if (classifier !== "ACT" || eventAt <= observedAt) return classifier;
  return eventAt <= addMs(observedAt, futureActualToleranceMs) ? "ACT" : "EST";
}

function settledMode(observation: Observation, placeKind: "port" | "metro_area"): TransportMode | null {
  const stated = observation.call?.mode ?? null;
  if (stated !== null || !transportMoves.has(observation.code)) return stated;
  return placeKind === "metro_area" || railFacilities.has(observation.place.facilityType ?? "") ? "RAIL" : "VESSEL";
}

interface SettledPlace {
  readonly locode: string;
  readonly kind: "port" | "metro_area";
}

/** Each code as it was given. A place that no directory knows is inland where trains call and vessels do not. */
function settledPlaces(
  observations: readonly Observation[],
  places: PlaceDirectory,
): ReadonlyMap<string, SettledPlace> {
  const settled = new Map<string, SettledPlace>();
  const unknown = new Map<string, { hasVessels: boolean; hasTrains: boolean }>();
  const locodeOf = (given: string): string => places.canonicalLocode(given.trim().toUpperCase());
  for (const { code, place, call } of observations) {
    if (place.locode === null) continue;
    const known = settled.get(place.locode);
    const locode = known?.locode ?? locodeOf(place.locode);
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

/** So that a vessel is the same one where a source gives its name only. Of two numbers for a name the smaller counts. */
function imoNumbersByName(observations: readonly Observation[]): ReadonlyMap<string, string> {
  const imoOf = new Map<string, string>();
  for (const { call } of observations) {
    const vessel = call?.vessel;
    if (vessel?.imo == null || vessel.name === null) continue;
    const known = imoOf.get(vessel.name);
    if (known === undefined || vessel.imo < known) imoOf.set(vessel.name, vessel.imo);
  }
  return imoOf;
}

function vesselKey(call: ObservedCall | null, imoOf: ReadonlyMap<string, string>): string | null {
  const vessel = call?.vessel;
  if (vessel == null) return null;
  if (vessel.imo !== null || vessel.name === null) return vessel.imo;
  return imoOf.get(vessel.name) ?? vessel.name.trim().toUpperCase();
}
