import type { Instant } from "../instant.ts";
import type { DataSource, TimePrecision } from "../observations/observation.ts";
import type { Shipment } from "../shipments/shipment.ts";
import { isInland } from "../shipments/shipment-arrival.ts";
import { isEstimatedEvent, ownEstimate, type ReportedEvent } from "./own-estimate.ts";
import type { TransportEvent, TransportEventName } from "./transport-event.ts";

/** What the planned time of a step is: a plan that was reported, or in its place the first estimate. */
export const planBases = ["plan", "first_estimate"] as const;

export type PlanBasis = (typeof planBases)[number];

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
  /**
   * The newest plan; of the arrival at the port of discharge, from which its delay is counted, and without a plan the
   * first estimate.
   */
  readonly plannedAt: Instant | null;
  /** Null: `plannedAt` is null. */
  readonly planBasis: PlanBasis | null;
  /** The source that reported the event; null for a step to come. */
  readonly dataSource: DataSource | null;
}

/** Attributes of the shipment from which the steps to come follow. */
type ShipmentVoyage = Pick<
  Shipment,
  | "containerIds"
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

interface JourneyInput {
  /** Milestones of a container in order of time. */
  readonly timeline: readonly TransportEvent[];
  readonly shipment: ShipmentVoyage;
  /** Names of ports, inland places, terminals and vessels by id. */
  readonly names: ReadonlyMap<string, string>;
  /** Raw events of the container, latest received first. */
  readonly reports: readonly ReportedEvent[];
}

/** Only the containers of one shipment can differ: a single one has the shipment's estimates. */
const ownReports = ({ shipment, reports }: JourneyInput) => (shipment.containerIds.length > 1 ? reports : []);

/** The first estimate of a departure or of the arrival at the port of discharge. */
function firstEstimate({ event, portId }: TransportEvent, journey: JourneyInput): Instant | null {
  const { shipment } = journey;
  const own = isEstimatedEvent(event) ? ownEstimate(event, portId, ownReports(journey)) : null;
  if (event === "vessel_departed") return own?.first ?? shipment.polOriginalEtdAt;
  return event === "vessel_arrived" ? (shipment.podOriginalEtaAt ?? own?.first ?? null) : null;
}

/**
 * The plan, else the first estimate. The delay of the arrival is that of lists and exceptions, against the first
 * estimate: a later plan is that of another call.
 */
function planned(
  event: TransportEventName,
  plan: Instant | null,
  first: Instant | null,
): Pick<JourneyStep, "plannedAt" | "planBasis"> {
  if (plan !== null && (first === null || event !== "vessel_arrived")) return { plannedAt: plan, planBasis: "plan" };
  return { plannedAt: first, planBasis: first === null ? null : "first_estimate" };
}

function actualStep(event: TransportEvent, journey: JourneyInput): JourneyStep {
  const { names, reports } = journey;
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
    ...planned(event.event, ahead.plannedAt, firstEstimate(event, journey)),
    dataSource: event.dataSource,
  };
}

/**
 * Steps to come that the carrier estimates. The containers of a shipment can arrive at different times on different
 * vessels, so what is reported for the container takes precedence over what is derived for the shipment.
 */
function stepsToCome(journey: JourneyInput, occurredEvents: ReadonlySet<string>): JourneyStep[] {
  const { shipment } = journey;
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
    .filter(({ event, isOver, at }) => !isOver && at !== null && !occurredEvents.has(event))
    .map(({ event, at, first, place, vessel }) => {
      const own = ownEstimate(event, place?.id ?? null, ownReports(journey));
      const isOther = own !== null && own.at !== at;
      // As after the departure: the first estimate of the shipment may be that of a vessel of its other containers.
      const isOwnFirst = isOther || event === "vessel_departed";
      return {
        event,
        placeName: place?.name ?? null,
        terminalName: null,
        ...(isOther && event === "vessel_arrived"
          ? { vesselName: own.vesselName, voyageNumber: own.voyageNumber }
          : vessel),
        timeZone: place?.timeZone ?? null,
        actualAt: null,
        timePrecision: "exact",
        estimatedAt: own?.at ?? at,
        ...planned(event, null, isOwnFirst ? (own?.first ?? first) : (first ?? own?.first ?? null)),
        dataSource: null,
      };
    });
}

/** The journey of a container in order: actual milestones, then those to come. */
export function journeySteps(journey: JourneyInput): readonly JourneyStep[] {
  const { timeline } = journey;
  const occurredEvents = new Set(timeline.map(({ event }) => event));
  return [...timeline.map((event) => actualStep(event, journey)), ...stepsToCome(journey, occurredEvents)];
}
