import { compareText } from "../compare-text.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { localDateOf, type SourceEvent } from "../derivation/source-event.ts";
import { type Instant, msBetween } from "../instant.ts";
import type { LocalDate } from "../local-time.ts";

/** A vessel with its departure from the place in question. */
export interface PlannedVoyage {
  readonly vesselName: string | null;
  readonly vesselImo: string | null;
  readonly voyageNumber: string | null;
  readonly departureAt: Instant;
  /** Date of departure in the time zone of the place. */
  readonly departureDate: LocalDate;
}

export interface NamedPlace {
  readonly locode: string | null;
  readonly name: string | null;
}

/** The facts of a voyage that the carrier replaced by another one at a port. */
export interface ReplacedVoyage {
  /** Port where the voyage changed. */
  readonly place: NamedPlace;
  /** Former plan of the voyage. */
  readonly previousVoyage: PlannedVoyage;
  readonly nextVoyage: PlannedVoyage;
  /** Time from the planned departure to the later arrival of the container at the transshipment port. */
  readonly arrivedAfterDepartureMs?: number;
  readonly arrivalIsActual?: boolean;
}

/** Carriers name places in their own way, or only by their UN/LOCODE: the port directory's name comes first. */
export const toNamedPlace = ({ locode, observation }: SourceEvent, places: PlaceDirectory): NamedPlace => ({
  locode,
  name: (locode === null ? null : places.nameOf(locode)) ?? observation.place.name,
});

export function plannedVoyage(departure: SourceEvent): PlannedVoyage {
  const { call, eventAt } = departure.observation;
  return {
    vesselName: call?.vessel?.name ?? null,
    vesselImo: call?.vessel?.imo ?? null,
    voyageNumber: call?.exportVoyage ?? null,
    departureAt: eventAt,
    departureDate: localDateOf(departure),
  };
}

/** `arrival`: of the container at a transshipment port; null before it has sailed. */
export function replacedVoyage(
  {
    previous,
    next,
    arrival,
  }: Readonly<Record<"previous" | "next", SourceEvent>> & {
    readonly arrival: SourceEvent | null;
  },
  places: PlaceDirectory,
): ReplacedVoyage {
  const lateMs = arrival === null ? 0 : msBetween(previous.observation.eventAt, arrival.observation.eventAt);
  return {
    place: toNamedPlace(previous, places),
    previousVoyage: plannedVoyage(previous),
    nextVoyage: plannedVoyage(next),
    ...(arrival !== null && lateMs > 0
      ? { arrivedAfterDepartureMs: lateMs, arrivalIsActual: arrival.classifier === "ACT" }
      : {}),
  };
}

/** Whether two departures from a place are of different vessels, or of different voyages of one vessel. */
export function isOtherVoyage(one: SourceEvent, other: SourceEvent): boolean {
  if (one.vessel === null || other.vessel === null) return false;
  if (one.vessel !== other.vessel) return true;
  const [first, second] = [one, other].map(({ observation }) => observation.call?.exportVoyage ?? null);
  return first != null && second != null && compareText(first, second) !== 0;
}
