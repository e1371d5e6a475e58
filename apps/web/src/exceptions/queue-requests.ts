import { cargoContext } from "@svc/domain/exceptions";
import type { PartyResource, TrackingRequestResource } from "@svc/sdk";
import type { WaitingRequest } from "../tracking-requests/connection-problems.ts";
import type { Retried } from "../tracking-requests/request-state.ts";

/** A tracking request that an exception of the queue is about. */
export type QueueRequest = Retried & WaitingRequest;

interface Included {
  readonly id: string;
  readonly type: string;
}

const isRequest = (one: Included): one is TrackingRequestResource => one.type === "tracking_request";
const isParty = (one: Included): one is PartyResource => one.type === "party";

/** The tracking requests with their customers among included records, by id. */
export function queueRequests(included: readonly Included[]): ReadonlyMap<string, QueueRequest> {
  const names = new Map(included.filter(isParty).map(({ id, attributes }) => [id, attributes.company_name]));
  const requestOf = ({ id, attributes, relationships }: TrackingRequestResource): QueueRequest => {
    const customer = relationships.customer.data;
    return {
      id,
      requestNumber: attributes.request_number,
      requestType: attributes.request_type,
      failedReason: attributes.failed_reason,
      scac: attributes.scac,
      status: attributes.status,
      createdAt: attributes.created_at,
      refNumbers: attributes.ref_numbers ?? [],
      shipmentTags: attributes.shipment_tags,
      customer: customer && { id: customer.id, companyName: names.get(customer.id) ?? null },
    };
  };
  return new Map(included.filter(isRequest).map((one) => [one.id, requestOf(one)]));
}

/** "Northwind · PO-1, PO-2": whose request it is; null: nothing is known. */
export const requestContext = ({ customer, refNumbers }: Retried): string | null =>
  cargoContext({
    customerName: customer?.companyName ?? null,
    refNumbers,
    portOfLadingName: null,
    portOfDischargeName: null,
    destinationName: null,
  });
