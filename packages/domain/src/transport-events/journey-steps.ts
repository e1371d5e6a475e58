import type { Instant } from "../instant.ts";
import type { DataSource, Observation, TimePrecision } from "../observations/observation.ts";
import type { Shipment } from "../shipments/shipment.ts";
import { isInland } from "../shipments/shipment-arrival.ts";
import type { TransportEvent, TransportEventName } from "./transport-event.ts";

/** A milestone of a container's journey, actual or to come. */
export interface JourneyStep {
  readonly event: TransportEventName;
  /** Name of the port or inland place, else its UN/LOCODE. */
  readonly placeName: string | null;
  readonly terminalName: string | null;
  readonly vesselName: string | null;
  readonly voyageNumber: string | null;
  readonly timeZone: string | null;
  /** Null for a step to come. */
  readonly actualAt: Instant | null;
  readonly timePrecision: TimePrecision;
  /** The newest estimate before the event, or the current one. */
  readonly estimatedAt: Instant | null;
  /** The newest plan; without a plan, the first estimate of a port's departure or arrival. */
  readonly plannedAt: Instant | null;
  /** The source that reported the event; null for a step to come. */
  readonly dataSource: DataSource | null;
}

/** A raw event with the milestone that follows from it. */
interface ReportedEvent {
  readonly event: TransportEventName | null;
  readonly portId: string | null;
  readonly metroAreaId: string | null;
  readonly fact: Pick<Observation, "code" | "classifier" | "eventAt" | "isEmpty" | "place" | "call">;
}

/** Attributes of the shipment from which the steps to come follow. */
type VoyageOf = Pick<
  Shipment,
  | "portOfLading"
  | "portOfDischarge"
  | "destination"
  | "podVesselName"
  | "podVoyageNumber"
  | "polEtdAt"
  | "polAtdAt"
  | "polOriginalEtdAt"
  | "podEtaAt"
  | "podAtaAt"
  | "podOriginalEtaAt"
  | "destinationEtaAt"
  | "destinationAtaAt"
  | "destinationOriginalEtaAt"
>;

/** The newest estimate and plan that sources reported for the same move at the same place. */
function reportedAhead({ event, portId, metroAreaId }: TransportEvent, reports: readonly ReportedEvent[]) {
  const reported = reports.find(
    (one) => one.event === event && one.portId === portId && one.metroAreaId === metroAreaId,
  )?.fact;
  const alike = reports.filter(
    ({ fact }) =>
      reported !== undefined &&
      fact.code === reported.code &&
      fact.place.locode === reported.place.locode &&
      fact.isEmpty === reported.isEmpty &&
      (fact.call?.mode ?? null) === (reported.call?.mode ?? null),
  );
  const newest = (classifier: "EST" | "PLN") =>
    alike.find(({ fact }) => fact.classifier === classifier)?.fact.eventAt ?? null;
  return { estimatedAt: newest("EST"), plannedAt: newest("PLN") };
}

/** The first estimate, which replaces a missing plan. */
function firstEstimate(event: TransportEvent, shipment: VoyageOf): Instant | null {
  if (event.event === "vessel_departed") return shipment.polOriginalEtdAt;
  return event.event === "vessel_arrived" ? shipment.podOriginalEtaAt : null;
}

interface JourneyOf {
  /** Milestones of a container in order of time. */
  readonly timeline: readonly TransportEvent[];
  readonly shipment: VoyageOf;
  /** Names of ports, inland places, terminals and vessels by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Raw events of the container, latest received first. */
  readonly reports: readonly ReportedEvent[];
}

function actualStep(event: TransportEvent, { shipment, names, reports }: JourneyOf): JourneyStep {
  const name = (id: string | null) => (id === null ? null : (names.get(id) ?? null));
  const ahead = reportedAhead(event, reports);
  return {
    event: event.event,
    placeName: name(event.portId) ?? name(event.metroAreaId) ?? event.locationLocode,
    terminalName: name(event.terminalId),
    vesselName: name(event.vesselId),
    voyageNumber: event.voyageNumber,
    timeZone: event.timeZone,
    actualAt: event.occurredAt,
    timePrecision: event.timePrecision,
    estimatedAt: ahead.estimatedAt,
    plannedAt: ahead.plannedAt ?? firstEstimate(event, shipment),
    dataSource: event.dataSource,
  };
}

/** Steps to come that the carrier estimates. */
function stepsToCome(shipment: VoyageOf, seen: ReadonlySet<string>): JourneyStep[] {
  const { portOfLading, portOfDischarge, destination, podVesselName, podVoyageNumber } = shipment;
  const noVessel = { vesselName: null, voyageNumber: null };
  const coming = [
    {
      event: "vessel_departed",
      isOver: shipment.polAtdAt !== null,
      at: shipment.polEtdAt,
      first: shipment.polOriginalEtdAt,
      place: portOfLading,
      vessel: noVessel,
    },
    {
      event: "vessel_arrived",
      isOver: shipment.podAtaAt !== null,
      at: shipment.podEtaAt,
      first: shipment.podOriginalEtaAt,
      place: portOfDischarge,
      vessel: { vesselName: podVesselName, voyageNumber: podVoyageNumber },
    },
    {
      event: "arrived_at_inland_destination",
      isOver: shipment.destinationAtaAt !== null || !isInland(shipment),
      at: shipment.destinationEtaAt,
      first: shipment.destinationOriginalEtaAt,
      place: destination,
      vessel: noVessel,
    },
  ] as const;
  return coming
    .filter(({ event, isOver, at }) => !isOver && at !== null && !seen.has(event))
    .map(({ event, at, first, place, vessel }) => ({
      event,
      placeName: place?.name ?? null,
      terminalName: null,
      ...vessel,
      timeZone: place?.timeZone ?? null,
      actualAt: null,
      timePrecision: "exact",
      estimatedAt: at,
      plannedAt: first,
      dataSource: null,
    }));
}

/** The journey of a container in order: actual milestones, then those to come. */
export function journeySteps(journey: JourneyOf): readonly JourneyStep[] {
  const { timeline, shipment } = journey;
  const seen = new Set(timeline.map(({ event }) => event));
  return [...timeline.map((event) => actualStep(event, journey)), ...stepsToCome(shipment, seen)];
}
