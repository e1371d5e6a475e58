import { normalizeContainerNumber } from "@svc/domain/identifiers";
import type { TrackingRequestResource } from "@svc/jsonapi/tracking-requests";
import type { Included } from "../documents/included.ts";
import { type Camelized, camelize } from "./camelize.ts";

type Attributes = Camelized<TrackingRequestResource["attributes"]>;

export type MappedTrackingRequest = Omit<Attributes, "refNumbers"> & {
  readonly id: string;
  readonly refNumbers: readonly string[];
  /** Shipment that the request found; null until then. The number is null when it was not requested with `include`. */
  readonly shipment: { readonly id: string; readonly billOfLading: string | null } | null;
  /** The container with the requested number; null for other requests, and when not asked for with `include`. */
  readonly container: { readonly id: string; readonly number: string } | null;
  readonly customer: { readonly id: string; readonly companyName: string | null } | null;
};

function findContainer(request: TrackingRequestResource, included: Included): MappedTrackingRequest["container"] {
  if (request.attributes.request_type !== "container") return null;
  const requestedNumber = normalizeContainerNumber(request.attributes.request_number);
  const identifiers = included.find(request.relationships.tracked_object.data)?.relationships.containers.data ?? [];
  for (const identifier of identifiers) {
    const number = included.find(identifier)?.attributes.container_number;
    if (number === requestedNumber) return { id: identifier.id, number };
  }
  return null;
}

export function mapTrackingRequest(request: TrackingRequestResource, included: Included): MappedTrackingRequest {
  const attributes = camelize(request.attributes);
  const shipment = request.relationships.tracked_object.data;
  const customer = request.relationships.customer.data;
  return {
    ...attributes,
    id: request.id,
    refNumbers: attributes.refNumbers ?? [],
    shipment: shipment && {
      id: shipment.id,
      billOfLading: included.find(shipment)?.attributes.bill_of_lading_number ?? null,
    },
    container: findContainer(request, included),
    customer: customer && {
      id: customer.id,
      companyName: included.find(customer)?.attributes.company_name ?? null,
    },
  };
}
