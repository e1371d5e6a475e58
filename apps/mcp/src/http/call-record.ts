import type { Logger } from "@svc/service-kit";
import { Counter, Histogram, type Registry } from "prom-client";
import { listenMethod } from "../subscriptions/subscriptions.ts";
import { tools } from "../tools/catalogue.ts";
import { viewTools } from "../views/view-tools.ts";

/** Outcome of one message. It has no arguments, tokens or records of the account. */
export interface CallRecord {
  readonly requestId: string;
  readonly method: string;
  readonly tool: string | undefined;
  readonly protocolVersion: string | undefined;
  readonly httpStatus: number;
  /** `ok`, a tool's error code, or the code of a JSON-RPC error. */
  readonly outcome: string;
  readonly durationMs: number;
  readonly bytesOut: number;
}

export type RecordCall = (record: CallRecord) => void;

/** Labels come from closed sets, so that a caller cannot grow the metrics. */
const known: ReadonlySet<string> = new Set([
  "initialize",
  "server/discover",
  "ping",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
  listenMethod,
  ...[...tools, ...viewTools].map((tool) => tool.description.name),
]);

function label(name: string | undefined): string {
  if (name === undefined) return "";
  return known.has(name) ? name : "other";
}

export function createCallRecorder(logger: Logger, metrics: Registry): RecordCall {
  const registers = [metrics];
  const labelNames = ["method", "tool", "outcome"];
  const calls = new Counter({ name: "mcp_calls_total", help: "Messages handled", labelNames, registers });
  const seconds = new Histogram({
    name: "mcp_call_duration_seconds",
    help: "Time to handle a message",
    labelNames: ["method", "tool"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  // Every field of these lines is named here and none can hold a secret, so no search for one.
  const lines = logger.child({}, { redact: [] });
  return (record) => {
    const [method, tool] = [label(record.method), label(record.tool)];
    calls.inc({ method, tool, outcome: record.outcome });
    // A stream lasts as long as its client listens, which is no measure of the server.
    if (method !== listenMethod) seconds.observe({ method, tool }, record.durationMs / 1000);
    const { requestId, protocolVersion, httpStatus, outcome, durationMs, bytesOut } = record;
    const about = {
      request_id: requestId,
      method,
      tool,
      protocol_version: protocolVersion,
      status: httpStatus,
      outcome,
    };
    lines.info({ ...about, duration_ms: durationMs, bytes_out: bytesOut }, "mcp.answered");
  };
}
