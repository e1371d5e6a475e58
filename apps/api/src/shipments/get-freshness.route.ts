import { carrierReportedAt, shipmentFreshness } from "@svc/domain/tracking";
import { documentSchema, documentSelfLink, resourceDocument } from "@svc/jsonapi/documents";
import { FreshnessResource, freshnessResource } from "@svc/jsonapi/shipments";
import { defineRoute } from "../http/define-route.ts";
import { requireFound } from "../http/require-found.ts";

export const getFreshnessRoute = defineRoute({
  method: "get",
  path: "/shipments/{id}/freshness",
  operationId: "getShipmentFreshness",
  summary: "Get the data freshness of a shipment",
  description: "Returns whether the data from the carrier is up to date or stale for the current stage of the voyage.",
  tag: "Shipments",
  scope: "read",
  request: {
    params: { id: { of: "shipment", kind: "uuid", description: "The shipment's id." } },
    query: { type: "freshness" },
  },
  responses: { 200: { description: "The freshness.", schema: documentSchema(FreshnessResource) } },
  async handle({ services, caller, params, query }) {
    const { id } = params;
    const state = requireFound("shipment", id, await services.trackedState(caller.accountId, id));
    const freshness = shipmentFreshness(state, services.clock.now());
    const resource = freshnessResource(id, freshness, { ...state, lastChangedAt: carrierReportedAt(state) });
    const links = documentSelfLink(`${services.settings.baseUrl}/shipments/${id}/freshness`, query.pairs);
    return { status: 200, document: resourceDocument(resource, null, query.fields, { links }) };
  },
});
