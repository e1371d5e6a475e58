import { type Place, type Shipment, shipmentFields } from "@svc/domain/shipments";
import { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { linkage, resourceObject, toMany, toOneOrNull } from "../resource.ts";

const { refNumbers } = shipmentFields;
const text = z.string().nullable();
const locode = text.describe("UN/LOCODE");
const timeZone = text.describe("IANA time zone name");

const attributes = wireAttributes(shipmentFields, {
  id: omitted,
  refNumbers: { ref_numbers: attribute(refNumbers.nullable(), (shipment) => [...shipment.refNumbers]) },
  portOfLading: {
    port_of_lading_locode: attribute(locode, ({ portOfLading }) => portOfLading?.locode ?? null),
    port_of_lading_name: attribute(text, ({ portOfLading }) => portOfLading?.name ?? null),
  },
  portOfDischarge: {
    port_of_discharge_locode: attribute(locode, ({ portOfDischarge }) => portOfDischarge?.locode ?? null),
    port_of_discharge_name: attribute(text, ({ portOfDischarge }) => portOfDischarge?.name ?? null),
  },
  destination: {
    destination_locode: attribute(locode, ({ destination }) => destination?.locode ?? null),
    destination_name: attribute(text, ({ destination }) => destination?.name ?? null),
  },
  lineTrackingLastAttemptedAt: {
    pol_timezone: attribute(timeZone, ({ portOfLading }) => portOfLading?.timeZone ?? null),
    pod_timezone: attribute(timeZone, ({ portOfDischarge }) => portOfDischarge?.timeZone ?? null),
    destination_timezone: attribute(timeZone, ({ destination }) => destination?.timeZone ?? null),
    line_tracking_last_attempted_at: attribute(
      shipmentFields.lineTrackingLastAttemptedAt,
      ({ lineTrackingLastAttemptedAt }) => lineTrackingLastAttemptedAt,
    ),
  },
  podTerminal: omitted,
  destinationTerminal: omitted,
  lineTrackingStoppedByUserId: omitted,
  containerIds: omitted,
  rowVersion: omitted,
  updatedAt: omitted,
});

export const ShipmentResource = resourceObject("shipment", attributes.shape, {
  destination: toOneOrNull("port", "metro_area"),
  port_of_lading: toOneOrNull("port"),
  port_of_discharge: toOneOrNull("port"),
  containers: toMany("container"),
  pod_terminal: toOneOrNull("terminal"),
  destination_terminal: toOneOrNull("terminal", "rail_terminal"),
  line_tracking_stopped_by_user: toOneOrNull("user"),
}).meta({ id: "Shipment" });

export type ShipmentResource = z.infer<typeof ShipmentResource>;

const port = (place: Place | null) => linkage("port", place?.id ?? null);

/** The wire form of a shipment. `baseUrl` is the API's, with its version prefix: `links.self` is an absolute URI. */
export function shipmentResource(shipment: Shipment, baseUrl: string): ShipmentResource {
  const { portOfLading, portOfDischarge, destination } = shipment;
  return {
    id: shipment.id,
    type: "shipment",
    attributes: attributes.of(shipment),
    relationships: {
      destination: { data: destination && { type: destination.kind, id: destination.id } },
      port_of_lading: port(portOfLading),
      port_of_discharge: port(portOfDischarge),
      containers: { data: shipment.containerIds.map((id) => ({ type: "container", id })) },
      pod_terminal: linkage("terminal", shipment.podTerminal?.id ?? null),
      destination_terminal: {
        data: shipment.destinationTerminal && {
          type: shipment.destinationTerminal.kind,
          id: shipment.destinationTerminal.id,
        },
      },
      line_tracking_stopped_by_user: linkage("user", shipment.lineTrackingStoppedByUserId),
    },
    links: { self: `${baseUrl}/shipments/${shipment.id}` },
  };
}
