import type { DataSource, ObservedVessel } from "../observations/observation.ts";
import type { EtaChangeCause, EtaChangeCauseKind } from "./eta-change-cause.ts";
import type { ReplacedVoyage } from "./planned-voyage.ts";
import { dateText, duration, placeName, sailing } from "./voyage-text.ts";

const sources: Readonly<Record<DataSource, string>> = {
  shipping_line: "the shipping line",
  terminal: "the terminal",
  ais: "vessel positions (AIS)",
  rail: "the railway",
};

const vesselName = (vessel: ObservedVessel | null | undefined): string =>
  vessel?.name ?? (vessel?.imo == null ? "a vessel that is not named" : `IMO ${vessel.imo}`);

function missedTransshipment({ place, previousVoyage, nextVoyage, ...late }: ReplacedVoyage): string {
  const { arrivedAfterDepartureMs, arrivalIsActual } = late;
  const planned = sailing(previousVoyage);
  const now = `the container now sails with ${sailing(nextVoyage)}`;
  if (arrivedAfterDepartureMs === undefined)
    return `Missed transshipment in ${placeName(place)}: planned with ${planned}, ${now}.`;
  const arrives = arrivalIsActual ? "it arrived" : "its arrival is estimated";
  return `Missed transshipment in ${placeName(place)}: ${now}, because ${arrives} ${duration(arrivedAfterDepartureMs)} after the planned departure of ${planned}.`;
}

type CauseOf<Kind extends EtaChangeCauseKind> = Extract<EtaChangeCause, { readonly kind: Kind }>;

function movedCall(cause: Extract<EtaChangeCause, { readonly shiftMs: number }>): string {
  const { kind, place, vessel, date, shiftMs, isActual } = cause;
  const isDeparture = kind === "departure_changed";
  const shift = `${duration(Math.abs(shiftMs))} ${shiftMs < 0 ? "earlier" : "later"} than`;
  const carrier = vesselName(vessel);
  if (!isActual) {
    const move = isDeparture ? "departure" : "arrival";
    const preposition = isDeparture ? "from" : "in";
    return `The ${move} of ${carrier} ${preposition} ${placeName(place)} is now estimated for ${dateText(date)}, ${shift} before.`;
  }
  const moved = isDeparture ? "departed from" : "arrived in";
  return `${carrier} ${moved} ${placeName(place)} on ${dateText(date)}, ${shift} planned.`;
}

function changedTransshipment({ previousPlace, place }: CauseOf<"transshipment_port_changed">): string {
  if (previousPlace === null) return `A transshipment in ${placeName(place ?? undefined)} was added.`;
  if (place === null) return `The transshipment in ${placeName(previousPlace)} was removed.`;
  return `The transshipment is now in ${placeName(place)} instead of ${placeName(previousPlace)}.`;
}

/** The cause in one sentence: "SBX ALPHA departed from Shanghai on 3 Jan 2026, 26 hours later than planned." */
export function etaChangeCauseText(cause: EtaChangeCause): string {
  switch (cause.kind) {
    case "port_of_discharge_changed":
      return `The port of discharge is now ${placeName(cause.place)} instead of ${placeName(cause.previousPlace)}.`;
    case "missed_transshipment":
      return missedTransshipment(cause);
    case "rollover":
      return `Rolled over in ${placeName(cause.place)} from ${sailing(cause.previousVoyage)} to ${sailing(cause.nextVoyage)}.`;
    case "containers_split":
      return `The containers now arrive on different vessels, the last one on ${vesselName(cause.vessel)}.`;
    case "vessel_changed":
      return `The container now arrives on ${vesselName(cause.vessel)} instead of ${vesselName(cause.previousVessel)}.`;
    case "transshipment_port_changed":
      return changedTransshipment(cause);
    case "departure_changed":
    case "arrival_changed":
      return movedCall(cause);
    case "source_changed":
      return `The estimate now comes from ${sources[cause.source]} instead of ${sources[cause.previousSource]}.`;
    case "source_revision":
      return `Revised by ${sources[cause.source]}; no other report shows a cause.`;
  }
}
