import { randomInt } from "node:crypto";
import { eventually } from "@svc/testkit";
import { Redis } from "ioredis";
import type { Rate } from "./rounds.ts";
import { type BenchStores, startWebhookHarness } from "./webhook-harness.ts";
import { losses } from "./webhook-losses.ts";

const webhookCount = 20;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Redis is emptied five times at random under 10,000 deliveries. */
export async function benchmarkWebhookFlush(stores: BenchStores): Promise<Rate[]> {
  if (!stores.redisUrl) return [];
  const [deliveries, flushes] = [10_000, 5];
  const harness = await startWebhookHarness(stores);
  harness.sink.respondWith({ status: 200, afterMs: 20 });
  const webhookIds = await Promise.all(
    Array.from({ length: webhookCount }, (_, index) => harness.addWebhook(`${index}`)),
  );
  const admin = new Redis(stores.redisUrl);
  await Promise.all([harness.startWorker(), harness.startWorker()]);
  for (const id of webhookIds) await harness.fixture.addNotifications(id, deliveries / webhookCount);
  for (let flush = 0; flush < flushes; flush += 1) {
    await pause(randomInt(100, 600));
    await admin.flushall();
  }
  const flushedAtMs = performance.now();
  const left = await harness.undelivered();
  await eventually("all are delivered", async () => (await harness.undelivered()) === 0, 120_000);
  const drainedMs = performance.now() - flushedAtMs;
  const { lost, unlogged, repeated } = await losses(harness);
  admin.disconnect();
  await harness.stop();
  const note = `${flushes} FLUSHALL under ${deliveries} deliveries, ${left} left at the last, ${repeated} received again, ${unlogged} not in the log`;
  return [
    { name: "Redis emptied: lost", unit: "notifications", rates: [lost], note, aim: { atMost: 0 } },
    { name: "Redis emptied: drained after the last", unit: "ms", rates: [drainedMs], note, aim: { atMost: 10_000 } },
  ];
}
