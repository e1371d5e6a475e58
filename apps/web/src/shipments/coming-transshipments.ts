import { instant } from "@svc/domain";
import type { RouteMapResult } from "@svc/views/route-map";
import type { TimelineStep } from "@svc/views/timeline";

type PortFeature = Extract<
  Exclude<RouteMapResult, string>["features"][number],
  { readonly properties: { readonly feature_type: "port" } }
>;

const isComing = ({ dataSource }: TimelineStep): boolean => dataSource === null;

/** The planned arrival at a transshipment port and the departure from it, as far as none follows that is reported. */
function callsAt({ properties: port }: PortFeature): TimelineStep[] {
  const calls = [
    { event: "transshipment_arrived", actual: port.inbound_ata_at ?? port.outbound_atd_at, at: port.inbound_eta_at },
    { event: "transshipment_departed", actual: port.outbound_atd_at, at: port.outbound_etd_at },
  ];
  return calls.flatMap(({ event, actual, at }): TimelineStep[] => {
    if (actual !== null || at === null) return [];
    return [
      {
        event,
        place: port.name,
        terminal: null,
        voyage: null,
        timeZone: port.time_zone,
        actualAt: null,
        precision: "exact",
        estimatedAt: instant(at),
        plannedAt: null,
        dataSource: null,
      },
    ];
  });
}

/** Adds the planned calls at transshipment ports, which the route has, before the arrival that is still to come. */
export function withComingTransshipments(
  steps: readonly TimelineStep[],
  route: RouteMapResult,
): readonly TimelineStep[] {
  const arrival = steps.findIndex((step) => isComing(step) && step.event === "vessel_arrived");
  if (arrival < 0 || typeof route === "string") return steps;
  const ports = route.features.filter(
    (feature): feature is PortFeature =>
      feature.properties.feature_type === "port" && feature.properties.label.startsWith("TS"),
  );
  const reached = ports.findLastIndex(({ properties: port }) => (port.inbound_ata_at ?? port.outbound_atd_at) !== null);
  return steps.toSpliced(arrival, 0, ...ports.slice(Math.max(reached, 0)).flatMap(callsAt));
}
