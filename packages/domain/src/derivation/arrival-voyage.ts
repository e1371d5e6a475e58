import type { Observation } from "../observations/observation.ts";
import { deriveJourneys } from "./derive-shipment.ts";
import { latestOf } from "./derived-value.ts";
import type { PlaceDirectory } from "./place-directory.ts";
import { estimate } from "./series.ts";
import { mostCommon } from "./shipment-attributes.ts";
import type { SourceEvent } from "./source-event.ts";
import type { VesselCall } from "./vessel-call.ts";

/** The sea voyage from which the ETA at the port of discharge follows. */
export interface ArrivalVoyage {
  /** The ETA, as `podEtaAt` of the shipment. */
  readonly arrival: SourceEvent;
  /** The ports before the port of discharge, in the order of the journey. */
  readonly callsBefore: readonly VesselCall[];
  readonly discharge: VesselCall;
  /** Containers of the shipment have different ETAs; this voyage is that of the last one. */
  readonly isSplit: boolean;
  readonly hasSailed: boolean;
}

/** The voyage of the container that arrives last; null without an ETA. */
export function arrivalVoyage(observations: readonly Observation[], places: PlaceDirectory): ArrivalVoyage | null {
  const { journeys } = deriveJourneys(observations, places);
  const port = mostCommon(journeys.flatMap(({ sea }) => sea.portOfDischarge?.place ?? []));
  const arriving = journeys.flatMap((journey) => {
    const discharge = journey.sea.portOfDischarge;
    const arrival = discharge?.place === port ? estimate(discharge?.arrival ?? null) : null;
    return discharge === null || arrival === null ? [] : [{ journey, discharge, arrival }];
  });
  const last = latestOf(arriving.map(({ arrival }) => arrival));
  const found = arriving.find(({ arrival }) => arrival === last);
  if (last === null || found === undefined) return null;
  const { sea, firstVesselEvent } = found.journey;
  return {
    arrival: last,
    callsBefore: [...(sea.portOfLading === null ? [] : [sea.portOfLading]), ...sea.transshipments],
    discharge: found.discharge,
    isSplit: arriving.some(({ arrival }) => arrival.observation.eventAt !== last.observation.eventAt),
    hasSailed: firstVesselEvent !== null,
  };
}
