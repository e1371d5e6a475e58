import type { Logger } from "@svc/service-kit";
import type { Request, Response } from "express";
import { Histogram, type Registry } from "prom-client";
import { requestIdOf } from "./request-id.ts";

/** The route pattern. It is logged instead of the path, which may contain secrets, such as those of invitations. */
export const routeOf = (request: Request): string =>
  typeof request.route?.path === "string" ? request.route.path : "none";

/** Logs and measures every request when its response is sent or its connection closes. Queries are not logged. */
export function createRequestRecorder(options: { readonly logger: Logger; readonly metrics: Registry }) {
  const durations = new Histogram({
    name: "svc_deeplink_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response.",
    labelNames: ["route", "status"] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [options.metrics],
  });
  return (request: Request, response: Response): void => {
    const startedMs = performance.now();
    response.once("close", () => {
      const durationMs = performance.now() - startedMs;
      const route = routeOf(request);
      const { method } = request;
      const status = response.statusCode;
      durations.observe({ route, status: String(status) }, durationMs / 1_000);
      const fields = {
        request_id: requestIdOf(response),
        method,
        route,
        status,
        duration_ms: Math.round(durationMs),
      };
      options.logger.info(fields, "request.completed");
    });
  };
}
