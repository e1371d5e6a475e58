import type { ContainerLocation, DerivedTransportEvent, VesselLeg } from "./derived-shipment.ts";
import type { Journey } from "./journey.ts";
import { vesselOf } from "./milestone.ts";
import { callsOf } from "./sea-route.ts";
import { estimate, primary, type Series } from "./series.ts";
import type { VesselCall } from "./vessel-call.ts";

export function containerLocation(journey: Journey, events: readonly DerivedTransportEvent[]): ContainerLocation {
  return { leg: vesselLeg(journey), locode: events.at(-1)?.place.locode ?? null };
}

/** The last leg with an actual departure behind which no place was reached, as on the map of the container's route. */
function vesselLeg(journey: Journey): VesselLeg | null {
  const { sea } = journey;
  if (hasLeftPort(journey)) return null;
  const calls = callsOf(sea);
  const reached = calls.findLastIndex((call) => call !== sea.portOfLading && hasArrived(call));
  const lastDepartedIndex = calls.findLastIndex(
    (call, index) => index < calls.length - 1 && call.departure?.actual != null,
  );
  const [from, to] = [calls[lastDepartedIndex], calls[lastDepartedIndex + 1]];
  const departedAt = from?.departure?.actual?.observation.eventAt;
  if (from === undefined || to === undefined || departedAt === undefined || lastDepartedIndex < reached) return null;
  const moves = [from.departure, from.loading, to.arrival, to.discharge];
  return {
    from: from.place,
    to: to.place,
    vessel: moves.map((move) => vesselOf(primary(move))).find((vessel) => vessel !== null) ?? null,
    departedAt,
    expectedAt: estimate(to.arrival)?.observation.eventAt ?? null,
  };
}

/** Whether it left the port of discharge by land, also when no arrival at the port was reported. */
function hasLeftPort({ inland, series, sea }: Journey): boolean {
  if (inland.destination === null) return false;
  if (inland.gateIn !== null || inland.arrivals.some(({ actual }) => actual !== null)) return true;
  const isLeaving = (one: Series) =>
    one.code === "DEPA" && one.actual !== null && one.place === sea.portOfDischarge?.place && inland.isOnward(one);
  return series.some(isLeaving);
}

/** A discharge implies the arrival. */
const hasArrived = ({ arrival, discharge }: VesselCall): boolean =>
  (arrival?.actual ?? discharge?.actual ?? null) !== null;
