import { randomUUID } from "node:crypto";
import { eventually } from "@svc/testkit";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Agent, request } from "undici";
import { atRate, percentile, spreadOf } from "./percentile.ts";
import type { Comparison } from "./rounds.ts";
import { type BenchStores, startWebhookHarness, type WebhookHarness } from "./webhook-harness.ts";

const roundCount = 5;
const perSecond = 200;
const seconds = 5;
const webhookCount = 50;

/** Milliseconds from each write to its request at the receiver, which is in this process. */
async function measureService(harness: WebhookHarness, webhookIds: readonly string[]): Promise<number[]> {
  const before = harness.sink.deliveries.length;
  await atRate(perSecond, seconds, (index) => harness.commitEvent(webhookIds[index % webhookIds.length] ?? ""));
  await eventually("all are received", () => harness.sink.deliveries.length - before >= perSecond * seconds, 60_000);
  // The body contains the start of the write, so the measured time includes its commit.
  return harness.sink.deliveries
    .slice(before)
    .map(({ body, receivedAtMs }) => receivedAtMs - JSON.parse(String(body)).included[0].attributes.sent);
}

/** Returns the times from `add` to the request, with only BullMQ and undici between. */
async function measureBare(redisUrl: string, harness: WebhookHarness): Promise<number[]> {
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const name = `bench-${randomUUID()}`;
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  const agent = new Agent({ connections: 100 });
  const worker = new Worker(
    name,
    async ({ data }) => {
      const body = JSON.stringify({ included: [{ attributes: data }], padding: "x".repeat(1_000) });
      await (await request(harness.sink.url, { dispatcher: agent, method: "POST", body })).body.dump();
    },
    { connection, concurrency: 100 },
  );
  await worker.waitUntilReady();
  const before = harness.sink.deliveries.length;
  await atRate(perSecond, seconds, async () => void (await queue.add("deliver", { sent: Date.now() })));
  await eventually("all are received", () => harness.sink.deliveries.length - before >= perSecond * seconds, 60_000);
  const latencies = harness.sink.deliveries
    .slice(before)
    .map(({ body, receivedAtMs }) => receivedAtMs - JSON.parse(String(body)).included[0].attributes.sent);
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  await agent.close();
  connection.disconnect();
  return latencies;
}

/**
 * Time from the start of the write to the request at the receiver, at 200 a second, p95 in milliseconds. The aim is 50.
 */
export async function benchmarkWebhookLatency(stores: BenchStores): Promise<Comparison[]> {
  if (!stores.redisUrl) return [];
  const harness = await startWebhookHarness(stores);
  const webhookIds = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) => harness.addWebhook(`${index}`)),
  );
  await harness.startWorker();
  await measureService(harness, webhookIds);
  await measureBare(stores.redisUrl, harness);
  const rounds = [];
  for (let round = 0; round < roundCount; round += 1) {
    const bare = await measureBare(stores.redisUrl, harness);
    const ours = await measureService(harness, webhookIds);
    const note = `ours ${spreadOf(ours)}; bare ${spreadOf(bare)}`;
    rounds.push({ ours: percentile(ours, 0.95), bare: percentile(bare, 0.95), note });
  }
  await harness.stop();
  return [{ name: "webhook latency p95 at 200/s: write to request", unit: "ms", rounds, aim: { atMost: 50 } }];
}
