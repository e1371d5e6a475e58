import { afterEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram, signalProcess, startRedis } from "@svc/local-stores";
import { eventually } from "@svc/testkit";
import { Redis } from "ioredis";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";

/** These faults concern the queue on Redis; on a machine without Redis they are skipped, and the runner reports it. */
const withRedis = findRedisProgram() ? describe : describe.skip;

/** Initial concurrency limit of an endpoint. */
const endpointStartsWith = 5;

let harness: DeliveryHarness;

afterEach(() => harness.close());

const allDelivered = (timeoutMs = 90_000) =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, timeoutMs);

const receivedAtLeast = (count: number) =>
  eventually(`${count} deliveries`, () => harness.sink.deliveries.length >= count, 90_000);

/** The attempt log must contain every request that the receiver saw. */
async function expectCompleteLog(): Promise<void> {
  const { rows } = await harness.fixture.pool.query<{ notification_id: string; attempts: number }>(
    "SELECT notification_id, count(*)::int AS attempts FROM webhook_attempts GROUP BY 1",
  );
  const logged = new Map(rows.map((row) => [row.notification_id, row.attempts]));
  for (const [id, count] of harness.received()) expect(logged.get(id) ?? 0).toBeGreaterThanOrEqual(count);
}

withRedis("deliveries under faults", () => {
  test("loses no delivery when a worker is killed with requests in flight, and retries within 5 s", async () => {
    harness = await startDeliveryHarness(4);
    const [doomed] = [await harness.startWorker()];
    harness.sink.respondWith({ status: 200, afterMs: 60_000 });
    const ids = await harness.notify(endpointStartsWith);
    await receivedAtLeast(ids.length);
    const survivor = await harness.startWorker();
    const before = harness.sink.deliveries.length;
    harness.sink.respondWith({ status: 200 });
    const killedAtMs = Date.now();
    doomed.kill("SIGKILL");
    await receivedAtLeast(before + 1);
    expect((harness.sink.deliveries[before]?.receivedAtMs ?? 0) - killedAtMs).toBeLessThanOrEqual(5_000);
    await allDelivered();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    for (const count of harness.received().values()) expect(count).toBeLessThanOrEqual(2);
    await expectCompleteLog();
    const { rows } = await harness.fixture.pool.query(
      "SELECT count(*)::int FROM webhook_attempts WHERE outcome = 'unknown'",
    );
    expect(rows).toEqual([{ count: ids.length }]);
    expect(survivor.output()).toContain('"leases.expired"');
  }, 240_000);

  test("loses no delivery when the only worker is killed repeatedly under load", async () => {
    harness = await startDeliveryHarness(10);
    harness.sink.respondWith({ status: 204, afterMs: 20 });
    const ids: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const worker = await harness.startWorker();
      const before = harness.sink.deliveries.length;
      ids.push(...(await harness.notify(40)));
      await receivedAtLeast(before + 60);
      worker.kill("SIGKILL");
      await worker.exited;
    }
    await harness.startWorker();
    await allDelivered();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    await expectCompleteLog();
  }, 240_000);

  test("loses and repeats no delivery when Redis is emptied repeatedly under load", async () => {
    harness = await startDeliveryHarness(10);
    const admin = new Redis(harness.redis.url);
    await Promise.all([harness.startWorker(), harness.startWorker()]);
    harness.sink.respondWith({ status: 200, afterMs: 10 });
    const ids: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const before = harness.sink.deliveries.length;
      ids.push(...(await harness.notify(60)));
      await receivedAtLeast(before + 50);
      await admin.flushall();
    }
    await allDelivered();
    admin.disconnect();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    expect(harness.sink.deliveries).toHaveLength(ids.length);
    await expectCompleteLog();
  }, 240_000);

  test("continues within 3 s without Redis, and uses the queue again when it is back", async () => {
    harness = await startDeliveryHarness(5);
    const worker = await harness.startWorker();
    await harness.notify(10);
    await allDelivered();
    const port = Number(new URL(harness.redis.url).port);
    await harness.redis.stop();
    const stoppedAtMs = Date.now();
    const before = harness.sink.deliveries.length;
    await harness.notify(20);
    await receivedAtLeast(before + 1);
    expect((harness.sink.deliveries[before]?.receivedAtMs ?? 0) - stoppedAtMs).toBeLessThanOrEqual(3_000);
    await allDelivered();
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(503);
    const back = await startRedis({ port });
    await eventually("the queue is used again", async () => (await fetch(`${worker.url}/readyz`)).ok);
    await eventually("the metrics show it", async () =>
      /svc_webhook_queue_in_use\S* 1/.test(await (await fetch(`${worker.url}/metrics`)).text()),
    );
    await harness.notify(20);
    await allDelivered();
    expect([...harness.received().values()].every((count) => count === 1)).toBe(true);
    await worker.stop();
    await back.stop();
  }, 240_000);

  test("delays deliveries by at most 3 s when Redis hangs, and sends none twice", async () => {
    harness = await startDeliveryHarness(5);
    const worker = await harness.startWorker();
    signalProcess(harness.redis.pid, "SIGSTOP");
    const hungAtMs = Date.now();
    const ids = await harness.notify(20);
    try {
      await receivedAtLeast(1);
      expect((harness.sink.deliveries[0]?.receivedAtMs ?? 0) - hungAtMs).toBeLessThanOrEqual(3_000);
      await allDelivered();
    } finally {
      signalProcess(harness.redis.pid, "SIGCONT");
    }
    await eventually("the queue is used again", async () => (await fetch(`${worker.url}/readyz`)).ok);
    ids.push(...(await harness.notify(20)));
    await allDelivered();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    expect(harness.sink.deliveries).toHaveLength(ids.length);
  }, 240_000);

  test("finishes deliveries in flight and releases the rest when a worker is stopped under load", async () => {
    harness = await startDeliveryHarness(10);
    harness.sink.respondWith({ status: 200, afterMs: 200 });
    const first = await harness.startWorker();
    const ids = await harness.notify(80);
    await receivedAtLeast(100);
    const next = await harness.startWorker();
    const exit = await first.stop();
    expect(exit).toMatchObject({ code: 0 });
    await allDelivered();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    expect(harness.sink.deliveries).toHaveLength(ids.length);
    expect(next.output()).not.toContain('"leases.expired"');
  }, 240_000);

  test("recovers when the database closes every connection", async () => {
    harness = await startDeliveryHarness(5);
    const worker = await harness.startWorker();
    harness.sink.respondWith({ status: 200, afterMs: 50 });
    const ids = await harness.notify(60);
    for (let round = 1; round <= 3; round += 1) {
      await receivedAtLeast(round * 40);
      await harness.fixture.pool.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'webhook-worker' AND datname = current_database()",
      );
    }
    await allDelivered();
    expect(new Set(harness.received().keys())).toEqual(new Set(ids));
    await expectCompleteLog();
    await worker.stop();
  }, 240_000);
});
