import { eventLabel, localTime } from "@svc/views";
import type { ContainerRecord } from "../shipments/api-records.ts";
import type { Fact } from "../shipments/field-sources.ts";

/** Time zones in which the times of a journey are shown. */
export interface JourneyZones {
  readonly origin: string | null;
  readonly port: string | null;
  readonly destination: string | null;
}

/** All stored times of the container's journey, in the order of the journey. */
export function timeFacts(container: ContainerRecord, { origin, port, destination }: JourneyZones): readonly Fact[] {
  const emptyReturnZone = container.emptyTerminatedTimezone ?? destination ?? port;
  return [
    [eventLabel("empty_out"), localTime(container.emptyOutAt, origin), "emptyOutAt"],
    [eventLabel("full_in"), localTime(container.polFullInAt, origin), "polFullInAt"],
    [eventLabel("vessel_loaded"), localTime(container.polVesselLoadedAt, origin), "polVesselLoadedAt"],
    [eventLabel("vessel_departed"), localTime(container.polVesselDepartedAt, origin), "polVesselDepartedAt"],
    [eventLabel("vessel_arrived"), localTime(container.podArrivedAt, port), "podArrivedAt"],
    [eventLabel("vessel_discharged"), localTime(container.podDischargedAt, port), "podDischargedAt"],
    [eventLabel("rail_loaded"), localTime(container.podRailLoadedAt, port), "podRailLoadedAt"],
    [eventLabel("rail_departed"), localTime(container.podRailDepartedAt, port), "podRailDepartedAt"],
    ["ETA inland", localTime(container.indEtaAt, destination), "indEtaAt"],
    ["ATA inland", localTime(container.indAtaAt, destination), "indAtaAt"],
    [eventLabel("rail_unloaded"), localTime(container.indRailUnloadedAt, destination), "indRailUnloadedAt"],
    ["Gate out (full) at the port", localTime(container.podFullOutAt, port), "podFullOutAt"],
    [
      "Gate out (full) at destination",
      localTime(container.finalDestinationFullOutAt, destination),
      "finalDestinationFullOutAt",
    ],
    ["Delivered", localTime(container.deliveredAt, destination ?? port), "deliveredAt"],
    [eventLabel("empty_in"), localTime(container.emptyTerminatedAt, emptyReturnZone), "emptyTerminatedAt"],
  ];
}
