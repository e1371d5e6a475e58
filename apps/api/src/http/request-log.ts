import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequestRecorder, globalTracer, type Logger, type Tracer } from "@svc/service-kit";
import type { Registry } from "prom-client";

/** Facts about one request, collected while it is served and logged when it ends. */
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
  /** Runs the work within the span of the request. */
  readonly run: <Result>(work: () => Result) => Result;
}

const clientId = /^[\w-]{8,64}$/;

/** A client's own id is kept when it is a plain word, so that both sides can find the request. */
function readRequestId(request: IncomingMessage): string {
  const clientRequestId = request.headers["x-request-id"];
  return typeof clientRequestId === "string" && clientId.test(clientRequestId) ? clientRequestId : randomUUID();
}

/** Logs, measures and traces every request once its response is sent or its client has disconnected. */
export function createApiRequestRecorder(options: { logger: Logger; metrics: Registry; tracer?: Tracer }) {
  const { logger, metrics, tracer = globalTracer } = options;
  const record = createRequestRecorder({
    logger,
    metrics,
    histogram: {
      name: "svc_api_request_duration_seconds",
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    },
    targetName: "operation",
  });
  return (request: IncomingMessage, response: ServerResponse): RequestLog => {
    const span = tracer.startSpan(request.headers.traceparent, "server");
    const log: RequestLog = {
      requestId: readRequestId(request),
      operation: null,
      accountId: null,
      tokenId: null,
      error: undefined,
      traceparent: span.traceparent,
      run: span.run,
    };
    record(request, response, () => {
      const { requestId, accountId, tokenId, error } = log;
      const operation = log.operation ?? "none";
      span.end(operation, {
        failed: response.statusCode >= 500,
        attributes: {
          "http.request.method": request.method,
          "http.response.status_code": response.statusCode,
          "svc.request_id": requestId,
          "svc.account_id": accountId,
        },
      });
      const fields = { account_id: accountId, token_id: tokenId, aborted: !response.writableFinished };
      return { requestId, target: operation, fields, error };
    });
    return log;
  };
}
