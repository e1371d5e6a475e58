import { addMs, dayMs } from "@svc/domain";
import type { AccountChange } from "@svc/domain/history";
import { toDomainName } from "@svc/jsonapi";
import { pageSchema } from "@svc/jsonapi/documents";
import { AccountChangeResource, accountChangeResource } from "@svc/jsonapi/history";
import { ids, texts, timestamp } from "@svc/jsonapi/query";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";

/** docs/contract/decisions.md 3, Field history: over all records of the account. */
export const listChangesRoute = defineRoute({
  method: "get",
  path: "/changes",
  operationId: "listChanges",
  summary: "List changes of the account",
  description: "Lists changed attributes of shipments and containers with old and new value, source and time.",
  tag: "Overviews",
  scope: "read",
  request: {
    query: {
      type: "account_change",
      list: { sortKeys: { changed_at: "instant" } },
      parameters: {
        since: timestamp("filter[since]", "Changed at or after this. Default: 24 hours ago."),
        field: texts("filter[field]", "Name of the attribute.", toDomainName),
        shipment: ids("filter[shipment]", "Id of the shipment: its own changes and those of its containers."),
      },
    } as const,
  },
  responses: { 200: { description: "A page of changes, latest first.", schema: pageSchema(AccountChangeResource) } },
  async handle(exchange) {
    const { services, caller, query } = exchange;
    const { since = addMs(services.clock.now(), -dayMs), field, shipment } = query.parameters;
    const { sortBy: _sortBy, ...rest } = query.page;
    const request = { ...rest, sortBy: "valid_from" as const };
    return listReply<AccountChange>(exchange, {
      path: "/changes",
      page: await services.accountChanges(caller.accountId, { since, field, shipment }, request),
      resource: accountChangeResource,
      sortValues: { changed_at: (change) => change.validFrom },
    });
  },
});
