import { randomUUID } from "node:crypto";
import { createRequestRecorder, type Logger } from "@svc/service-kit";
import type { Request, Response } from "express";
import type { Registry } from "prom-client";

/** Assigns an id to the request, by which a response can be found in the log. */
export function setRequestId(response: Response): void {
  response.set("X-Request-Id", randomUUID());
}

export function requestIdOf(response: Response): string {
  return String(response.get("X-Request-Id"));
}

/** The route pattern. It is logged instead of the path, which may contain secrets, such as those of invitations. */
export const routeOf = (request: Request): string =>
  typeof request.route?.path === "string" ? request.route.path : "none";

/** Logs and measures every request when its response is sent or its connection closes. Queries are not logged. */
export function createPageRecorder({ logger, metrics }: { readonly logger: Logger; readonly metrics: Registry }) {
  const record = createRequestRecorder({
    logger,
    metrics,
    histogram: {
      name: "svc_deeplink_request_duration_seconds",
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    },
    targetName: "route",
  });
  return (request: Request, response: Response): void =>
    record(request, response, () => ({ requestId: requestIdOf(response), target: routeOf(request) }));
}
