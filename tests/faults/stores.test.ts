import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram, freePort, postgresDataDir, startPostgres, startRedis } from "@svc/local-stores";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { Redis } from "ioredis";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";
import { startTcpSwitch } from "./tcp-switch.ts";

/** Some faults concern the queue on Redis; on a machine without Redis they are skipped, and the runner reports it. */
const withRedis = findRedisProgram() ? describe : describe.skip;

let harness: DeliveryHarness;

const allDelivered = () =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, 90_000);
const receivedAtLeast = (count: number) =>
  eventually(`${count} deliveries`, () => harness.sink.deliveries.length >= count, 90_000);
const usesQueue = async (worker: ServiceProcess, value: 0 | 1) =>
  eventually(`the queue is ${value === 1 ? "used" : "not used"}`, async () => {
    const metrics = await (await fetch(`${worker.url}/metrics`)).text();
    return new RegExp(`^svc_webhook_queue_in_use\\S* ${value}$`, "m").test(metrics);
  });

describe("an unavailable database", () => {
  test("recovers without a restart or a loss after the database stopped and crashed under load [spec: G19, P21]", async () => {
    const dataDir = path.join(fs.mkdtempSync(path.join(os.tmpdir(), "svc-down-")), "data");
    const port = await freePort();
    let postgres = await startPostgres({ dataDir, port, durable: true });
    harness = await startDeliveryHarness(5, postgres.url);
    const [worker, api] = await Promise.all([harness.startWorker(), harness.startApi()]);
    harness.sink.respondWith({ status: 200, afterMs: 100 });
    const ids: string[] = [];
    const inFlightMax = 5 * 50;
    for (const signal of ["SIGINT", "SIGQUIT"] as const) {
      const before = harness.sink.deliveries.length;
      ids.push(...(await harness.notify(60)));
      await receivedAtLeast(before + 30);
      process.kill(postgres.pid, signal);
      await postgres.exited;
      expect((await api.send("GET", "/webhooks")).status).toBe(503);
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      postgres = await startPostgres({ dataDir, port, durable: true });
      await eventually("the API responds again", async () => (await api.send("GET", "/webhooks")).status === 200);
      await allDelivered();
    }
    expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
    // The worker kept running and renews its leases before expired ones are reclaimed, so repeats occur only when it is
    // late.
    expect(harness.sink.deliveries.length).toBeLessThanOrEqual(ids.length + inFlightMax);
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
    await harness.close();
    await postgres.stop();
    fs.rmSync(path.dirname(postgresDataDir(dataDir)), { recursive: true, force: true });
  }, 240_000);
});

withRedis("a queue store with faults", () => {
  afterEach(() => harness.close());

  test("bypasses a Redis that is out of memory (noeviction), and loses and repeats no delivery", async () => {
    harness = await startDeliveryHarness(5);
    const worker = await harness.startWorker();
    const admin = new Redis(harness.redis.url);
    const ids = await harness.notify(10);
    await allDelivered();
    await admin.config("SET", "maxmemory", "1");
    ids.push(...(await harness.notify(40)));
    await allDelivered();
    await admin.config("SET", "maxmemory", "0");
    admin.disconnect();
    await usesQueue(worker, 1);
    ids.push(...(await harness.notify(10)));
    await allDelivered();
    expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
    expect(harness.sink.deliveries).toHaveLength(ids.length);
  }, 240_000);

  test("delivers a job that Redis rejects among many, and repeats none", async () => {
    harness = await startDeliveryHarness(8);
    const worker = await harness.startWorker();
    const admin = new Redis(harness.redis.url);
    const ids = await harness.notify(1);
    await allDelivered();
    const counters = await admin.keys("*:id");
    expect(counters.length).toBeGreaterThan(0);
    for (const counter of counters) {
      // A value of another type at the key of the third next job makes the script fail for that job only.
      const third = Number(await admin.get(counter)) + 3;
      await admin.set(`${counter.slice(0, -":id".length)}:${third}`, "in the way");
    }
    await harness.fixture.pool.query("UPDATE webhooks SET active = false");
    ids.push(...(await harness.notify(5)));
    await harness.fixture.pool.query("UPDATE webhooks SET active = true");
    await harness.fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
    await allDelivered();
    admin.disconnect();
    await usesQueue(worker, 1);
    expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
    expect(harness.sink.deliveries).toHaveLength(ids.length);
  }, 240_000);

  test.each(["an empty replica", "a replica that fell behind"])(
    "loses and repeats no delivery when Redis fails over to %s",
    async (kind) => {
      harness = await startDeliveryHarness(10);
      const way = await startTcpSwitch(harness.redis.port);
      const replica = await startRedis();
      const admin = new Redis(replica.url);
      await harness.startWorker({ SVC_QUEUE_URL: `redis://127.0.0.1:${way.port}` });
      harness.sink.respondWith({ status: 200, afterMs: 50 });
      const ids = await harness.notify(40);
      if (kind !== "an empty replica") {
        await admin.replicaof("127.0.0.1", harness.redis.port);
        await eventually("the replica has synchronised", async () =>
          (await admin.info("replication")).includes("link_status:up"),
        );
        await admin.replicaof("NO", "ONE");
      }
      await receivedAtLeast(50);
      ids.push(...(await harness.notify(40)));
      await receivedAtLeast(150);
      way.leadTo(replica.port);
      ids.push(...(await harness.notify(10)));
      await allDelivered();
      expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
      expect(harness.sink.deliveries).toHaveLength(ids.length);
      admin.disconnect();
      await way.close();
      await replica.stop();
    },
    240_000,
  );
});
