import { localTime } from "@svc/views";
import type { ShownContainer } from "../shipments/api-records.ts";
import type { Fact } from "../shipments/field-sources.ts";

/** Time zones in which the times of a journey are shown. */
export interface JourneyZones {
  readonly origin: string | null;
  readonly port: string | null;
  readonly destination: string | null;
}

/** All stored times of the container's journey, in the order of the journey. */
export function timeFacts(container: ShownContainer, { origin, port, destination }: JourneyZones): readonly Fact[] {
  const ofEmpty = container.emptyTerminatedTimezone ?? destination ?? port;
  return [
    ["Empty picked up", localTime(container.emptyOutAt, origin), "emptyOutAt"],
    ["Full at the port of lading", localTime(container.polFullInAt, origin), "polFullInAt"],
    ["Loaded", localTime(container.polVesselLoadedAt, origin), "polVesselLoadedAt"],
    ["Vessel left", localTime(container.polVesselDepartedAt, origin), "polVesselDepartedAt"],
    ["Vessel arrived", localTime(container.podArrivedAt, port), "podArrivedAt"],
    ["Discharged", localTime(container.podDischargedAt, port), "podDischargedAt"],
    ["Loaded on rail", localTime(container.podRailLoadedAt, port), "podRailLoadedAt"],
    ["Left by rail", localTime(container.podRailDepartedAt, port), "podRailDepartedAt"],
    ["Expected inland", localTime(container.indEtaAt, destination), "indEtaAt"],
    ["Arrived inland", localTime(container.indAtaAt, destination), "indAtaAt"],
    ["Unloaded from rail", localTime(container.indRailUnloadedAt, destination), "indRailUnloadedAt"],
    ["Picked up at the port", localTime(container.podFullOutAt, port), "podFullOutAt"],
    [
      "Picked up at destination",
      localTime(container.finalDestinationFullOutAt, destination),
      "finalDestinationFullOutAt",
    ],
    ["Delivered", localTime(container.deliveredAt, destination ?? port), "deliveredAt"],
    ["Empty returned", localTime(container.emptyTerminatedAt, ofEmpty), "emptyTerminatedAt"],
  ];
}
