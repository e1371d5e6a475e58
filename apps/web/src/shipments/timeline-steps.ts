import type { Instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import type { TransportEvent } from "@svc/domain/transport-events";
import type { RawEventRecord } from "@svc/persistence/transport-events";
import type { TimelineStep } from "@svc/views/timeline";
import { isInland } from "./answer.ts";
import type { KnownNames } from "./known-names.ts";

const joined = (parts: readonly (string | null | undefined)[]): string => parts.filter((part) => part).join(", ");

/** The newest estimate and plan that sources reported for the same move at the same place. */
function statedAhead({ event, portId, metroAreaId }: TransportEvent, facts: readonly RawEventRecord[]) {
  const reported = facts.find(
    (one) => one.event === event && one.portId === portId && one.metroAreaId === metroAreaId,
  )?.fact;
  const alike = facts.filter(
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
function firstEstimate(event: TransportEvent, shipment: Shipment): Instant | null {
  if (event.event === "vessel_departed") return shipment.polOriginalEtdAt;
  return event.event === "vessel_arrived" ? shipment.podOriginalEtaAt : null;
}

function happened(
  event: TransportEvent,
  options: { readonly shipment: Shipment; readonly names: KnownNames; readonly facts: readonly RawEventRecord[] },
): TimelineStep {
  const name = (id: string | null) => (id === null ? null : (options.names.get(id) ?? null));
  const ahead = statedAhead(event, options.facts);
  return {
    event: event.event,
    place: name(event.portId) ?? name(event.metroAreaId) ?? event.locationLocode,
    detail: joined([
      name(event.terminalId),
      name(event.vesselId),
      event.voyageNumber && `voyage ${event.voyageNumber}`,
    ]),
    timeZone: event.timeZone,
    actualAt: event.occurredAt,
    precision: event.timePrecision,
    estimatedAt: ahead.estimatedAt,
    plannedAt: ahead.plannedAt ?? firstEstimate(event, options.shipment),
    dataSource: event.dataSource,
  };
}

/** Future steps that the carrier estimates. */
function expected(shipment: Shipment, seen: ReadonlySet<string>): TimelineStep[] {
  const { portOfLading, portOfDischarge, destination, podVesselName, podVoyageNumber } = shipment;
  const vessel = joined([podVesselName, podVoyageNumber && `voyage ${podVoyageNumber}`]);
  const coming = [
    {
      event: "vessel_departed",
      isOver: shipment.polAtdAt !== null,
      at: shipment.polEtdAt,
      first: shipment.polOriginalEtdAt,
      place: portOfLading,
      detail: "",
    },
    {
      event: "vessel_arrived",
      isOver: shipment.podAtaAt !== null,
      at: shipment.podEtaAt,
      first: shipment.podOriginalEtaAt,
      place: portOfDischarge,
      detail: vessel,
    },
    {
      event: "arrived_at_inland_destination",
      isOver: shipment.destinationAtaAt !== null || !isInland(shipment),
      at: shipment.destinationEtaAt,
      first: shipment.destinationOriginalEtaAt,
      place: destination,
      detail: "",
    },
  ];
  return coming
    .filter(({ event, isOver, at }) => !isOver && at !== null && !seen.has(event))
    .map(({ event, at, first, place, detail }) => ({
      event,
      place: place?.name ?? null,
      detail,
      timeZone: place?.timeZone ?? null,
      actualAt: null,
      precision: "exact",
      estimatedAt: at,
      plannedAt: first,
      dataSource: null,
    }));
}

/** The timeline of a container in order: actual events, then estimates. */
export function timelineSteps(options: {
  readonly timeline: readonly TransportEvent[];
  readonly shipment: Shipment;
  readonly names: KnownNames;
  /** Raw events of the container, latest received first. */
  readonly facts: readonly RawEventRecord[];
}): readonly TimelineStep[] {
  const { timeline, shipment } = options;
  const coming = expected(shipment, new Set(timeline.map(({ event }) => event)));
  return [...timeline.map((event) => happened(event, options)), ...coming];
}
