import { eventLabel, localTime } from "@svc/views";
import type { ContainerRecord } from "../shipments/api-records.ts";
import type { LabelledValue } from "../shipments/field-sources.ts";

/** Time zones in which the times of a journey are shown. */
export interface JourneyZones {
  readonly origin: string | null;
  readonly port: string | null;
  readonly destination: string | null;
}

type TimeField = keyof ContainerRecord & `${string}At`;

/** All stored times of the container's journey, in the order of the journey. */
export function timeFacts(
  container: ContainerRecord,
  { origin, port, destination }: JourneyZones,
): readonly LabelledValue[] {
  const time = (term: string, field: TimeField, zone: string | null): LabelledValue => ({
    term,
    value: localTime(container[field], zone),
    field,
  });
  return [
    time(eventLabel("empty_out"), "emptyOutAt", origin),
    time(eventLabel("full_in"), "polFullInAt", origin),
    time(eventLabel("vessel_loaded"), "polVesselLoadedAt", origin),
    time(eventLabel("vessel_departed"), "polVesselDepartedAt", origin),
    time(eventLabel("vessel_arrived"), "podArrivedAt", port),
    time(eventLabel("vessel_discharged"), "podDischargedAt", port),
    time(eventLabel("rail_loaded"), "podRailLoadedAt", port),
    time(eventLabel("rail_departed"), "podRailDepartedAt", port),
    time("ETA inland", "indEtaAt", destination),
    time("ATA inland", "indAtaAt", destination),
    time(eventLabel("rail_unloaded"), "indRailUnloadedAt", destination),
    time("Gate out (full) at the port", "podFullOutAt", port),
    time("Gate out (full) at destination", "finalDestinationFullOutAt", destination),
    time("Delivered", "deliveredAt", destination ?? port),
    time(eventLabel("empty_in"), "emptyTerminatedAt", container.emptyTerminatedTimezone ?? destination ?? port),
  ];
}
