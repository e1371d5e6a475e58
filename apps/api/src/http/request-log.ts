import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Logger, passingTracer, type Tracer } from "@svc/service-kit";
import { Histogram, type Registry } from "prom-client";

/** What one request leaves in the log: filled in while it is served, written when it is over. */
export interface RequestLog {
  readonly requestId: string;
  /** The operation; null: no route. */
  operation: string | null;
  accountId: string | null;
  tokenId: string | null;
  /** An unexpected error; its text is only logged. */
  error: unknown;
  /** W3C trace context of what is done for the request; null without tracing. */
  readonly traceparent: string | null;
}

const clientId = /^[\w-]{8,64}$/;

/** A client's own id is kept when it is a plain word, so that both sides can find the request. */
function requestIdOf(request: IncomingMessage): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && clientId.test(given) ? given : randomUUID();
}

/** Logs and measures every request once its answer is sent or its client is gone. */
export function createRequestRecorder(options: { logger: Logger; metrics: Registry; tracer?: Tracer }) {
  const tracer = options.tracer ?? passingTracer;
  const durations = new Histogram({
    name: "svc_api_request_duration_seconds",
    help: "Time from the first byte of a request to the last byte of its response.",
    labelNames: ["operation", "status"] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [options.metrics],
  });
  // Finding the series of two labels costs more than counting in it, and there are few.
  const series = new Map<string, { observe(seconds: number): void }>();
  const observe = (operation: string, status: number, seconds: number): void => {
    const key = `${operation} ${status}`;
    const known = series.get(key) ?? durations.labels({ operation, status: String(status) });
    series.set(key, known);
    known.observe(seconds);
  };
  return (request: IncomingMessage, response: ServerResponse): RequestLog => {
    const span = tracer.startSpan(request.headers.traceparent, "server");
    const log: RequestLog = {
      requestId: requestIdOf(request),
      operation: null,
      accountId: null,
      tokenId: null,
      error: undefined,
      traceparent: span.traceparent,
    };
    const startedMs = performance.now();
    response.once("close", () => {
      const durationMs = performance.now() - startedMs;
      const operation = log.operation ?? "none";
      observe(operation, response.statusCode, durationMs / 1_000);
      span.end(operation, {
        failed: response.statusCode >= 500,
        attributes: {
          "http.request.method": request.method,
          "http.response.status_code": response.statusCode,
          "svc.request_id": log.requestId,
          "svc.account_id": log.accountId,
        },
      });
      const fields = {
        request_id: log.requestId,
        method: request.method,
        operation,
        status: response.statusCode,
        duration_ms: Math.round(durationMs * 10) / 10,
        account_id: log.accountId,
        token_id: log.tokenId,
        aborted: !response.writableFinished,
      };
      if (log.error === undefined) options.logger.info(fields, "request.completed");
      else options.logger.error({ ...fields, err: log.error }, "request.failed");
    });
    return log;
  };
}
