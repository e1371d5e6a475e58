import { type ArrivalVoyage, arrivalVoyage } from "../derivation/arrival-voyage.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { primary } from "../derivation/series.ts";
import { localDateOf, type SourceEvent } from "../derivation/source-event.ts";
import { isOutbound, type VesselCall } from "../derivation/vessel-call.ts";
import { dayMs, hourMs, type Instant, msBetween } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";
import type { DataSource, Observation, ObservedVessel } from "../observations/observation.ts";
import { isOtherVoyage, type NamedPlace, type ReplacedVoyage, replacedVoyage, toNamedPlace } from "./planned-voyage.ts";

/** A cause that explains more comes first: of several, the first one is the cause. */
export const etaChangeCauseKinds = [
  "port_of_discharge_changed",
  "missed_transshipment",
  "rollover",
  "containers_split",
  "transshipment_port_changed",
  "vessel_changed",
  "departure_changed",
  "arrival_changed",
  "source_changed",
  "source_revision",
] as const;

export type EtaChangeCauseKind = (typeof etaChangeCauseKinds)[number];

/** A departure or an arrival at an earlier port that moved in the direction of the ETA. */
interface MovedCall {
  readonly place: NamedPlace;
  readonly vessel: ObservedVessel | null;
  readonly previousAt: Instant;
  readonly at: Instant;
  /** Date in the time zone of the place. */
  readonly date: LocalDate;
  /** Positive: later. */
  readonly shiftMs: number;
  readonly isActual: boolean;
}

/** Why the ETA at the port of discharge changed, in facts that the sources reported. JSON. */
export type EtaChangeCause =
  | { readonly kind: "port_of_discharge_changed"; readonly previousPlace: NamedPlace; readonly place: NamedPlace }
  | ({ readonly kind: "missed_transshipment" | "rollover" } & ReplacedVoyage)
  /** `vessel`: of the last container. */
  | { readonly kind: "containers_split"; readonly vessel: ObservedVessel | null }
  | {
      readonly kind: "vessel_changed";
      readonly previousVessel: ObservedVessel | null;
      readonly vessel: ObservedVessel | null;
    }
  | {
      readonly kind: "transshipment_port_changed";
      /** Null: a transshipment was added. */
      readonly previousPlace: NamedPlace | null;
      /** Null: the transshipment was removed. */
      readonly place: NamedPlace | null;
    }
  | ({ readonly kind: "departure_changed" | "arrival_changed" } & MovedCall)
  | { readonly kind: "source_changed"; readonly previousSource: DataSource; readonly source: DataSource }
  | { readonly kind: "source_revision"; readonly source: DataSource };

/** A shift of an earlier port explains the change when it is at least this share of it. */
const explainedShare = 0.5;

const eventOf = (call: VesselCall): SourceEvent | null =>
  [call.departure, call.loading, call.arrival, call.discharge].map(primary).find((one) => one !== null) ?? null;

const callPlace = (call: VesselCall, places: PlaceDirectory): NamedPlace | null => {
  const event = eventOf(call);
  return event && toNamedPlace(event, places);
};

const vesselOf = ({ arrival }: ArrivalVoyage): ObservedVessel | null => arrival.observation.call?.vessel ?? null;

function changedPort(before: ArrivalVoyage, after: ArrivalVoyage, places: PlaceDirectory): EtaChangeCause | null {
  if (before.discharge.place === after.discharge.place) return null;
  return {
    kind: "port_of_discharge_changed",
    previousPlace: toNamedPlace(before.arrival, places),
    place: toNamedPlace(after.arrival, places),
  };
}

/** The first port from which the container departs on another vessel or voyage than planned before. */
function changedVoyage(before: ArrivalVoyage, after: ArrivalVoyage, places: PlaceDirectory): EtaChangeCause | null {
  for (const call of after.callsBefore) {
    const known = before.callsBefore.find(({ place }) => place === call.place);
    const [previous, next] = [primary(known?.departure ?? null), primary(call.departure)];
    if (previous === null || next === null || previous.classifier === "ACT" || !isOtherVoyage(previous, next)) continue;
    const isTransshipment = call !== after.callsBefore[0] || before.hasSailed;
    const kind = isTransshipment && after.hasSailed ? "missed_transshipment" : "rollover";
    const arrival = kind === "rollover" ? null : primary(call.arrival);
    return { kind, ...replacedVoyage({ previous, next, arrival }, places) };
  }
  return null;
}

function splitContainers(before: ArrivalVoyage, after: ArrivalVoyage): EtaChangeCause | null {
  return after.isSplit && !before.isSplit ? { kind: "containers_split", vessel: vesselOf(after) } : null;
}

/**
 * Returns the change of a port where the container changes its vessel. A port without a departure is none: it is what
 * remains of a plan that is not withdrawn yet.
 */
function changedTransshipment(
  before: ArrivalVoyage,
  after: ArrivalVoyage,
  places: PlaceDirectory,
): EtaChangeCause | null {
  const [known, now] = [before, after].map(({ callsBefore }) => callsBefore.slice(1).filter(isOutbound));
  const removed = known?.find(({ place }) => !after.callsBefore.some((call) => call.place === place));
  const added = now?.find(({ place }) => !before.callsBefore.some((call) => call.place === place));
  if (removed === undefined && added === undefined) return null;
  return {
    kind: "transshipment_port_changed",
    previousPlace: removed === undefined ? null : callPlace(removed, places),
    place: added === undefined ? null : callPlace(added, places),
  };
}

function changedVessel(before: ArrivalVoyage, after: ArrivalVoyage): EtaChangeCause | null {
  if (!isOtherVoyage(before.arrival, after.arrival)) return null;
  return { kind: "vessel_changed", previousVessel: vesselOf(before), vessel: vesselOf(after) };
}

/** A date without a time counts as its whole day. */
function shiftBetween(previous: SourceEvent, next: SourceEvent): number {
  const isDateOnly = [previous, next].some(({ observation }) => observation.timePrecision === "date_only");
  if (!isDateOnly) return msBetween(previous.observation.eventAt, next.observation.eventAt);
  return Math.round((Date.parse(localDateOf(next)) - Date.parse(localDateOf(previous))) / dayMs) * dayMs;
}

/**
 * The first departure or arrival at an earlier port whose shift explains that of the ETA. An actual departure from a
 * later port that did not shift like it has made up for it.
 */
function movedCall(before: ArrivalVoyage, after: ArrivalVoyage, places: PlaceDirectory): EtaChangeCause | null {
  let cause: EtaChangeCause | null = null;
  const etaShiftMs = msBetween(before.arrival.observation.eventAt, after.arrival.observation.eventAt);
  const explainedMs = Math.max(hourMs, Math.abs(etaShiftMs) * explainedShare);
  for (const call of after.callsBefore) {
    const known = before.callsBefore.find(({ place }) => place === call.place);
    for (const move of ["arrival", "departure"] as const) {
      const [previous, next] = [primary(known?.[move] ?? null), primary(call[move])];
      if (previous === null || next === null || previous.classifier === "ACT" || previous.vessel !== next.vessel)
        continue;
      const shiftMs = shiftBetween(previous, next);
      const { observation, classifier } = next;
      if (Math.sign(shiftMs) !== Math.sign(etaShiftMs) || Math.abs(shiftMs) < explainedMs) {
        const isRecovered = Math.sign(shiftMs) !== Math.sign(etaShiftMs) || Math.abs(shiftMs) < hourMs;
        if (isRecovered && move === "departure" && classifier === "ACT") cause = null;
        continue;
      }
      cause ??= {
        kind: `${move}_changed`,
        place: toNamedPlace(next, places),
        vessel: observation.call?.vessel ?? null,
        previousAt: previous.observation.eventAt,
        at: observation.eventAt,
        date: localDateOf(next),
        shiftMs,
        isActual: classifier === "ACT",
      };
    }
  }
  return cause;
}

function changedSource(before: ArrivalVoyage, after: ArrivalVoyage): EtaChangeCause {
  const [previousSource, source] = [before.arrival.observation.dataSource, after.arrival.observation.dataSource];
  return previousSource === source
    ? { kind: "source_revision", source }
    : { kind: "source_changed", previousSource, source };
}

/**
 * Why the observations of one time changed the ETA at the port of discharge: the difference between the voyage as it
 * was known when the previous ETA was reported and as it is known at that time. Null when the ETA is the first one or
 * did not change. The result does not depend on the order or repetition of the observations.
 */
export function etaChangeCause(
  observations: readonly Observation[],
  places: PlaceDirectory,
  at: Instant,
): EtaChangeCause | null {
  const voyageUntil = (isKnown: (observedAt: Instant) => boolean) =>
    arrivalVoyage(
      observations.filter(({ observedAt }) => isKnown(observedAt)),
      places,
    );
  const latest = voyageUntil((observedAt) => observedAt < at);
  const after = voyageUntil((observedAt) => observedAt <= at);
  if (latest === null || after === null) return null;
  if (latest.arrival.observation.eventAt === after.arrival.observation.eventAt) return null;
  const reportedAt = latest.arrival.observation.observedAt;
  // A report since the previous ETA that did not change it, such as a late departure, is part of the cause.
  const before = voyageUntil((observedAt) => observedAt <= reportedAt) ?? latest;
  return (
    changedPort(latest, after, places) ??
    changedVoyage(before, after, places) ??
    splitContainers(latest, after) ??
    changedTransshipment(before, after, places) ??
    changedVessel(latest, after) ??
    movedCall({ ...before, arrival: latest.arrival }, after, places) ??
    changedSource(latest, after)
  );
}
