import type { RawEvent } from "@svc/domain/transport-events";
import { pageSchema } from "@svc/jsonapi/documents";
import { RawEventResource, rawEventResource } from "@svc/jsonapi/transport-events";
import { defineRoute } from "../http/define-route.ts";
import { listReply } from "../http/replies.ts";
import { requireFound } from "../http/require-found.ts";

/** docs/contract/reference.md 1.3: clients of the reference contract request no page and expect the whole list. */
const completeListMax = 1_000;

export const listRawEventsRoute = defineRoute({
  method: "get",
  path: "/containers/{id}/raw_events",
  operationId: "listContainerRawEvents",
  summary: "List raw events of a container",
  description:
    "Returns planned, estimated and actual events as the data sources sent them, in chronological order of " +
    `\`index\`. Without a requested page the response has up to ${completeListMax} events; follow \`links.next\` for ` +
    "more. The location is included by default.",
  tag: "Containers",
  deprecated: {
    since: "2026-11-22",
    sunset: "2027-11-22",
    instead: "Use the transport events of the container, and its history.",
  },
  scope: "read",
  request: {
    params: { id: { of: "container", kind: "uuid", description: "The container's id." } },
    query: {
      type: "raw_event",
      defaultInclude: ["location"],
      list: { sortKeys: { index: "integer", created_at: "uuid" }, oldestFirst: true, defaultSize: completeListMax },
    },
  },
  responses: { 200: { description: "Raw events in chronological order.", schema: pageSchema(RawEventResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.rawEvents.listByIndex(caller.accountId, id, query.page);
    if (page.total === 0) requireFound("container", id, await services.containers.find(caller.accountId, id));
    return listReply<RawEvent>(exchange, {
      path: `/containers/${id}/raw_events`,
      page,
      resource: rawEventResource,
      sortValues: { index: (raw) => String(raw.index), created_at: (raw) => raw.id },
    });
  },
});
