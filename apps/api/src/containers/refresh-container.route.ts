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
    "Polls the sources of the container immediately: its shipping line, and its terminal if that is polled. Changes are notified by webhook, as after every regular poll.",
  tag: "Containers",
  scope: "write",
  action: "track",
  rateLimit: "refresh",
  plainJson: true,
  request: { params: { id: { of: "container", kind: "uuid", description: "The container's id." } }, query: {} },
  responses: {
    200: {
      description: "Message that names the sources that are polled.",
      schema: z.object({ message: z.string() }).meta({ id: "RefreshResult" }),
    },
  },
  async handle({ services, caller, params }) {
    const { id } = params;
    const refreshed = await services.transaction(caller.accountId, (sql) =>
      refreshContainer(sql, caller.accountId, id, services.clock.now()),
    );
    if (refreshed !== null) {
      const sources = refreshed.hasTerminal ? "the shipping line and the terminal" : "the shipping line";
      return { status: 200, document: { message: `Refresh requested from ${sources}.` } };
    }
    requireFound("container", id, await services.containers.find(caller.accountId, id));
    throw TrackingError.of("conflict", "Tracking of this container's shipment was stopped. Resume it first.");
  },
});
