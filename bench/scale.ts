import { randomInt } from "node:crypto";
import type { ServiceProcess } from "@svc/testkit";
import { eventually } from "@svc/testkit";
import { Redis } from "ioredis";
import pg from "pg";
import { apiToken, type BenchApi, prepareApi } from "./api.ts";
import { cpuMicroseconds, familyCpuMicroseconds, parentOf, processorTicks } from "./cpu-time.ts";
import { load } from "./load.ts";
import { pinToCpu } from "./processors.ts";
import type { Reading } from "./rounds.ts";
import { type BenchStores, startWebhookHarness, type WebhookHarness } from "./webhook-harness.ts";

const processCounts = [1, 2, 4] as const;
const endpoints = 50;
const deliveries = 20_000;
const warmUp = 2_000;
const connections = 48;
const loadSeconds = 6;
/** A processor that works for this share of the time is what limits the rate. */
const saturated = 0.9;

/** Their processor time is read, that of PostgreSQL with its server processes. */
interface Stores {
  readonly postgresPid: number;
  readonly redisPid: number;
}

async function findStores(databaseUrl: string, redisUrl: string): Promise<Stores> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const postgresPid = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  const redis = new Redis(redisUrl);
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.info("server"))?.[1]);
  redis.disconnect();
  for (const pid of [postgresPid, redisPid]) pinToCpu(pid, 1);
  return { postgresPid, redisPid };
}

/** A line of the table: rate, processor time of one unit in each part, and how busy each processor was. */
async function measure(
  what: string,
  services: readonly ServiceProcess[],
  { postgresPid, redisPid }: Stores,
  work: () => Promise<number>,
): Promise<string> {
  const costs = () => [
    services.reduce((sum, { pid }) => sum + cpuMicroseconds(pid), 0),
    familyCpuMicroseconds(postgresPid),
    cpuMicroseconds(redisPid),
  ];
  const [costsBefore, ticksBefore, startedMs] = [costs(), processorTicks(), performance.now()];
  const units = await work();
  const seconds = (performance.now() - startedMs) / 1_000;
  const ticks = processorTicks();
  const each = costs().map((cost, part) => Math.round((cost - (costsBefore[part] ?? 0)) / units));
  const busy = ticksBefore.map(({ all, busy: worked }, processor) => {
    const now = ticks[processor] ?? { all, busy: worked };
    return (now.busy - worked) / Math.max(1, now.all - all);
  });
  const full = busy.flatMap((share, processor) => (share < saturated ? [] : [processor === 0 ? "services" : "others"]));
  const cells = [what, services.length, Math.round(units / seconds).toLocaleString("en-US"), ...each];
  const shares = busy.map((share) => `${Math.round(share * 100)} %`);
  console.error(cells.join(" "), shares.join(" "));
  return `| ${[...cells, ...shares, full.join(" and ") || "none"].join(" | ")} |`;
}

/** Deliveries that wait, because their webhooks are inactive. */
async function addWaiting({ fixture }: WebhookHarness, webhookIds: readonly string[], count: number): Promise<void> {
  await fixture.pool.query("UPDATE webhooks SET active = false");
  await fixture.addNotifications(webhookIds, count / webhookIds.length);
}

async function measureWorkers(stores: BenchStores & { readonly redisUrl: string }): Promise<string[]> {
  const harness = await startWebhookHarness(stores);
  const parts = await findStores(harness.databaseUrl, stores.redisUrl);
  const webhookIds: string[] = [];
  for (let index = 0; index < endpoints; index++) webhookIds.push(await harness.addWebhook(`endpoint-${index}`));
  const release = async () => {
    await harness.fixture.pool.query("UPDATE webhooks SET active = true");
    await harness.fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
    await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 300_000);
  };
  const lines: string[] = [];
  for (const count of processCounts) {
    const workers = await Promise.all(Array.from({ length: count }, () => harness.startWorker()));
    await addWaiting(harness, webhookIds, warmUp);
    await release();
    await addWaiting(harness, webhookIds, deliveries);
    lines.push(
      await measure("delivery", workers, parts, async () => {
        await release();
        return deliveries;
      }),
    );
    await Promise.all(workers.map((worker) => worker.stop()));
  }
  await harness.stop();
  return lines;
}

async function measureApi(stores: BenchStores & { readonly redisUrl: string }): Promise<string[]> {
  const prepared: BenchApi = await prepareApi(stores);
  const parts = await findStores(prepared.databaseUrl, stores.redisUrl);
  const headers = { authorization: `Token ${apiToken}`, "content-type": "application/json" };
  const one = () => `/v2/shipments/${prepared.ids[randomInt(prepared.ids.length)]}`;
  let edits = 0;
  const kinds = [
    ["read of a shipment", { nextRequest: () => ({ path: one() }) }],
    ["list of 25 shipments", { nextRequest: () => ({ path: "/v2/shipments?page[size]=25" }) }],
    [
      "edit of a shipment",
      {
        method: "PATCH" as const,
        nextRequest() {
          edits += 1;
          return { path: one(), body: JSON.stringify({ data: { attributes: { ref_numbers: [`PO-${edits}`] } } }) };
        },
      },
    ],
  ] as const;
  const lines: string[] = [];
  for (const count of processCounts) {
    const services = await Promise.all(Array.from({ length: count }, () => prepared.startApi()));
    for (const [what, request] of kinds) {
      const loadOptions = { connections: connections / count, headers, ...request };
      lines.push(
        await measure(what, services, parts, async () => {
          const loads = services.map(({ url }) => load({ ...loadOptions, url, seconds: loadSeconds }));
          return (await Promise.all(loads)).reduce((sum, { requests }) => sum + requests, 0);
        }),
      );
    }
    await Promise.all(services.map((service) => service.stop()));
  }
  return lines;
}

/**
 * Measures the throughput of one, two and four processes of a kind, the processor time that a unit of their work costs
 * each part, and which processor is full. The services share one processor; PostgreSQL, Redis, receiver and load the
 * other.
 */
export async function benchmarkScale({ postgresUrl, redisUrl }: BenchStores): Promise<Reading[]> {
  if (!redisUrl) return [];
  const stores = { postgresUrl, redisUrl };
  const processors = processorTicks().map((_, processor) => `processor ${processor}`);
  const columns = ["Unit", "processes", "units/s", "µs service", "µs PostgreSQL", "µs Redis", ...processors, "full"];
  const head = [`| ${columns.join(" | ")} |`, `|${"---|".repeat(columns.length)}`];
  const lines = [...(await measureWorkers(stores)), ...(await measureApi(stores))];
  return [{ name: "Scale", lines: [...head, ...lines] }];
}
