// Runs the services on Redis with Sentinel, then on a Redis Cluster, and under load kills the master, deletes all data
// and fills the memory: `npm run prove:redis`, on any machine with redis-server or valkey-server.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findRedisProgram, freePort, startPostgres } from "@svc/local-stores";
import { connectRedis } from "@svc/redis";
import { createTestDatabase, eventually, type RedisTopology, redisTopologies } from "@svc/testkit";
import { closeOnce } from "./close-once.ts";
import { longestPauseMs } from "./longest-pause.ts";
import { report, sleep } from "./shell.ts";
import { TrackingLoad } from "./tracking-load.ts";

if (!findRedisProgram()) {
  console.error("This needs redis-server or valkey-server: apt-get install redis-server.");
  process.exit(2);
}

/** Time under load before the first fault, and after each. */
const loadMs = 12_000;
const queueKey = "{svc}";
/** Deliveries must go on without Redis within this time, whatever a failover takes. */
const resumedWithinMs = 10_000;

const seconds = (timeMs: number): string => `${(timeMs / 1_000).toFixed(1)} s`;

const usesQueue = async (load: TrackingLoad): Promise<boolean> => {
  const metrics = await (await fetch(`${load.webhookWorkerUrl}/metrics`)).text();
  return /^svc_webhook_queue_in_use\S* 1$/m.test(metrics);
};

const statusOf = async (url: string): Promise<number> => (await fetch(`${url}/readyz`)).status;

/** Reports the longest pauses of writes and deliveries since a fault. Throws if one is too long. */
function reportPauses(load: TrackingLoad, sinceMs: number): void {
  for (const [what, times] of [
    ["acknowledged writes", load.acknowledgedAtMs],
    ["deliveries", load.received.map(({ receivedAtMs }) => receivedAtMs)],
  ] as const) {
    const pauseMs = longestPauseMs([...times, Date.now()], sinceMs);
    report(`  longest time without ${what}: ${seconds(pauseMs)}`);
    if (pauseMs > resumedWithinMs) throw new Error(`No ${what} for more than ${seconds(resumedWithinMs)}.`);
  }
}

async function queueAgain(load: TrackingLoad, sinceMs: number): Promise<void> {
  await eventually("the queue is used again", () => usesQueue(load), 60_000);
  report(`  the queue is used ${seconds(Date.now() - sinceMs)} after`);
}

async function killMaster(load: TrackingLoad, topology: RedisTopology): Promise<void> {
  report("kill -9 of the master that has the queue");
  const sinceMs = Date.now();
  const restart = await topology.killMaster(queueKey);
  const client = connectRedis(topology.url, {});
  client.on("error", () => undefined);
  await eventually("another master accepts writes", () => client.set(`${queueKey}:proof`, ""), 30_000);
  client.disconnect();
  report(`  another master accepts writes after ${seconds(Date.now() - sinceMs)}`);
  await queueAgain(load, sinceMs);
  await sleep(loadMs);
  await restart();
  await topology.whole();
  reportPauses(load, sinceMs);
}

async function loseAllData(load: TrackingLoad, topology: RedisTopology): Promise<void> {
  report("FLUSHALL on every master");
  const sinceMs = Date.now();
  await topology.onMasters((master) => master.flushall());
  await sleep(loadMs);
  await queueAgain(load, Date.now());
  reportPauses(load, sinceMs);
}

async function fillMemory(load: TrackingLoad, topology: RedisTopology): Promise<void> {
  report("every master at maxmemory, with noeviction");
  const sinceMs = Date.now();
  await topology.onMasters((master) => master.config("SET", "maxmemory", "1"));
  await eventually("the worker notices", async () => !(await usesQueue(load)), 30_000);
  await sleep(loadMs);
  const [api, worker] = [await statusOf(load.apiUrl), await statusOf(load.webhookWorkerUrl)];
  report(`  /readyz: API ${api}, webhook worker ${worker}`);
  if (api !== 200 || worker !== 503) throw new Error("The readiness of the API or of the worker is wrong.");
  const freeAtMs = Date.now();
  await topology.onMasters((master) => master.config("SET", "maxmemory", "0"));
  await queueAgain(load, freeAtMs);
  await sleep(loadMs);
  reportPauses(load, sinceMs);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-prove-redis-"));
// PostgreSQL's user enters it; otherwise the data would be elsewhere (packages/local-stores) and remain.
fs.chmodSync(folder, 0o755);
const closing: (() => Promise<unknown>)[] = [];

const close = closeOnce(async () => {
  for (const end of closing.toReversed()) await end();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function prove(name: string, start: () => Promise<RedisTopology>): Promise<void> {
  const postgres = await startPostgres({ dataDir: path.join(folder, name), port: await freePort(), durable: true });
  closing.push(() => postgres.stop());
  const topology = await start();
  closing.push(() => topology.stop());
  report(`Redis with ${name} is complete`);
  const load = await TrackingLoad.start(
    { databaseUrl: await createTestDatabase(postgres.url), queueUrl: topology.url, redisUrl: topology.url },
    path.join(folder, `${name}-sandbox`),
  );
  closing.push(() => load.close());
  await eventually("the queue is used", () => usesQueue(load));
  load.write();
  await sleep(loadMs);
  report(`${load.acknowledged.length} tracking requests, ${load.received.length} deliveries`);
  await killMaster(load, topology);
  await loseAllData(load, topology);
  await fillMemory(load, topology);
  await load.stopWriting();
  for (const [response, count] of load.refused) report(`not acknowledged: ${count} × ${response}`);
  report(`${name}: ${await load.verify()}`);
  for (const end of closing.splice(0).toReversed()) await end();
}

try {
  for (const [name, start] of Object.entries(redisTopologies)) await prove(name, start);
  report("everything is proved");
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
} finally {
  await close();
}
