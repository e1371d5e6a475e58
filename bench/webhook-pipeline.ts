/**
 * `node bench/webhook-pipeline.ts`: our deliveries (rows due in the outbox until the last outcome is committed:
 * claimed, queued, address checked, signed, logged) against a bare BullMQ and undici loop without a database or
 * signatures. Same process, same receiver, rounds in turn. The stores come from TEST_POSTGRES_URL and TEST_REDIS_URL.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Worker as Thread } from "node:worker_threads";
import { createSecretBox } from "@svc/persistence";
import { createLogger } from "@svc/service-kit";
import { createDeliveryFixture, createTestDatabase } from "@svc/testkit";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { Registry } from "prom-client";
import { Agent, request } from "undici";
import { loadConfig } from "../apps/webhook-worker/src/config.ts";
import { startWorker } from "../apps/webhook-worker/src/start-worker.ts";
import { type Comparison, median, ratios } from "./rounds.ts";

const roundCount = 5;
const deliveriesEach = 10_000;
const webhookCount = 50;
const bareConcurrency = 100;

async function startSink(): Promise<{ url: string; stop(): Promise<unknown> }> {
  const thread = new Thread(new URL("./webhook-sink.ts", import.meta.url));
  const port = await new Promise<number>((resolve) => thread.once("message", resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => thread.terminate() };
}

/** Deliveries a second of a queue of jobs that are there already. */
async function measureBare(redisUrl: string, sinkUrl: string): Promise<number> {
  const name = `bench-${randomUUID()}`;
  const connection = new Redis(redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue(name, { connection, defaultJobOptions: { removeOnComplete: true } });
  const body = JSON.stringify({ padding: "x".repeat(1_000) });
  await queue.addBulk(Array.from({ length: deliveriesEach }, (_, index) => ({ name: "deliver", data: { index } })));
  const agent = new Agent({ connections: bareConcurrency });
  let done = 0;
  const startedMs = performance.now();
  const worker = await new Promise<Worker>((resolve) => {
    const started = new Worker(
      name,
      async () => {
        const headers = { "content-type": "application/json" };
        const response = await request(sinkUrl, { dispatcher: agent, method: "POST", headers, body });
        await response.body.dump();
        done += 1;
        if (done === deliveriesEach) resolve(started);
      },
      { connection, concurrency: bareConcurrency },
    );
  });
  const perSecond = (deliveriesEach / (performance.now() - startedMs)) * 1000;
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  await agent.close();
  connection.disconnect();
  return perSecond;
}

async function startPipeline(postgresUrl: string, redisUrl: string, sinkUrl: string) {
  process.env.TEST_POSTGRES_URL = postgresUrl;
  const databaseUrl = await createTestDatabase();
  const fixture = await createDeliveryFixture(databaseUrl);
  const secretKey = randomBytes(32).toString("base64");
  const box = createSecretBox(secretKey);
  const webhookIds: string[] = [];
  for (let index = 0; index < webhookCount; index += 1) {
    const sealedSecret = box.seal(`whsec_${randomBytes(24).toString("base64")}`);
    webhookIds.push(await fixture.addWebhook({ url: `${sinkUrl}/${index}`, sealedSecret }));
  }
  const metrics = new Registry();
  const worker = await startWorker(
    loadConfig({
      PORT: "0",
      DATABASE_URL: databaseUrl,
      SVC_QUEUE_URL: redisUrl,
      SVC_QUEUE_PREFIX: `bench-${randomUUID()}`,
      SVC_SECRET_KEY: secretKey,
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    }),
    { logger: createLogger({ service: "bench", destination: { write: () => undefined } }), metrics },
  );
  let settled = 0;
  const succeeded = async (): Promise<number> => {
    const counter = await metrics.getSingleMetric("svc_webhook_attempts_total")?.get();
    const each = counter?.values.filter(({ labels }) => labels.outcome === "succeeded") ?? [];
    // One for each class of endpoints: on a busy machine some are slow.
    return each.reduce((sum, { value }) => sum + value, 0);
  };
  return {
    /** Deliveries a second of rows that are there already, until the last outcome is committed. */
    async measure(): Promise<number> {
      await fixture.pool.query("UPDATE webhooks SET active = false");
      for (const id of webhookIds) await fixture.addNotifications(id, deliveriesEach / webhookCount);
      await fixture.pool.query("UPDATE webhooks SET active = true");
      settled += deliveriesEach;
      const startedMs = performance.now();
      await fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
      while ((await succeeded()) < settled) await new Promise((resolve) => setTimeout(resolve, 5));
      return (deliveriesEach / (performance.now() - startedMs)) * 1000;
    },
    async stop() {
      await worker.close();
      await fixture.close();
    },
  };
}

export async function benchmarkWebhooks(stores: {
  readonly postgresUrl: string;
  readonly redisUrl: string | undefined;
}): Promise<Comparison[]> {
  const { postgresUrl, redisUrl } = stores;
  if (!redisUrl) return [];
  const sink = await startSink();
  const ours = await startPipeline(postgresUrl, redisUrl, sink.url);
  const rounds: { ours: number; bare: number }[] = [];
  await measureBare(redisUrl, sink.url);
  await ours.measure();
  for (let round = 0; round < roundCount; round += 1) {
    rounds.push({ bare: await measureBare(redisUrl, sink.url), ours: await ours.measure() });
  }
  await ours.stop();
  await sink.stop();
  return [{ name: "webhook deliveries", unit: "per second", rounds }];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { TEST_POSTGRES_URL: postgresUrl, TEST_REDIS_URL: redisUrl } = process.env;
  if (!postgresUrl || !redisUrl) throw new Error("TEST_POSTGRES_URL and TEST_REDIS_URL must name the stores to use.");
  for (const comparison of await benchmarkWebhooks({ postgresUrl, redisUrl })) {
    for (const round of comparison.rounds) console.log(JSON.stringify(round));
    console.log(JSON.stringify({ name: comparison.name, medianRatio: median(ratios(comparison)) }));
  }
}
