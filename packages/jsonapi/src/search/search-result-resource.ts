import type { Container } from "@svc/domain/containers";
import {
  overviewStatus,
  type Shipment,
  shipmentArrival,
  stopReasons,
  withContainerArrival,
  withLastArrival,
} from "@svc/domain/shipments";
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
      other_numbers: z
        .array(z.string())
        .describe(
          "Other numbers of a shipment: the number that the carrier is polled by, and the booking number. Empty for other records.",
        ),
      shipment_id: z.uuid().nullable(),
      scac: z.string().nullable(),
      port_of_lading_name: z.string().nullable(),
      port_of_discharge_name: z.string().nullable(),
      destination_name: z.string().nullable().describe("Name of the destination, inland or a port."),
      arrival_at: dateTime
        .nullable()
        .describe(
          "Actual or estimated arrival where the journey ends; of a shipment that of its last container. Null: not known.",
        ),
      arrival_is_actual: z.boolean().nullable().describe("False: `arrival_at` is an estimate."),
      arrival_timezone: z.string().nullable().describe("IANA time zone name of the place of arrival."),
      containers_count: z
        .number()
        .int()
        .nullable()
        .describe("Number of containers of a shipment; null for other records."),
      tracking_stopped: z.boolean().nullable(),
      tracking_stopped_reason: z.enum(stopReasons).nullable(),
      status: z
        .string()
        .nullable()
        .describe(
          "current_status of a container, status of a tracking request, status of a shipment as in its overview.",
        ),
      last_event: z
        .string()
        .nullable()
        .describe("Name of the last reported event of a container. Null for other records, or without an event."),
      is_held: z
        .boolean()
        .nullable()
        .describe("Whether a hold on a container at its terminal is active; null for other records."),
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

const nothing = {
  containers_count: null,
  status: null,
  last_event: null,
  is_held: null,
  failed_reason: null,
} as const;
const noArrival = { arrival_at: null, arrival_is_actual: null, arrival_timezone: null } as const;

/** Of a shipment with the arrival of its last container, or of one of them. */
function toArrival(shipment: Shipment) {
  const { destination, destinationAtaAt, destinationEtaAt, podAtaAt, portOfDischarge } = shipment;
  const at = shipmentArrival(shipment);
  if (at === null) return noArrival;
  const isAtDestination = (destinationAtaAt ?? destinationEtaAt) !== null;
  const portZone = portOfDischarge?.timeZone ?? null;
  return {
    arrival_at: at,
    arrival_is_actual: (isAtDestination ? destinationAtaAt : podAtaAt) !== null,
    arrival_timezone: isAtDestination ? (destination?.timeZone ?? portZone) : portZone,
  };
}

const shipmentFields = (shipment: Shipment) => ({
  shipment_id: shipment.id,
  scac: shipment.shippingLineScac,
  port_of_lading_name: shipment.portOfLading?.name ?? null,
  port_of_discharge_name: shipment.portOfDischarge?.name ?? null,
  destination_name: shipment.destination?.name ?? null,
  tracking_stopped: shipment.lineTrackingStoppedAt !== null,
  tracking_stopped_reason: shipment.lineTrackingStoppedReason,
});

/** `containers`: all of the shipment. */
export function shipmentSearchResult(
  shipment: Shipment,
  containers: readonly Container[],
  bookingNumber: string | null,
): SearchResultResource {
  const numbers = [shipment.normalizedNumber, ...(bookingNumber === null ? [] : [bookingNumber])];
  const areAll = (is: (container: Container) => boolean) => containers.length > 0 && containers.every(is);
  const arePickedUp = areAll(({ podFullOutAt, finalDestinationFullOutAt: at }) => (podFullOutAt ?? at) !== null);
  const areReturned = areAll(({ emptyTerminatedAt }) => emptyTerminatedAt !== null);
  return {
    id: shipment.id,
    type: "search_result",
    attributes: {
      ...nothing,
      ...shipmentFields(shipment),
      ...toArrival(withLastArrival(containers, shipment)),
      status: overviewStatus(shipment, { arePickedUp, areReturned }),
      entity_type: "shipment",
      number: shipment.billOfLadingNumber,
      other_numbers: [...new Set(numbers)].filter((other) => other !== shipment.billOfLadingNumber),
      containers_count: shipment.containerIds.length,
      ref_numbers: [...shipment.refNumbers],
      created_at: shipment.createdAt,
      updated_at: shipment.updatedAt,
    },
  };
}

/** `lastEvent`: the name of the last reported event; null: there is none. */
export function containerSearchResult(
  container: Container,
  shipment: Shipment,
  lastEvent: string | null,
): SearchResultResource {
  return {
    id: container.id,
    type: "search_result",
    attributes: {
      ...nothing,
      ...shipmentFields(shipment),
      ...toArrival(withContainerArrival(container, shipment)),
      entity_type: "cargo",
      number: container.number,
      other_numbers: [],
      status: container.currentStatus,
      last_event: lastEvent,
      is_held: container.holdsAtPodTerminal.some(({ status }) => status === "hold"),
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
      ...noArrival,
      entity_type: "tracking_request",
      number: request.requestNumber,
      other_numbers: [],
      shipment_id: request.shipmentId,
      scac: request.scac,
      port_of_lading_name: null,
      port_of_discharge_name: null,
      destination_name: null,
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
