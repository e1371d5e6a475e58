import type { Provenance } from "@svc/domain/history";
import { pageSchema } from "@svc/jsonapi/documents";
import { ProvenanceResource, provenanceResource } from "@svc/jsonapi/history";
import { timestamp } from "@svc/jsonapi/query";
import { defineRoute, type Route } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const query = {
  type: "provenance",
  // A record has fewer derived attributes than a page holds.
  list: { sortKeys: { since: "instant" }, defaultSize: 100 },
  parameters: { asOf: timestamp("as_of", "Time at which the record is shown. Default: now.") },
} as const;

/** Defines the provenance route of shipments or of containers. */
function provenanceRoute(kind: "shipment" | "container"): Route {
  const collection = kind === "shipment" ? "shipments" : "containers";
  return defineRoute({
    method: "get",
    path: `/${collection}/{id}/provenance`,
    operationId: kind === "shipment" ? "listShipmentProvenance" : "listContainerProvenance",
    summary: `List the data sources of a ${kind}`,
    description:
      "Returns each derived attribute with its value, data source, derivation rule, stored carrier response, and the time since " +
      "when it is valid. With `as_of`, returns the values at that time.",
    tag: kind === "shipment" ? "Shipments" : "Containers",
    scope: "read",
    request: { params: { id: { of: kind, kind: "uuid", description: `The ${kind}'s id.` } }, query },
    responses: { 200: { description: "A page of attributes, newest first.", schema: pageSchema(ProvenanceResource) } },
    async handle(exchange) {
      const { services, caller, params, query } = exchange;
      const { id } = params;
      const { sortBy: _sortBy, ...rest } = query.page;
      const request = { ...rest, sortBy: "valid_from" as const };
      const page = await services.provenance.list(caller.accountId, id, query.parameters.asOf, request);
      if (page.total === 0) requireFound(kind, id, await services[collection].find(caller.accountId, id));
      return listReply<Provenance>(exchange, {
        path: `/${collection}/${id}/provenance`,
        page,
        resource: provenanceResource,
        sortValues: { since: (value) => value.validFrom },
      });
    },
  });
}

export const provenanceRoutes = [provenanceRoute("shipment"), provenanceRoute("container")];
