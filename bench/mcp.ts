import path from "node:path";
import { containerId } from "@svc/sdk/testing";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { compareSteady } from "./compare.ts";
import { cpuMicroseconds } from "./cpu-time.ts";
import { load } from "./load.ts";
import { pinToCpu } from "./processors.ts";
import { type Comparison, median } from "./rounds.ts";

const roundCount = 5;
const roundSeconds = 4;
const connections = 32;
const root = path.resolve(import.meta.dirname, "..");

interface Message {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const call = { name: "get_container", arguments: { id: containerId } };
const stateless = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};
const messages: readonly Message[] = [
  {
    name: "MCP tools/call, 2025-11-25",
    headers: { "mcp-protocol-version": "2025-11-25" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call }),
  },
  {
    name: "MCP tools/call, 2026-07-28",
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": call.name },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...call, _meta: stateless } }),
  },
];

const requestsOf = ({ headers, body }: Message) => ({
  method: "POST" as const,
  headers: {
    authorization: "Bearer svc_live_benchmark",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...headers,
  },
  nextRequest: () => ({ path: "/mcp", body }),
});

/** Throws when a call fails: the processor time of errors says nothing about calls. */
async function checkAnswer(server: ServiceProcess, message: Message): Promise<void> {
  const { method, headers } = requestsOf(message);
  const answer = await fetch(`${server.url}/mcp`, { method, headers, body: message.body });
  const { result } = (await answer.json()) as { result?: { structuredContent?: unknown; isError?: boolean } };
  if (!result?.structuredContent || result.isError)
    throw new Error(`${message.name} is not answered with a container.`);
}

async function measure(server: ServiceProcess, message: Message) {
  const before = cpuMicroseconds(server.pid);
  const result = await load({ url: server.url, connections, seconds: roundSeconds, ...requestsOf(message) });
  return { ...result, cpu: (cpuMicroseconds(server.pid) - before) / result.requests };
}

/**
 * What a tool call costs the server in processor time, against a bare Express handler: both with the API in memory, so
 * that only their own work counts. Both server processes share one processor; the load generator has the other.
 */
export async function benchmarkMcp(): Promise<Comparison[]> {
  const preload = path.join(import.meta.dirname, "mcp-memory-api.ts");
  const ours = await startServiceProcess(path.join(root, "apps/mcp/dist/main.js"), {
    NODE_OPTIONS: `--import ${preload}`,
    NODE_ENV: "production",
    SVC_API_TOKEN: "none",
  });
  const bare = await startServiceProcess(path.join(import.meta.dirname, "bare-mcp.ts"), { NODE_ENV: "production" });
  for (const { pid } of [ours, bare]) pinToCpu(pid, 0);
  try {
    const comparisons: Comparison[] = [];
    for (const message of messages) {
      for (const server of [ours, bare]) await checkAnswer(server, message);
      const rounds: Comparison["rounds"][number][] = [];
      const rates: number[] = [];
      for (let round = 0; round < roundCount; round++) {
        const [own, base] = [await measure(ours, message), await measure(bare, message)];
        const note = `${Math.round(own.requestsPerSecond)} against ${Math.round(base.requestsPerSecond)} requests/s, p99 ${own.p99Ms} ms against ${base.p99Ms} ms`;
        rates.push(own.requestsPerSecond);
        rounds.push({ ours: own.cpu, bare: base.cpu, note });
      }
      const requestsPerSecond = median(rates);
      const steady = await compareSteady({ ours, bare }, { ...requestsOf(message), connections, requestsPerSecond });
      comparisons.push(
        { name: message.name, unit: "µs of processor time a call", rounds, aim: { of: "ratio", atMost: 2.7 } },
        { name: `${message.name}, p99 at half of the rate`, unit: "ms", rounds: steady, aim: { atMost: 20 } },
      );
    }
    return comparisons;
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}
