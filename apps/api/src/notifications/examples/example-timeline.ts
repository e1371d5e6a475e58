import type { Instant } from "@svc/domain";
import type { Place } from "@svc/domain/shipments";
import type {
  EstimatedTransportEventName,
  PickupChangeName,
  TransportEvent,
  TransportEventName,
} from "@svc/domain/transport-events";
import type { TransportEventRecord } from "@svc/jsonapi/transport-events";
import { exampleMilestones } from "./example-milestones.ts";
import { type ExampleMoment, exampleIds } from "./example-moment.ts";
import { exampleId, exampleMetroArea, examplePorts, exampleTerminals } from "./example-places.ts";

/** At no place and of no vessel. */
function recordAt(now: Instant): Omit<TransportEventRecord, "event"> {
  return {
    id: exampleId(4),
    shipmentId: exampleIds.shipment,
    containerId: exampleIds.container,
    occurredAt: now,
    timeZone: null,
    timePrecision: "exact",
    locationLocode: null,
    portId: null,
    metroAreaId: null,
    terminalId: null,
    terminalKind: null,
    vesselId: null,
    voyageNumber: null,
    dataSource: "shipping_line",
    previousVersionId: null,
    sourceEventId: null,
    invalidatedAt: null,
    createdAt: now,
  };
}

type Located = Pick<TransportEvent, "timeZone" | "locationLocode" | "portId" | "metroAreaId">;

function located({ id, locode, timeZone }: Pick<Place, "id" | "locode" | "timeZone">): Located {
  const isInland = id === exampleMetroArea.id;
  return { timeZone, locationLocode: locode, portId: isInland ? null : id, metroAreaId: isInland ? id : null };
}

/** The milestone as it happens. */
export function exampleMilestoneEvent(event: TransportEventName, { now }: ExampleMoment): TransportEventRecord {
  const { place, terminal, vessel, voyageNumber } = exampleMilestones[event];
  return {
    ...recordAt(now),
    event,
    ...located(place),
    terminalId: terminal?.id ?? null,
    terminalKind: terminal?.kind ?? null,
    vesselId: vessel?.id ?? null,
    voyageNumber: voyageNumber ?? null,
  };
}

/** The estimate of a milestone that is still to come. */
export function exampleEstimateEvent(
  event: EstimatedTransportEventName,
  milestone: "vessel_departed" | "vessel_arrived" | "arrived_at_inland_destination",
  { now, at }: ExampleMoment,
): TransportEventRecord {
  const { hour, place, vessel, voyageNumber } = exampleMilestones[milestone];
  // As in real ones, the vessel is that of the arrival: no other is known for sure before it sails.
  const sailing = milestone === "vessel_arrived" ? { vessel, voyageNumber } : null;
  return {
    ...recordAt(now),
    event,
    occurredAt: at(hour),
    ...located(place),
    vesselId: sailing?.vessel?.id ?? null,
    voyageNumber: sailing?.voyageNumber ?? null,
  };
}

const sources: Readonly<Record<PickupChangeName, TransportEvent["dataSource"]>> = {
  "pickup_lfd.changed": "shipping_line",
  "pickup_lfd_line.changed": "shipping_line",
  "pickup_lfd_terminal.changed": "terminal",
  "pickup_lfd_rail.changed": "rail",
  "pickup_appointment.changed": "rail",
};

/** A new deadline or appointment; `hour` is when that is. */
export function examplePickupEvent(
  event: PickupChangeName,
  hour: number,
  { now, at }: ExampleMoment,
): TransportEventRecord {
  const dataSource = sources[event];
  const terminal = dataSource === "rail" ? exampleTerminals.rail : exampleTerminals.port;
  return {
    ...recordAt(now),
    event,
    ...located(dataSource === "rail" ? exampleMetroArea : examplePorts.losAngeles),
    terminalId: terminal.id,
    terminalKind: terminal.kind,
    dataSource,
    value: at(hour),
  };
}
