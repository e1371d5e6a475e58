import type { VoyageTimes } from "../sea-routes/future-positions.ts";
import type { RouteStop } from "./route-stop.ts";

/** The times of a vessel's leg between two ports (canonical UN/LOCODEs), from the route of a container on board. */
export function voyageTimes(
  route: readonly RouteStop[],
  { vesselId, from, to }: { readonly vesselId: string; readonly from: string; readonly to: string },
): VoyageTimes {
  const departure = route.find(({ place, outbound }) => place?.locode === from && outbound?.vessel?.id === vesselId);
  const arrival = route.find(({ place, inbound }) => place?.locode === to && inbound?.vessel?.id === vesselId);
  return {
    departureAt: departure?.outbound?.actualAt ?? departure?.outbound?.estimatedAt ?? null,
    arrivalAt: arrival?.inbound?.actualAt ?? arrival?.inbound?.estimatedAt ?? null,
    hasArrived: arrival?.inbound?.actualAt != null,
  };
}
