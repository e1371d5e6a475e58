import {
  listedEventNames as domainNames,
  type EstimatedTransportEventName,
  type ListedEventName,
  type ListedTransportEvent,
  type PickupChangeName,
  pickupChangeNames,
  type TransportEventName,
  transportEventFields,
} from "@svc/domain/transport-events";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

type TimelineName = TransportEventName | EstimatedTransportEventName;
export type TransportEventWireName = `container.transport.${TimelineName}` | `container.${PickupChangeName}`;

const timelineName = (name: TimelineName): TransportEventWireName => `container.transport.${name}`;
const pickupChangeName = (name: PickupChangeName): TransportEventWireName => `container.${name}`;
const isPickupChange = (name: TimelineName | PickupChangeName): name is PickupChangeName =>
  (pickupChangeNames as readonly string[]).includes(name);

/** The name of an event on the wire. */
export const toWireEventName = (name: ListedEventName): TransportEventWireName =>
  isPickupChange(name) ? pickupChangeName(name) : timelineName(name);

/** Domain names of container events, by wire name. */
export const listedEventNames: ReadonlyMap<TransportEventWireName, ListedEventName> = new Map(
  domainNames.map((name) => [toWireEventName(name), name]),
);

const wireNames = [...listedEventNames.keys()] as [TransportEventWireName, ...TransportEventWireName[]];

const { occurredAt, timeZone, value } = transportEventFields;

const attributes = wireAttributes(transportEventFields, {
  id: omitted,
  event: { event: attribute(z.enum(wireNames), ({ event }) => toWireEventName(event)) },
  occurredAt: { timestamp: attribute(occurredAt, (event) => event.occurredAt) },
  timeZone: { timezone: attribute(timeZone, (event) => event.timeZone) },
  value: {
    value: attribute(value, (event) => event.value),
    value_timestamp: attribute(value.describe("The same as value."), (event) => event.value),
  },
  shipmentId: omitted,
  containerId: omitted,
  portId: omitted,
  metroAreaId: omitted,
  terminalId: omitted,
  terminalKind: omitted,
  vesselId: omitted,
  previousVersionId: omitted,
  sourceEventId: omitted,
});

/** Transport event without `links`: it is read with its container and has no URL. */
export const TransportEventResource = resourceObject("transport_event", attributes.shape, {
  shipment: toOne("shipment"),
  container: toOne("container"),
  vessel: toOneOrNull("vessel"),
  location: toOneOrNull("port", "metro_area"),
  terminal: toOneOrNull("terminal", "rail_terminal"),
  previous_version: toOneOrNull("transport_event"),
  source_event: toOneOrNull("raw_event"),
})
  .omit({ links: true })
  .meta({ id: "TransportEvent" });

export type TransportEventResource = z.infer<typeof TransportEventResource>;

/** A milestone, or the change of an estimate, a deadline or an appointment in the same form. */
export type TransportEventRecord = Omit<ListedTransportEvent, "value"> & Partial<Pick<ListedTransportEvent, "value">>;

export function transportEventResource(event: TransportEventRecord): TransportEventResource {
  return {
    id: event.id,
    type: "transport_event",
    attributes: attributes.of({ value: null, ...event }),
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
