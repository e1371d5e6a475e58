import {
  failedReasons,
  requestTypes,
  type TrackingRequest,
  trackingRequestStatuses,
} from "@svc/domain/tracking-requests";
import { z } from "zod";
import { dateTime, linkage, resourceObject, toOneOrNull } from "../resource.ts";

/**
 * docs/contract/specification.md, Other resources; docs/contract/reference.md 2.3 (which knows the tags by two names).
 */
export const TrackingRequestResource = resourceObject(
  "tracking_request",
  {
    request_number: z.string().describe("The number as it was submitted."),
    request_type: z.enum(requestTypes),
    scac: z.string().nullable().describe("Null while the carrier is being detected."),
    ref_numbers: z.array(z.string()).nullable(),
    shipment_tags: z.array(z.string()),
    tags: z.array(z.string()).describe("The same as shipment_tags."),
    status: z.enum(trackingRequestStatuses),
    failed_reason: z.enum(failedReasons).nullable(),
    is_retrying: z.boolean(),
    retry_count: z.number().int().nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  },
  {
    tracked_object: toOneOrNull("shipment"),
    customer: toOneOrNull("party"),
    user: toOneOrNull("user").describe("The user that created the request, or its token."),
  },
).meta({ id: "TrackingRequest" });

export type TrackingRequestResource = z.infer<typeof TrackingRequestResource>;

export function trackingRequestResource(request: TrackingRequest, baseUrl: string): TrackingRequestResource {
  return {
    id: request.id,
    type: "tracking_request",
    attributes: {
      request_number: request.requestNumber,
      request_type: request.requestType,
      scac: request.scac,
      ref_numbers: [...request.refNumbers],
      shipment_tags: [...request.shipmentTags],
      tags: [...request.shipmentTags],
      status: request.status,
      failed_reason: request.failedReason,
      is_retrying: request.isRetrying,
      retry_count: request.retryCount,
      created_at: request.createdAt,
      updated_at: request.updatedAt,
    },
    relationships: {
      tracked_object: linkage("shipment", request.shipmentId),
      customer: linkage("party", request.customerId),
      user: linkage("user", request.createdByUserId),
    },
    links: { self: `${baseUrl}/tracking_requests/${request.id}` },
  };
}
