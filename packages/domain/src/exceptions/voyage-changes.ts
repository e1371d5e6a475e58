import { newestOf } from "../derivation/derived-value.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { resolveRetractions } from "../derivation/resolve-retractions.ts";
import { compareNewness, isActual, type SourceEvent, toSourceEvents } from "../derivation/source-event.ts";
import { type PlannedVoyage, type ReplacedVoyage, replacedVoyage } from "../eta-changes/planned-voyage.ts";
import { msBetween } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";

export interface VoyageChange {
  readonly kind: "rollover" | "missed_transshipment";
  /** Without a next voyage: the container arrived after the departure, and the carrier has planned no other vessel. */
  readonly details: Omit<ReplacedVoyage, "nextVoyage"> & { readonly nextVoyage: PlannedVoyage | null };
}

/** Vessel and voyage as a plan names them; the same vessel on another voyage is another plan. */
const planKey = ({ vessel, observation }: SourceEvent): string => `${vessel} ${observation.call?.exportVoyage ?? ""}`;

const isDischarge = (one: SourceEvent): boolean => one.observation.code === "DISC" && isActual(one);

/** The plan was withdrawn, and the container arrived after it; null: it arrived in time. */
function missedWithoutNext(previous: SourceEvent, arrival: SourceEvent, places: PlaceDirectory): VoyageChange | null {
  const { nextVoyage: _, ...details } = replacedVoyage({ previous, next: previous, arrival }, places);
  if (details.arrivedAfterDepartureMs === undefined) return null;
  return { kind: "missed_transshipment", details: { ...details, nextVoyage: null } };
}

function changeAt(
  place: string,
  moves: { readonly all: readonly SourceEvent[]; readonly current: ReadonlySet<SourceEvent> },
  hasSailed: boolean,
  places: PlaceDirectory,
): VoyageChange | null {
  const at = moves.all.filter((one) => one.place === place);
  const reported = at.filter((one) => moves.current.has(one));
  const isDeparture = ({ observation: { code } }: SourceEvent) => code === "DEPA" || code === "LOAD";
  if (reported.some((one) => isDeparture(one) && isActual(one))) return null;
  const arrivals = reported.filter(({ observation }) => observation.code === "ARRI");
  // A discharge implies the arrival.
  const arrived = newestOf(arrivals.filter(isActual)) ?? newestOf(reported.filter(isDischarge));
  const plans = at.filter(({ observation, vessel }) => observation.code === "DEPA" && vessel !== null);
  // Carriers report the next vessel before they withdraw a plan that the container arrived too late for.
  const isTooEarly = (one: SourceEvent) =>
    hasSailed && arrived !== null && one.observation.eventAt < arrived.observation.eventAt;
  const validPlans = plans.filter((one) => moves.current.has(one));
  const later = validPlans.filter((one) => !isTooEarly(one));
  const currentPlans = later.length > 0 ? later : validPlans;
  const currentKeys = new Set(currentPlans.map(planKey));
  const previous = newestOf(plans.filter((one) => one.classifier !== "ACT" && !currentKeys.has(planKey(one))));
  const next = newestOf(currentPlans);
  if (previous === null || (next !== null && compareNewness(previous, next) > 0)) return null;
  // The vessel that calls with the container on board: its change is that of an earlier port.
  const brings = ({ observation: { code }, vessel }: SourceEvent) =>
    (code === "ARRI" || code === "DISC") && vessel === previous.vessel;
  if (at.some(brings)) return null;
  if (next === null) return hasSailed && arrived ? missedWithoutNext(previous, arrived, places) : null;
  const arrival = arrived ?? newestOf(arrivals);
  return {
    kind: hasSailed ? "missed_transshipment" : "rollover",
    details: replacedVoyage({ previous, next, arrival: hasSailed ? arrival : null }, places),
  };
}

/**
 * A planned vessel or voyage that the carrier replaced, at the first port that the container has not departed from
 * since: a rollover before the sailing, a missed transshipment after it. At most one, because it changes all later
 * legs.
 */
export function voyageChange(observations: readonly Observation[], places: PlaceDirectory): VoyageChange | null {
  const all = toSourceEvents(observations, places);
  const current = new Set(resolveRetractions(all).current);
  const moves = all.filter(
    ({ observation, mode }) => !observation.retracted && (mode === "VESSEL" || mode === "BARGE"),
  );
  // Some carriers report no departure, and first where the container is discharged.
  const isSailing = (one: SourceEvent) => (one.observation.code === "DEPA" && isActual(one)) || isDischarge(one);
  const hasSailed = moves.some((one) => current.has(one) && isSailing(one));
  const departures = moves
    .filter(({ observation, place }) => observation.code === "DEPA" && place !== "")
    .toSorted((a, b) => msBetween(b.observation.eventAt, a.observation.eventAt));
  for (const place of new Set(departures.map((one) => one.place))) {
    const change = changeAt(place, { all: moves, current }, hasSailed, places);
    if (change !== null) return change;
  }
  return null;
}
