import { TrackingError } from "@svc/jsonapi";
import { refreshContainer } from "@svc/persistence/shipments";
import { z } from "zod";
import { defineRoute } from "../http/define-route.ts";
import { requireFound } from "../http/require-found.ts";

/** docs/contract/reference.md 1.3. */
export const refreshContainerRoute = defineRoute({
  method: "patch",
  path: "/containers/{id}/refresh",
  operationId: "refreshContainer",
  summary: "Refresh a container",
  description:
    "Polls the sources of the container immediately. Changes are notified by webhook, as after every regular poll.",
  tag: "Containers",
  scope: "write",
  action: "track",
  rateLimit: "refresh",
  plainJson: true,
  request: { params: { id: { of: "container", kind: "uuid", description: "The container's id." } }, query: {} },
  responses: {
    200: {
      description: "Message about the requested refresh.",
      schema: z.object({ message: z.string() }).meta({ id: "RefreshResult" }),
    },
  },
  async handle({ services, caller, params }) {
    const { id } = params;
    const isRequested = await services.transaction(caller.accountId, (sql) =>
      refreshContainer(sql, caller.accountId, id, services.clock.now()),
    );
    if (isRequested) return { status: 200, document: { message: "Refresh requested from the shipping line." } };
    requireFound("container", id, await services.containers.find(caller.accountId, id));
    throw TrackingError.of("conflict", "Tracking of this container's shipment was stopped. Resume it first.");
  },
});
