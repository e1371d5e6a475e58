import type { IncomingMessage, ServerResponse } from "node:http";
import { Histogram, type Registry } from "prom-client";
import type { Logger } from "./logger.ts";

export interface RecordedRequest {
  readonly requestId: string;
  /** What was requested, as one of few values: a label of the metric. */
  readonly target: string;
  /** More fields of the log line. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** An unexpected error, which is logged with its text. */
  readonly error?: unknown;
}

/**
 * Measures and logs each request when its response is sent or its connection closes. `describe` is called then, because
 * much of it is known only at the end.
 */
export function createRequestRecorder(options: {
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Histogram of durations in seconds, by the target and the status. */
  readonly histogram: { readonly name: string; readonly buckets: readonly number[] };
  /** Name of the target as a label and as a log field. */
  readonly targetName: string;
}): (request: IncomingMessage, response: ServerResponse, describe: () => RecordedRequest) => void {
  const { logger, targetName } = options;
  const durations = new Histogram({
    name: options.histogram.name,
    help: "Time from the first byte of a request to the last byte of its response.",
    labelNames: [targetName, "status"],
    buckets: [...options.histogram.buckets],
    registers: [options.metrics],
  });
  // Finding the series of two labels costs more than counting in it, and there are few.
  const series = new Map<string, { observe(seconds: number): void }>();
  const observe = (target: string, status: number, seconds: number): void => {
    const key = `${target} ${status}`;
    const known = series.get(key) ?? durations.labels({ [targetName]: target, status: String(status) });
    series.set(key, known);
    known.observe(seconds);
  };
  return (request, response, describe) => {
    const startedMs = performance.now();
    response.once("close", () => {
      const durationMs = performance.now() - startedMs;
      const { requestId, target, fields, error } = describe();
      const status = response.statusCode;
      observe(target, status, durationMs / 1_000);
      const line = {
        request_id: requestId,
        method: request.method,
        [targetName]: target,
        status,
        duration_ms: Math.round(durationMs * 10) / 10,
        ...fields,
      };
      if (error === undefined) logger.info(line, "request.completed");
      else logger.error({ ...line, err: error }, "request.failed");
    });
  };
}
