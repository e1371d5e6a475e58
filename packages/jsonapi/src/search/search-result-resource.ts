import type { Container } from "@svc/domain/containers";
import { type Shipment, stopReasons } from "@svc/domain/shipments";
import { failedReasons, type TrackingRequest } from "@svc/domain/tracking-requests";
import { z } from "zod";
import { dateTime } from "../resource.ts";

/** docs/contract/reference.md 1.6. The id is that of the record found. */
export const SearchResultResource = z
  .object({
    id: z.uuid(),
    type: z.literal("search_result"),
    attributes: z.object({
      entity_type: z.enum(["shipment", "cargo", "tracking_request"]).describe("cargo: a container"),
      number: z.string(),
      shipment_id: z.uuid().nullable(),
      scac: z.string().nullable(),
      port_of_lading_name: z.string().nullable(),
      port_of_discharge_name: z.string().nullable(),
      containers_count: z
        .number()
        .int()
        .nullable()
        .describe("Number of containers of a shipment; null for other records."),
      tracking_stopped: z.boolean().nullable(),
      tracking_stopped_reason: z.enum(stopReasons).nullable(),
      status: z.string().nullable().describe("current_status of a container, status of a tracking request."),
      failed_reason: z
        .enum(failedReasons)
        .nullable()
        .describe("Reason for the failure of a tracking request; null for other records."),
      ref_numbers: z.array(z.string()),
      created_at: dateTime,
      updated_at: dateTime,
    }),
  })
  .meta({ id: "SearchResult" });

export type SearchResultResource = z.infer<typeof SearchResultResource>;

const nothing = { containers_count: null, status: null, failed_reason: null } as const;

const ofShipment = (shipment: Shipment) => ({
  shipment_id: shipment.id,
  scac: shipment.shippingLineScac,
  port_of_lading_name: shipment.portOfLading?.name ?? null,
  port_of_discharge_name: shipment.portOfDischarge?.name ?? null,
  tracking_stopped: shipment.lineTrackingStoppedAt !== null,
  tracking_stopped_reason: shipment.lineTrackingStoppedReason,
});

export function shipmentSearchResult(shipment: Shipment): SearchResultResource {
  return {
    id: shipment.id,
    type: "search_result",
    attributes: {
      ...nothing,
      ...ofShipment(shipment),
      entity_type: "shipment",
      number: shipment.billOfLadingNumber,
      containers_count: shipment.containerIds.length,
      ref_numbers: [...shipment.refNumbers],
      created_at: shipment.createdAt,
      updated_at: shipment.updatedAt,
    },
  };
}

export function containerSearchResult(container: Container, shipment: Shipment): SearchResultResource {
  return {
    id: container.id,
    type: "search_result",
    attributes: {
      ...nothing,
      ...ofShipment(shipment),
      entity_type: "cargo",
      number: container.number,
      status: container.currentStatus,
      ref_numbers: [...container.refNumbers],
      created_at: container.createdAt,
      updated_at: container.updatedAt,
    },
  };
}

export function trackingRequestSearchResult(request: TrackingRequest): SearchResultResource {
  return {
    id: request.id,
    type: "search_result",
    attributes: {
      ...nothing,
      entity_type: "tracking_request",
      number: request.requestNumber,
      shipment_id: request.shipmentId,
      scac: request.scac,
      port_of_lading_name: null,
      port_of_discharge_name: null,
      tracking_stopped: null,
      tracking_stopped_reason: null,
      status: request.status,
      failed_reason: request.failedReason,
      ref_numbers: [...request.refNumbers],
      created_at: request.createdAt,
      updated_at: request.updatedAt,
    },
  };
}
