import {
  type EstimatedTransportEventName,
  estimatedTransportEventNames,
  type TransportEvent,
  type TransportEventName,
  transportEventNames,
} from "@svc/domain";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOne, toOneOrNull } from "../resource.ts";

type WireName = `container.transport.${TransportEventName | EstimatedTransportEventName}`;

const wireName = (name: TransportEventName | EstimatedTransportEventName): WireName => `container.transport.${name}`;

export const dataSources = ["shipping_line", "terminal", "ais", "rail"] as const;

/** reference-contract.md 2.4. Without `links`: an event is read with its container, it has no address of its own. */
export const TransportEventResource = resourceObject(
  "transport_event",
  {
    event: z.enum([...transportEventNames, ...estimatedTransportEventNames].map(wireName) as [WireName, ...WireName[]]),
    timestamp: dateTime.nullable().describe("When it happened; of an estimate: when it is expected."),
    timezone: z.string().nullable().describe("IANA time zone name of the place"),
    voyage_number: z.string().nullable(),
    location_locode: z.string().nullable().describe("UN/LOCODE"),
    data_source: z.enum(dataSources),
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
  },
)
  .omit({ links: true })
  .meta({ id: "TransportEvent" });

export type TransportEventResource = z.infer<typeof TransportEventResource>;

/** A milestone, or an estimate that is told in the same form. */
export type TransportEventRecord = Omit<TransportEvent, "event"> & {
  readonly event: TransportEventName | EstimatedTransportEventName;
};

export function transportEventResource(event: TransportEventRecord): TransportEventResource {
  return {
    id: event.id,
    type: "transport_event",
    attributes: {
      event: wireName(event.event),
      timestamp: event.occurredAt,
      timezone: event.timeZone,
      voyage_number: event.voyageNumber,
      location_locode: event.locationLocode,
      data_source: event.dataSource,
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
    },
  };
}
