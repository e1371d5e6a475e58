import { type Place, type Shipment, stopReasons } from "@svc/domain/shipments";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toMany, toOneOrNull } from "../resource.ts";

/**
 * docs/contract/specification.md, Shipment; the last two `original` estimates are from docs/contract/reference.md 2.1.
 */
export const ShipmentResource = resourceObject(
  "shipment",
  {
    bill_of_lading_number: z.string(),
    normalized_number: z.string().describe("Normalized form of the shipment number, used to query the carrier."),
    ref_numbers: z.array(z.string()).nullable(),
    created_at: dateTime,
    tags: z.array(z.string()),
    port_of_lading_locode: z.string().nullable().describe("UN/LOCODE"),
    port_of_lading_name: z.string().nullable(),
    port_of_discharge_locode: z.string().nullable().describe("UN/LOCODE"),
    port_of_discharge_name: z.string().nullable(),
    destination_locode: z.string().nullable().describe("UN/LOCODE"),
    destination_name: z.string().nullable(),
    shipping_line_scac: z.string(),
    shipping_line_name: z.string(),
    shipping_line_short_name: z.string(),
    customer_name: z.string().nullable(),
    pod_vessel_name: z.string().nullable(),
    pod_vessel_imo: z.string().nullable(),
    pod_voyage_number: z.string().nullable(),
    pol_etd_at: dateTime.nullable().describe("Estimated departure at the port of lading."),
    pol_atd_at: dateTime.nullable().describe("Actual departure at the port of lading."),
    pod_eta_at: dateTime.nullable().describe("Estimated arrival at the port of discharge."),
    pod_original_eta_at: dateTime.nullable(),
    pod_ata_at: dateTime.nullable().describe("Actual arrival at the port of discharge."),
    destination_eta_at: dateTime.nullable(),
    destination_ata_at: dateTime.nullable(),
    pol_timezone: z.string().nullable().describe("IANA time zone name"),
    pod_timezone: z.string().nullable().describe("IANA time zone name"),
    destination_timezone: z.string().nullable().describe("IANA time zone name"),
    line_tracking_last_attempted_at: dateTime.nullable(),
    line_tracking_last_succeeded_at: dateTime.nullable(),
    line_tracking_stopped_at: dateTime.nullable(),
    line_tracking_stopped_reason: z.enum(stopReasons).nullable(),
    pol_original_etd_at: dateTime.nullable(),
    destination_original_eta_at: dateTime.nullable(),
  },
  {
    destination: toOneOrNull("port", "metro_area"),
    port_of_lading: toOneOrNull("port"),
    port_of_discharge: toOneOrNull("port"),
    containers: toMany("container"),
    pod_terminal: toOneOrNull("terminal"),
    destination_terminal: toOneOrNull("terminal", "rail_terminal"),
    line_tracking_stopped_by_user: toOneOrNull("user"),
  },
).meta({ id: "Shipment" });

export type ShipmentResource = z.infer<typeof ShipmentResource>;

const port = (place: Place | null) => linkage("port", place?.id ?? null);

/** The wire form of a shipment. `baseUrl` is the API's, with its version prefix: `links.self` is an absolute URI. */
export function shipmentResource(shipment: Shipment, baseUrl: string): ShipmentResource {
  const { portOfLading, portOfDischarge, destination } = shipment;
  return {
    id: shipment.id,
    type: "shipment",
    attributes: {
      bill_of_lading_number: shipment.billOfLadingNumber,
      normalized_number: shipment.normalizedNumber,
      ref_numbers: [...shipment.refNumbers],
      created_at: shipment.createdAt,
      tags: [...shipment.tags],
      port_of_lading_locode: portOfLading?.locode ?? null,
      port_of_lading_name: portOfLading?.name ?? null,
      port_of_discharge_locode: portOfDischarge?.locode ?? null,
      port_of_discharge_name: portOfDischarge?.name ?? null,
      destination_locode: destination?.locode ?? null,
      destination_name: destination?.name ?? null,
      shipping_line_scac: shipment.shippingLineScac,
      shipping_line_name: shipment.shippingLineName,
      shipping_line_short_name: shipment.shippingLineShortName,
      customer_name: shipment.customerName,
      pod_vessel_name: shipment.podVesselName,
      pod_vessel_imo: shipment.podVesselImo,
      pod_voyage_number: shipment.podVoyageNumber,
      pol_etd_at: shipment.polEtdAt,
      pol_atd_at: shipment.polAtdAt,
      pod_eta_at: shipment.podEtaAt,
      pod_original_eta_at: shipment.podOriginalEtaAt,
      pod_ata_at: shipment.podAtaAt,
      destination_eta_at: shipment.destinationEtaAt,
      destination_ata_at: shipment.destinationAtaAt,
      pol_timezone: portOfLading?.timeZone ?? null,
      pod_timezone: portOfDischarge?.timeZone ?? null,
      destination_timezone: destination?.timeZone ?? null,
      line_tracking_last_attempted_at: shipment.lineTrackingLastAttemptedAt,
      line_tracking_last_succeeded_at: shipment.lineTrackingLastSucceededAt,
      line_tracking_stopped_at: shipment.lineTrackingStoppedAt,
      line_tracking_stopped_reason: shipment.lineTrackingStoppedReason,
      pol_original_etd_at: shipment.polOriginalEtdAt,
      destination_original_eta_at: shipment.destinationOriginalEtaAt,
    },
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
