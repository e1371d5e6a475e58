import { type TrackingRequest, trackingRequestFields } from "@svc/domain/tracking-requests";
import type { z } from "zod";
import { attribute, omitted, wireAttributes } from "../records/wire-attributes.ts";
import { linkage, resourceObject, toOneOrNull } from "../resource.ts";

const { refNumbers, shipmentTags, retryCount } = trackingRequestFields;

/** docs/contract/reference.md 2.3 has two names for the tags. */
const attributes = wireAttributes(trackingRequestFields, {
  id: omitted,
  refNumbers: { ref_numbers: attribute(refNumbers.nullable(), (request) => [...request.refNumbers]) },
  shipmentTags: {
    shipment_tags: attribute(shipmentTags, (request) => [...request.shipmentTags]),
    tags: attribute(shipmentTags.describe("The same as shipment_tags."), (request) => [...request.shipmentTags]),
  },
  retryCount: { retry_count: attribute(retryCount.nullable(), (request) => request.retryCount) },
  normalizedNumber: omitted,
  customerId: omitted,
  createdByUserId: omitted,
  shipmentId: omitted,
  rowVersion: omitted,
});

export const TrackingRequestResource = resourceObject("tracking_request", attributes.shape, {
  tracked_object: toOneOrNull("shipment"),
  customer: toOneOrNull("party"),
  user: toOneOrNull("user").describe("The user that created the request, or its token."),
}).meta({ id: "TrackingRequest" });

export type TrackingRequestResource = z.infer<typeof TrackingRequestResource>;

export function trackingRequestResource(request: TrackingRequest, baseUrl: string): TrackingRequestResource {
  return {
    id: request.id,
    type: "tracking_request",
    attributes: attributes.of(request),
    relationships: {
      tracked_object: linkage("shipment", request.shipmentId),
      customer: linkage("party", request.customerId),
      user: linkage("user", request.createdByUserId),
    },
    links: { self: `${baseUrl}/tracking_requests/${request.id}` },
  };
}
