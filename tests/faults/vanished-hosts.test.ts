import { afterEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, type ServiceProcess } from "@svc/testkit";
import { type DeliveryRig, startDeliveryRig } from "./delivery-rig.ts";
import { startTcpSwitch, type TcpSwitch, throughSwitch } from "./tcp-switch.ts";

/** Maximum time from the return of the network to full recovery. */
const recoveryMs = 30_000;
const outageMs = 12_000;

const withRedis = findRedisProgram() ? test : test.skip;

let rig: DeliveryRig;
let link: TcpSwitch;

afterEach(async () => {
  await rig.close();
  await link.close();
});

const allDelivered = (timeoutMs: number) =>
  eventually("all are delivered", async () => (await rig.undelivered()).length === 0, timeoutMs);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const queueInUse = async (worker: ServiceProcess): Promise<boolean> =>
  /^svc_webhook_queue_in_use\S* 1$/m.test(await (await fetch(`${worker.url}/metrics`)).text());

describe("a host that vanishes without closing its connections [issue 15.25]", () => {
  test("PostgreSQL: recovers within 30 s of its return without a restart, and loses no delivery", async () => {
    rig = await startDeliveryRig(5);
    const { connectionString } = rig.database.pool.options;
    const databaseUrl = String(connectionString);
    link = await startTcpSwitch(Number(new URL(databaseUrl).port));
    const worker = await rig.startWorker({ DATABASE_URL: throughSwitch(databaseUrl, link) });
    rig.sink.answerWith({ status: 200, afterMs: 50 });
    const ids = await rig.notify(20);
    await eventually("deliveries are in flight", () => rig.sink.deliveries.length > 10);
    link.freeze();
    ids.push(...(await rig.notify(20)));
    await pause(outageMs);
    link.thaw();
    await allDelivered(recoveryMs);
    expect(ids.filter((id) => !rig.received().has(id))).toEqual([]);
    expect((await fetch(`${worker.url}/healthz`)).status).toBe(200);
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  }, 120_000);

  withRedis(
    "Redis: continues without it, and uses it again within 30 s of its return",
    async () => {
      rig = await startDeliveryRig(5);
      link = await startTcpSwitch(Number(new URL(rig.redis.url).port));
      const worker = await rig.startWorker({ SVC_QUEUE_URL: throughSwitch(rig.redis.url, link) });
      const ids = await rig.notify(10);
      await allDelivered(30_000);
      link.freeze();
      ids.push(...(await rig.notify(10)));
      await allDelivered(recoveryMs);
      await pause(outageMs);
      link.thaw();
      await eventually("the queue is used again", () => queueInUse(worker), recoveryMs);
      ids.push(...(await rig.notify(10)));
      await allDelivered(recoveryMs);
      expect(ids.filter((id) => !rig.received().has(id))).toEqual([]);
    },
    150_000,
  );
});
