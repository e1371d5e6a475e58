import { pageOf, RawEventResource, rawEventResource } from "@svc/jsonapi";
import type { RawEventRecord } from "@svc/persistence";
import { defineRoute } from "../http/define-route.ts";
import { found } from "../http/found.ts";
import { listReply } from "../http/replies.ts";

/** docs/contract/reference.md 1.3. */
export const listRawEvents = defineRoute({
  method: "get",
  path: "/containers/{id}/raw_events",
  operationId: "listContainerRawEvents",
  summary: "List what the sources stated about a container",
  description: "Planned, estimated and actual facts as they came, before milestones are derived from them.",
  tag: "Containers",
  deprecated: {
    since: "2026-11-22",
    sunset: "2027-11-22",
    instead: "Use the transport events of the container, and its history.",
  },
  scope: "read",
  request: {
    params: { id: { of: "container", kind: "uuid", description: "The container's id." } },
    query: { type: "raw_event", list: { sortKeys: { created_at: "uuid" } } },
  },
  responses: { 200: { description: "A page of facts, latest heard first.", schema: pageOf(RawEventResource) } },
  async handle(exchange) {
    const { services, caller, params, query } = exchange;
    const { id } = params;
    const page = await services.rawEvents.listOfContainer(caller.accountId, id, query.page);
    if (page.total === 0) found("container", id, await services.containers.find(caller.accountId, id));
    return listReply<RawEventRecord>(exchange, {
      path: `/containers/${id}/raw_events`,
      page,
      resource: (raw) => rawEventResource(raw, id),
      sortValues: { created_at: (raw) => raw.id },
    });
  },
});
