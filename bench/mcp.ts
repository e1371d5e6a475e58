import path from "node:path";
import { containerId } from "@svc/sdk/testing";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { compareSteady } from "./compare.ts";
import { cpuMicroseconds } from "./cpu-time.ts";
import { load, loadCount } from "./load.ts";
import { pinToCpu } from "./processors.ts";
import { type Comparison, median } from "./rounds.ts";

const roundCount = 5;
const roundSeconds = 4;
const connections = 32;
/** Maximum ratio of the processor time of a call of ours to that of a call of a bare handler. */
export const processorTimeRatioMax = 2.7;
/** Path of the server as in production: compiled and bundled. */
const builtServer = "apps/mcp/dist/main.js";
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
async function checkResponse(server: ServiceProcess, message: Message): Promise<void> {
  const { method, headers } = requestsOf(message);
  const response = await fetch(`${server.url}/mcp`, { method, headers, body: message.body });
  const { result } = (await response.json()) as { result?: { structuredContent?: unknown; isError?: boolean } };
  if (!result?.structuredContent || result.isError)
    throw new Error(`${message.name} is not answered with a container.`);
}

async function measure(server: ServiceProcess, message: Message) {
  const before = cpuMicroseconds(server.pid);
  const result = await load({ url: server.url, connections, seconds: roundSeconds, ...requestsOf(message) });
  return { ...result, cpu: (cpuMicroseconds(server.pid) - before) / result.requests };
}

interface Servers {
  readonly ours: ServiceProcess;
  readonly bare: ServiceProcess;
}

/**
 * Both with the API in memory, so that only their own work counts. Both processes share one processor; the load
 * generator has the other.
 */
async function withServers<Result>(use: (servers: Servers) => Promise<Result>): Promise<Result> {
  const preload = path.join(import.meta.dirname, "mcp-memory-api.ts");
  const ours = await startServiceProcess(path.join(root, builtServer), {
    NODE_OPTIONS: `--import ${preload}`,
    NODE_ENV: "production",
    SVC_API_TOKEN: "none",
  });
  const bare = await startServiceProcess(path.join(import.meta.dirname, "bare-mcp.ts"), { NODE_ENV: "production" });
  for (const { pid } of [ours, bare]) pinToCpu(pid, 0);
  try {
    return await use({ ours, bare });
  } finally {
    await Promise.all([ours.stop(), bare.stop()]);
  }
}

/** Number of calls after which most code is compiled, and a call costs about the same from round to round. */
const warmUpCount = 2_000;

/** Both answer the message, and their code for it is compiled. */
async function warmUp({ ours, bare }: Servers, message: Message): Promise<void> {
  for (const server of [ours, bare]) {
    await checkResponse(server, message);
    await loadCount({ url: server.url, connections, ...requestsOf(message) }, warmUpCount);
  }
}

async function compareCalls(servers: Servers, message: Message) {
  const { ours, bare } = servers;
  await warmUp(servers, message);
  const rounds: Comparison["rounds"][number][] = [];
  const rates: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const [own, base] = [await measure(ours, message), await measure(bare, message)];
    const note = `${Math.round(own.requestsPerSecond)} against ${Math.round(base.requestsPerSecond)} requests/s, p99 ${own.p99Ms} ms against ${base.p99Ms} ms`;
    rates.push(own.requestsPerSecond);
    rounds.push({ ours: own.cpu, bare: base.cpu, note });
  }
  const unit = "µs of processor time a call";
  const aim = { of: "ratio", atMost: processorTimeRatioMax } as const;
  return { comparison: { name: message.name, unit, rounds, aim }, requestsPerSecond: median(rates) };
}

const countedRoundsMax = 40;
const callsPerRound = 1_000;

export interface CallCost {
  readonly name: string;
  /** Ratio of the processor time of a call of ours to that of a call of a bare handler, one for each round. */
  readonly ratios: readonly number[];
}

/**
 * Rounds of calls, the two servers in turn, until the ratio of one round is at most `processorTimeRatioMax`.
 * A round has a number of calls and not of seconds: on a busy processor, few calls fit into some seconds, and ours,
 * which has more code, would be measured while it is compiled. Other processes raise the ratio of most rounds,
 * because ours keeps more in the caches that they share. A cost that is too high exceeds the limit in every round.
 */
async function callCost(servers: Servers, message: Message): Promise<CallCost> {
  const measureRound = async ({ pid, url }: ServiceProcess) => {
    const before = cpuMicroseconds(pid);
    await loadCount({ url, connections, ...requestsOf(message) }, callsPerRound);
    return cpuMicroseconds(pid) - before;
  };
  const measureRatio = async () => (await measureRound(servers.ours)) / (await measureRound(servers.bare));
  await warmUp(servers, message);
  const ratios: number[] = [];
  while (ratios.length < countedRoundsMax && !ratios.some((ratio) => ratio <= processorTimeRatioMax)) {
    ratios.push(await measureRatio());
  }
  return { name: message.name, ratios };
}

/** Measures the processor time of a tool call of the built server, against a bare Express handler, by revision. */
export const measureCallCosts = (): Promise<CallCost[]> =>
  withServers(async (servers) => {
    const costs: CallCost[] = [];
    for (const message of messages) costs.push(await callCost(servers, message));
    return costs;
  });

/** Processor time, and how long calls take at half of the highest rate. */
export const benchmarkMcp = (): Promise<Comparison[]> =>
  withServers(async (servers) => {
    const comparisons: Comparison[] = [];
    for (const message of messages) {
      const { comparison, requestsPerSecond } = await compareCalls(servers, message);
      const rounds = await compareSteady(servers, { ...requestsOf(message), connections, requestsPerSecond });
      const name = `${message.name}, p99 at half of the rate`;
      comparisons.push(comparison, { name, unit: "ms", rounds, aim: { atMost: 20 } });
    }
    return comparisons;
  });
