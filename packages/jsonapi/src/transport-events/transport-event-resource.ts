import {
  type EstimatedTransportEventName,
  estimatedTransportEventNames,
  type ListedEventName,
  type ListedTransportEvent,
  type PickupChangeName,
  pickupChangeNames,
  type TransportEventName,
  transportEventNames,
} from "@svc/domain/transport-events";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

type TimelineName = TransportEventName | EstimatedTransportEventName;
export type TransportEventWireName = `container.transport.${TimelineName}` | `container.${PickupChangeName}`;
type WireName = TransportEventWireName;

const timelineName = (name: TimelineName): WireName => `container.transport.${name}`;
const pickupChangeName = (name: PickupChangeName): WireName => `container.${name}`;
const isPickupChange = (name: TimelineName | PickupChangeName): name is PickupChangeName =>
  (pickupChangeNames as readonly string[]).includes(name);

const wireNameOf = (name: ListedEventName): WireName =>
  isPickupChange(name) ? pickupChangeName(name) : timelineName(name);

/** Domain names of container events, by wire name. */
export const listedEventNames: ReadonlyMap<WireName, ListedEventName> = new Map(
  [...transportEventNames, ...estimatedTransportEventNames, ...pickupChangeNames].map((name) => [
    wireNameOf(name),
    name,
  ]),
);

const wireNames = [...listedEventNames.keys()] as [WireName, ...WireName[]];

export const dataSources = ["shipping_line", "terminal", "ais", "rail"] as const;

/**
 * docs/contract/reference.md 2.4. Without `links`: an event is read with its container and has no URL.
 */
export const TransportEventResource = resourceObject(
  "transport_event",
  {
    event: z.enum(wireNames),
    timestamp: dateTime.nullable().describe("The event time; for an estimate the estimated time."),
    timezone: z.string().nullable().describe("IANA time zone name of the place"),
    voyage_number: z.string().nullable(),
    location_locode: z.string().nullable().describe("UN/LOCODE"),
    data_source: z.enum(dataSources),
    value: dateTime.nullable().describe("The new value of a changed deadline or appointment."),
    value_timestamp: dateTime.nullable().describe("The same as value."),
    created_at: dateTime,
    invalidated_at: dateTime.nullable().describe("When a later version replaced this one."),
  },
  {
    shipment: toOne("shipment"),
    container: toOne("container"),
    vessel: toOneOrNull("vessel"),
    location: toOneOrNull("port", "metro_area"),
    terminal: toOneOrNull("terminal", "rail_terminal"),
    previous_version: toOneOrNull("transport_event"),
    source_event: toOneOrNull("raw_event"),
  },
)
  .omit({ links: true })
  .meta({ id: "TransportEvent" });

export type TransportEventResource = z.infer<typeof TransportEventResource>;

/** A milestone, or the change of an estimate, a deadline or an appointment in the same form. */
export type TransportEventRecord = Omit<ListedTransportEvent, "value"> & Partial<Pick<ListedTransportEvent, "value">>;

export function transportEventResource(event: TransportEventRecord): TransportEventResource {
  return {
    id: event.id,
    type: "transport_event",
    attributes: {
      event: wireNameOf(event.event),
      timestamp: event.occurredAt,
      timezone: event.timeZone,
      voyage_number: event.voyageNumber,
      location_locode: event.locationLocode,
      data_source: event.dataSource,
      value: event.value ?? null,
      value_timestamp: event.value ?? null,
      created_at: event.createdAt,
      invalidated_at: event.invalidatedAt,
    },
    relationships: {
      shipment: linkage("shipment", event.shipmentId),
      container: linkage("container", event.containerId),
      vessel: linkage("vessel", event.vesselId),
      location: event.portId === null ? linkage("metro_area", event.metroAreaId) : linkage("port", event.portId),
      terminal: linkage(event.terminalKind ?? "terminal", event.terminalId),
      previous_version: linkage("transport_event", event.previousVersionId),
      source_event: linkage("raw_event", event.sourceEventId),
    },
  };
}
