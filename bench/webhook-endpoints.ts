import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { type Comparison, median, type Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness, type WebhookHarness } from "./webhook-harness.ts";

const roundCount = 3;
const endpointCount = Number(process.env.BENCH_ENDPOINTS ?? 10_000);
const fewCount = 50;
/** Deliveries to each of the many endpoints; the few get as many in all. */
const deliveriesEach = 5;
const deliveryCount = endpointCount * deliveriesEach;
const bytesPerMegabyte = 1024 * 1024;

/** Each at an address of its own, so that each is an origin with connections of its own. */
async function addEndpoints(harness: WebhookHarness, count: number, network: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push(await harness.addWebhook("endpoint", `127.${network}.${index >> 8}.${index & 255}`));
  }
  return ids;
}

const openSockets = (pid: number): number =>
  fs.readdirSync(`/proc/${pid}/fd`).filter((descriptor) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`).startsWith("socket:");
    } catch {
      return false;
    }
  }).length;

const residentBytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;

async function heapBytes(worker: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${worker.url}/metrics`)).text();
  return Number(/^nodejs_heap_size_used_bytes(?:\{.*\})? (\S+)/m.exec(metrics)?.[1]);
}

interface Use {
  /** Bytes at most. */
  resident: number;
  /** Bytes at least: what stays when the garbage has just been collected. */
  heap: number;
  /** Open at most. */
  sockets: number;
}

/** Listing the sockets of a worker takes 20 ms of the processor that the receiver needs. */
const sampleEveryMs = 1_000;

/**
 * Deliveries a second of rows that are there already, until the last outcome is committed, and what the worker used
 * meanwhile.
 */
async function measure(
  harness: WebhookHarness,
  worker: ServiceProcess,
  ids: readonly string[],
): Promise<{ perSecond: number; use: Use }> {
  const { pool } = harness.fixture;
  await pool.query("UPDATE webhooks SET paused = true");
  await harness.fixture.addNotifications(ids, deliveryCount / ids.length);
  const startedMs = performance.now();
  await pool.query("UPDATE webhooks SET paused = false");
  await pool.query("SELECT pg_notify('svc_webhooks', '')");
  const use: Use = { resident: 0, heap: Number.POSITIVE_INFINITY, sockets: 0 };
  let sampledAtMs = 0;
  await eventually(
    "all are delivered",
    async () => {
      use.resident = Math.max(use.resident, residentBytes(worker.pid));
      if (performance.now() - sampledAtMs > sampleEveryMs) {
        sampledAtMs = performance.now();
        use.sockets = Math.max(use.sockets, openSockets(worker.pid));
        use.heap = Math.min(use.heap, await heapBytes(worker));
      }
      return (await harness.undelivered()) === 0;
    },
    300_000,
  );
  return { perSecond: (deliveryCount / (performance.now() - startedMs)) * 1_000, use };
}

/** Keeps nothing of what it receives, and its connections longer than a sender does. */
async function startReceiver(): Promise<{ port: number; close(): void }> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One worker process delivers to ten thousand endpoints, against the same load to fifty. */
export async function benchmarkWebhookEndpoints(stores: BenchStores): Promise<(Comparison | Rate)[]> {
  const harness = await startWebhookHarness(stores);
  const many = await addEndpoints(harness, endpointCount, 1);
  const few = await addEndpoints(harness, fewCount, 2);
  const receiver = await startReceiver();
  const ports = [`:${new URL(harness.sink.url).port}/`, `:${receiver.port}/`];
  await harness.fixture.pool.query("UPDATE webhooks SET url = replace(url, $1, $2)", ports);
  const worker = await harness.startWorker();
  await measure(harness, worker, few);
  const [withFew, withMany]: [Use[], Use[]] = [[], []];
  const rounds: Comparison["rounds"][number][] = [];
  for (let round = 0; round < roundCount; round += 1) {
    const bare = await measure(harness, worker, few);
    const ours = await measure(harness, worker, many);
    withFew.push(bare.use);
    withMany.push(ours.use);
    rounds.push({ ours: ours.perSecond, bare: bare.perSecond });
  }
  receiver.close();
  await harness.stop();
  const megabytes = (uses: readonly Use[]) => uses.map(({ resident }) => resident / bytesPerMegabyte);
  const heapOf = (uses: readonly Use[]) => median(uses.map(({ heap }) => heap));
  const note = `${deliveryCount} deliveries to ${endpointCount} endpoints, each at an address of its own`;
  return [
    {
      name: `deliveries to ${endpointCount} endpoints against ${fewCount}`,
      unit: "per second",
      rounds,
      aim: { of: "ratio", atLeast: 0.8 },
    },
    {
      name: "many endpoints: memory of the worker",
      unit: "MB",
      rates: megabytes(withMany),
      note: `${note}; with ${fewCount} endpoints ${Math.round(median(megabytes(withFew)))} MB`,
      aim: { atMost: 600 },
    },
    {
      name: "many endpoints: heap more for each",
      unit: "KB",
      rates: [Math.max(0, heapOf(withMany) - heapOf(withFew)) / endpointCount / 1024],
      note: `the least of each round, ${note}`,
      aim: { atMost: 25 },
    },
    {
      name: "many endpoints: open sockets of the worker",
      unit: "sockets",
      rates: withMany.map(({ sockets }) => sockets),
      note: `${note}; with ${fewCount} endpoints ${median(withFew.map(({ sockets }) => sockets))}`,
    },
  ];
}
