import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";
import { startTcpSwitch, type TcpSwitch, throughSwitch } from "./tcp-switch.ts";

/** Maximum time from the return of the network to full recovery. */
const recoveryMs = 30_000;
const outageMs = 12_000;
const testTimeoutMs = 150_000;

/** They wait most of the time, so they wait together. */
const concurrently = test.concurrent;
const withRedis = findRedisProgram() ? concurrently : test.skip;

/** Runs a scenario with stores of its own and a switch in front of one of them. */
async function withLink(
  urlOf: (harness: DeliveryHarness) => string,
  scenario: (harness: DeliveryHarness, link: TcpSwitch, url: string) => Promise<void>,
): Promise<void> {
  const rig = await startDeliveryHarness(5);
  const url = urlOf(rig);
  const link = await startTcpSwitch(Number(new URL(url).port));
  try {
    await scenario(rig, link, throughSwitch(url, link));
  } finally {
    await rig.close();
    await link.close();
  }
}

const allDelivered = (harness: DeliveryHarness) =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, recoveryMs);
const queueInUse = async (worker: ServiceProcess): Promise<boolean> =>
  /^svc_webhook_queue_in_use\S* 1$/m.test(await (await fetch(`${worker.url}/metrics`)).text());

describe("a host that vanishes without closing its connections", () => {
  concurrently(
    "PostgreSQL: recovers within 30 s of its return without a restart, and loses no delivery",
    () =>
      withLink(
        ({ database }) => String(database.pool.options.connectionString),
        async (harness, link, url) => {
          const worker = await harness.startWorker({ DATABASE_URL: url });
          harness.sink.respondWith({ status: 200, afterMs: 50 });
          const ids = await harness.notify(20);
          await eventually("deliveries are in flight", () => harness.sink.deliveries.length > 10);
          link.freeze();
          ids.push(...(await harness.notify(20)));
          await sleep(outageMs);
          link.thaw();
          await allDelivered(harness);
          expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
          expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
          expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
        },
      ),
    testTimeoutMs,
  );

  withRedis(
    "Redis: continues without it, and uses it again within 30 s of its return",
    () =>
      withLink(
        ({ redis }) => redis.url,
        async (harness, link, url) => {
          const worker = await harness.startWorker({ SVC_QUEUE_URL: url });
          const ids = await harness.notify(10);
          await allDelivered(harness);
          link.freeze();
          ids.push(...(await harness.notify(10)));
          await allDelivered(harness);
          await sleep(outageMs);
          link.thaw();
          await eventually("the queue is used again", () => queueInUse(worker), recoveryMs);
          ids.push(...(await harness.notify(10)));
          await allDelivered(harness);
          expect(ids.filter((id) => !harness.received().has(id))).toEqual([]);
        },
      ),
    testTimeoutMs,
  );
});
