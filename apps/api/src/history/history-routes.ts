import type { FieldChange } from "@svc/domain/history";
import { toDomainName } from "@svc/jsonapi";
import { pageSchema } from "@svc/jsonapi/documents";
import { FieldChangeResource, fieldChangeResource } from "@svc/jsonapi/history";
import { texts } from "@svc/jsonapi/query";
import { defineRoute, type Route } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

const query = {
  type: "field_change",
  list: { sortKeys: { changed_at: "instant" } },
  parameters: { field: texts("filter[field]", "Name of the attribute.", toDomainName) },
} as const;

/** docs/contract/decisions.md 3, Field history: the same for both kinds of record that are derived. */
function historyRoute(kind: "shipment" | "container"): Route {
  const collection = kind === "shipment" ? "shipments" : "containers";
  return defineRoute({
    method: "get",
    path: `/${collection}/{id}/history`,
    operationId: kind === "shipment" ? "listShipmentHistory" : "listContainerHistory",
    summary: `List the history of a ${kind}`,
    description:
      "Lists every change with old and new value, source and time, so that the drift of an estimate can be seen.",
    tag: kind === "shipment" ? "Shipments" : "Containers",
    scope: "read",
    request: { params: { id: { of: kind, kind: "uuid", description: `The ${kind}'s id.` } }, query },
    responses: { 200: { description: "A page of changes, latest first.", schema: pageSchema(FieldChangeResource) } },
    async handle(exchange) {
      const { services, caller, params, query } = exchange;
      const { id } = params;
      const { sortBy: _sortBy, ...rest } = query.page;
      const request = { ...rest, sortBy: "valid_from" as const };
      const page = await services.history.list(caller.accountId, id, query.parameters.field, request);
      // An empty page may mean an unknown record. Only then is the record read.
      if (page.total === 0) requireFound(kind, id, await services[collection].find(caller.accountId, id));
      return listReply<FieldChange>(exchange, {
        path: `/${collection}/${id}/history`,
        page,
        resource: fieldChangeResource,
        sortValues: { changed_at: (change) => change.validFrom },
      });
    },
  });
}

export const historyRoutes = [historyRoute("shipment"), historyRoute("container")];
