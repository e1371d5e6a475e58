import { describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import type { Shipment } from "@svc/domain/shipments";
import { ShipmentResource, shipmentResource } from "./shipment-resource.ts";

const at = instant("2026-11-21T10:00:00Z");

const bare: Shipment = {
  id: "0199f0a0-0000-7000-8000-000000000001",
  billOfLadingNumber: "SBXL1234567",
  normalizedNumber: "SBXL1234567",
  refNumbers: [],
  tags: [],
  note: null,
  shippingLineScac: "SBXL",
  shippingLineName: "Sandbox Line",
  shippingLineShortName: "Sandbox",
  customerName: null,
  portOfLading: null,
  portOfDischarge: null,
  destination: null,
  podTerminal: null,
  destinationTerminal: null,
  podVesselName: null,
  podVesselImo: null,
  podVoyageNumber: null,
  polEtdAt: null,
  polOriginalEtdAt: null,
  polAtdAt: null,
  podEtaAt: null,
  podOriginalEtaAt: null,
  podAtaAt: null,
  destinationEtaAt: null,
  destinationOriginalEtaAt: null,
  destinationAtaAt: null,
  lineTrackingLastAttemptedAt: null,
  lineTrackingLastSucceededAt: null,
  lineTrackingStoppedAt: null,
  lineTrackingStoppedReason: null,
  lineTrackingStoppedByUserId: null,
  containerIds: [],
  rowVersion: 1,
  createdAt: at,
  updatedAt: at,
};

/** Copied from docs/contract/specification.md, Shipment, attributes. */
const specified = `bill_of_lading_number normalized_number ref_numbers created_at tags port_of_lading_locode
  port_of_lading_name port_of_discharge_locode port_of_discharge_name destination_locode destination_name
  shipping_line_scac shipping_line_name shipping_line_short_name customer_name pod_vessel_name pod_vessel_imo
  pod_voyage_number pol_etd_at pol_atd_at pod_eta_at pod_original_eta_at pod_ata_at destination_eta_at
  destination_ata_at pol_timezone pod_timezone destination_timezone line_tracking_last_attempted_at
  line_tracking_last_succeeded_at line_tracking_stopped_at line_tracking_stopped_reason`.split(/\s+/);

describe("shipment on the wire [spec: shipment.attribute.*, shipment.relationship.*, shipment.field.links]", () => {
  test("has every attribute of the specification, null where unknown [spec: J21, G20]", () => {
    const { attributes } = shipmentResource(bare, "http://localhost:4000/v2");
    expect(Object.keys(attributes).sort()).toEqual(
      [...specified, "note", "pol_original_etd_at", "destination_original_eta_at"].sort(),
    );
    expect(attributes.pod_eta_at).toBeNull();
    expect(ShipmentResource.safeParse(shipmentResource(bare, "http://localhost:4000/v2")).error).toBeUndefined();
  });

  test("has the seven relationships, null or an empty array where there is none [spec: J19, J20, G20]", () => {
    expect(shipmentResource(bare, "http://localhost:4000/v2").relationships).toEqual({
      destination: { data: null },
      port_of_lading: { data: null },
      port_of_discharge: { data: null },
      containers: { data: [] },
      pod_terminal: { data: null },
      destination_terminal: { data: null },
      line_tracking_stopped_by_user: { data: null },
    });
  });

  test("links.self is an absolute URL, and a destination keeps its type", () => {
    const place = { id: bare.id, kind: "metro_area", locode: "USCHI", name: "Chicago", timeZone: "America/Chicago" };
    const resource = shipmentResource(
      { ...bare, destination: place as Shipment["destination"] },
      "https://api.test/v2",
    );
    expect(resource.links.self).toBe(`https://api.test/v2/shipments/${bare.id}`);
    expect(resource.relationships.destination.data).toEqual({ type: "metro_area", id: bare.id });
    expect(resource.attributes.destination_timezone).toBe("America/Chicago");
  });
});
