import { deriveJourneys } from "../derivation/derive-shipment.ts";
import type { PlaceDirectory } from "../derivation/place-directory.ts";
import { primary } from "../derivation/series.ts";
import { localDateOf, type SourceEvent } from "../derivation/source-event.ts";
import { hasActualMove, type VesselCall } from "../derivation/vessel-call.ts";
import { type NamedPlace, type PlannedVoyage, plannedVoyage, toNamedPlace } from "../eta-changes/planned-voyage.ts";
import { hourMs, msBetween } from "../instant.ts";
import type { Observation } from "../observations/observation.ts";

/** A connection at a transshipment port that leaves little time, or none. */
export interface ConnectionAtRisk {
  readonly place: NamedPlace;
  /** The onward vessel, which has not departed. */
  readonly nextVoyage: PlannedVoyage;
  /** Time from the arrival of the container to the planned departure; negative: it departs before. */
  readonly connectionMs: number;
  readonly arrivalIsActual: boolean;
}

/** Time that a terminal needs at least to discharge a container and load it again. */
const connectionMinMs = 12 * hourMs;

/** Returns the time from the arrival to the departure. Null: dates without times, which allow for a connection. */
function timeBetween(arrival: SourceEvent, departure: SourceEvent): number | null {
  const isDateOnly = [arrival, departure].some(({ observation }) => observation.timePrecision === "date_only");
  if (!isDateOnly) return msBetween(arrival.observation.eventAt, departure.observation.eventAt);
  const [arrives, departs] = [localDateOf(arrival), localDateOf(departure)];
  return departs < arrives ? Date.parse(departs) - Date.parse(arrives) : null;
}

function riskAt(call: VesselCall, places: PlaceDirectory): ConnectionAtRisk | null {
  // A discharge implies the arrival.
  const arrival = call.arrival?.actual ?? call.discharge?.actual ?? primary(call.arrival);
  const departure = primary(call.departure);
  if (arrival === null || departure === null || call.inboundVessel === call.outboundVessel) return null;
  // An unnamed vessel may be the one that the container stays on.
  if (departure.vessel === null || (call.inboundVessel === null && call.discharge === null)) return null;
  if (departure.classifier === "ACT" || call.loading?.actual != null) return null;
  const connectionMs = timeBetween(arrival, departure);
  if (connectionMs === null || connectionMs >= connectionMinMs) return null;
  const arrivalIsActual = arrival.classifier === "ACT";
  return {
    place: toNamedPlace(departure, places),
    nextVoyage: plannedVoyage(departure),
    connectionMs,
    arrivalIsActual,
  };
}

/** The first connection of a container that leaves less than 12 hours, as its calls are reported at present. */
export function connectionAtRisk(
  observations: readonly Observation[],
  places: PlaceDirectory,
): ConnectionAtRisk | null {
  const { journeys } = deriveJourneys(observations, places);
  for (const { sea } of journeys) {
    const calls = [...sea.transshipments, ...(sea.portOfDischarge ? [sea.portOfDischarge] : [])];
    const reached = Math.max(calls.findLastIndex(hasActualMove), 0);
    for (const call of sea.transshipments.slice(reached)) {
      const risk = riskAt(call, places);
      if (risk !== null) return risk;
    }
  }
  return null;
}
