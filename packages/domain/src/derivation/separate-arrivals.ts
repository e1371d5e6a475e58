import type { DerivedContainerAttributes } from "./derived-shipment.ts";
import { derivedFrom, derivedTime, present } from "./derived-value.ts";
import type { Journey } from "./journey.ts";
import { vesselOf, voyageOf } from "./milestone.ts";
import { estimate, primary, type Series } from "./series.ts";
import { callsAtSharedPort, firstEstimateAt } from "./shipment-attributes.ts";
import type { SourceEvent } from "./source-event.ts";

/** Attributes that a container has of its own if the containers of its shipment arrive separately. */
export type SeparateArrival = Pick<
  DerivedContainerAttributes,
  "podEtaAt" | "podOriginalEtaAt" | "podVesselName" | "podVesselImo" | "podVoyageNumber"
>;

export type SeparateArrivals = ReadonlyMap<Journey, SeparateArrival>;

/**
 * The original ETA: the first estimate for the port, even if a rolled container missed that vessel. Estimates name no
 * container, so of several that were received together the one of the container's own vessel is preferred.
 */
function preferOwnVessel(own: Series | null, first: SourceEvent | null): SourceEvent | null {
  const ownEstimate = own?.firstEstimate ?? null;
  return ownEstimate !== null && ownEstimate.observation.observedAt === first?.observation.observedAt
    ? ownEstimate
    : first;
}

/**
 * The ETA of each container at the port of discharge, with its vessel, if the ETAs of the containers differ. Otherwise
 * the attributes of the shipment hold for all, and a change of its ETA is one change, not one for each container.
 */
export function separateArrivals(journeys: readonly Journey[]): SeparateArrivals {
  const calls = new Set(callsAtSharedPort(journeys.flatMap(({ sea }) => sea.portOfDischarge ?? [])));
  const arriving = journeys.flatMap((journey) => {
    const call = journey.sea.portOfDischarge;
    const eta = call !== null && calls.has(call) ? estimate(call.arrival) : null;
    return call === null || eta === null ? [] : [{ journey, call, eta }];
  });
  if (new Set(arriving.map(({ eta }) => eta.observation.eventAt)).size < 2) return new Map();
  return new Map(
    arriving.map(({ journey, call, eta }) => {
      const first = preferOwnVessel(call.arrival, firstEstimateAt([journey], "ARRI", call.place));
      const inbound = primary(call.arrival) ?? eta;
      const [vessel, voyage] = [vesselOf(inbound), voyageOf(inbound)];
      const vesselAttribute = (value: string | null | undefined) =>
        value == null ? null : derivedFrom(inbound, "vessel_of_last_leg", value);
      const own = present({
        podEtaAt: derivedTime(eta, "E12 estimated.vessel_arrived"),
        podOriginalEtaAt: first === null ? null : derivedTime(first, "first_estimate_for_port"),
        podVesselName: vesselAttribute(vessel?.name),
        podVesselImo: vesselAttribute(vessel?.imo),
        podVoyageNumber: voyage === null ? null : derivedFrom(inbound, "voyage_of_last_leg", voyage),
      });
      return [journey, own] as const;
    }),
  );
}
