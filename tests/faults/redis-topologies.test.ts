import { afterEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, type RedisTopology, redisTopologies, type ServiceProcess } from "@svc/testkit";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";

/** Skipped on a machine without Redis, which the runner reports. */
const withRedis = findRedisProgram() ? describe : describe.skip;

let harness: DeliveryHarness;
let topology: RedisTopology;

const queueKey = "{svc}";
const allDelivered = () =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, 90_000);
const receivedAtLeast = (count: number) =>
  eventually(`${count} deliveries`, () => harness.sink.deliveries.length >= count, 90_000);
const readiness = async (worker: ServiceProcess) => {
  const response = await fetch(`${worker.url}/readyz`);
  const { checks } = (await response.json()) as { checks: Record<string, string> };
  return { status: response.status, checks };
};
const usesQueue = (worker: ServiceProcess, value: 0 | 1) =>
  eventually(
    `the queue is ${value === 1 ? "used" : "not used"}`,
    async () => {
      const metrics = await (await fetch(`${worker.url}/metrics`)).text();
      return new RegExp(`^svc_webhook_queue_in_use\\S* ${value}$`, "m").test(metrics);
    },
    60_000,
  );

withRedis.each(Object.entries(redisTopologies))("Redis with %s", (_name, start) => {
  afterEach(async () => {
    await harness.close();
    await topology.stop();
  });

  test("loses and repeats no delivery when a master is killed, when all data is lost, and when memory is full", async () => {
    [harness, topology] = await Promise.all([startDeliveryHarness(10), start()]);
    const worker = await harness.startWorker({ SVC_QUEUE_URL: topology.url });
    const api = await harness.startApi({ REDIS_URL: topology.url });
    await usesQueue(worker, 1);
    harness.sink.respondWith({ status: 200, afterMs: 50 });

    const ids = await harness.notify(40);
    await receivedAtLeast(50);
    const restart = await topology.killMaster(queueKey);
    ids.push(...(await harness.notify(10)));
    // Counted by the process meanwhile.
    expect((await api.send("GET", "/webhooks")).status).toBe(200);
    await allDelivered();
    await restart();
    await topology.whole();
    await usesQueue(worker, 1);

    ids.push(...(await harness.notify(20)));
    await receivedAtLeast(550);
    await topology.onMasters((master) => master.flushall());
    ids.push(...(await harness.notify(10)));
    await allDelivered();
    await usesQueue(worker, 1);

    await topology.onMasters((master) => master.config("SET", "maxmemory", "1"));
    ids.push(...(await harness.notify(20)));
    await allDelivered();
    await usesQueue(worker, 0);
    expect(await readiness(worker)).toMatchObject({ status: 503, checks: { queue: "failing", database: "ok" } });
    expect(worker.output()).toContain("OOM");
    expect((await api.send("GET", "/webhooks")).status).toBe(200);
    await topology.onMasters((master) => master.config("SET", "maxmemory", "0"));
    await usesQueue(worker, 1);
    await eventually("the worker is ready", async () => (await readiness(worker)).status === 200);
    ids.push(...(await harness.notify(5)));
    await allDelivered();

    expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
    expect(harness.sink.deliveries).toHaveLength(ids.length);
  }, 240_000);
});
