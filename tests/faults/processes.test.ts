import fs from "node:fs";
import { afterEach, describe, expect, test } from "@jest/globals";
import { findRedisProgram, signalProcess } from "@svc/local-stores";
import { addTrackedShipments, eventually, startWebhookSink } from "@svc/testkit";
import { type DeliveryHarness, startDeliveryHarness } from "./delivery-harness.ts";
import { startTcpSwitch } from "./tcp-switch.ts";

/** One fault concerns the queue on Redis; on a machine without Redis it is skipped, and the runner reports it. */
const testWithRedis = findRedisProgram() ? test : test.skip;

let harness: DeliveryHarness;

afterEach(() => harness.close());

const allDelivered = () =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, 90_000);
const receivedAtLeast = (count: number) =>
  eventually(`${count} deliveries`, () => harness.sink.deliveries.length >= count, 90_000);

describe("processes that are killed or misconfigured", () => {
  testWithRedis(
    "reclaims the deliveries of a relay that was killed between its claim and the queue",
    async () => {
      harness = await startDeliveryHarness(2);
      const way = await startTcpSwitch(harness.redis.port);
      const environment = { SVC_QUEUE_URL: `redis://127.0.0.1:${way.port}` };
      const doomed = await harness.startWorker(environment);
      await harness.notify(1);
      await allDelivered();
      const sent = way.holdUntilSent("claimId");
      const ids = await harness.notify(20);
      await sent;
      doomed.kill("SIGKILL");
      await doomed.exited;
      expect(harness.sink.deliveries).toHaveLength(2);
      way.letThrough();
      await harness.startWorker(environment);
      await allDelivered();
      for (const id of ids) expect(harness.received().get(id)).toBe(1);
      await way.close();
    },
    240_000,
  );

  test("finds committed notifications by polling when no process listens for NOTIFY", async () => {
    harness = await startDeliveryHarness(1);
    await harness.startWorker();
    const { rows } = await harness.fixture.pool.query(
      "SELECT pid FROM pg_stat_activity WHERE query = 'LISTEN svc_webhooks'",
    );
    await eventually("the listening connection is closed", async () => {
      for (const { pid } of rows) await harness.fixture.pool.query("SELECT pg_terminate_backend($1)", [pid]);
      return true;
    });
    const committedAtMs = Date.now();
    await harness.notify(1);
    await receivedAtLeast(1);
    expect((harness.sink.deliveries[0]?.receivedAtMs ?? 0) - committedAtMs).toBeLessThan(3_000);
  }, 240_000);

  test("notifies committed writes only when the API is killed while it writes", async () => {
    harness = await startDeliveryHarness(2);
    await harness.startWorker();
    for (let round = 0; round < 2; round += 1) {
      const api = await harness.startApi();
      const shipments = await addTrackedShipments(harness.fixture.pool, harness.fixture.accountId, 40);
      const before = harness.sink.deliveries.length;
      const writes = shipments.map((id) => api.send("PATCH", `/shipments/${id}/stop_tracking`).catch(() => undefined));
      await receivedAtLeast(before + 4);
      api.kill("SIGKILL");
      await Promise.all([...writes, api.exited]);
    }
    const { rows } = await harness.fixture.pool.query<{ id: string }>(
      "SELECT id FROM tracking_requests WHERE status = 'tracking_stopped'",
    );
    const notified = () =>
      harness.sink.deliveries.map(({ body }) => JSON.parse(String(body)).data.relationships.reference_object.data.id);
    await eventually("each is sent to both webhooks", () => notified().length >= 2 * rows.length);
    await allDelivered();
    expect(notified().toSorted()).toEqual(rows.flatMap(({ id }) => [id, id]).toSorted());
  }, 240_000);

  test("delivers a request with the fourth worker after three were killed while sending it", async () => {
    harness = await startDeliveryHarness(1);
    harness.sink.respondWith({ status: 200, afterMs: 60_000 });
    const [id = ""] = await harness.notify(1);
    for (let round = 1; round <= 3; round += 1) {
      const worker = await harness.startWorker();
      await receivedAtLeast(round);
      worker.kill("SIGKILL");
      await worker.exited;
    }
    harness.sink.respondWith({ status: 200 });
    await harness.startWorker();
    await allDelivered();
    expect([...harness.received()]).toEqual([[id, 4]]);
    const { rows } = await harness.fixture.pool.query("SELECT outcome FROM webhook_attempts ORDER BY attempt_number");
    expect(rows.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown", "unknown", "succeeded"]);
  }, 240_000);

  test.each([-3_600_000, 3_600_000])(
    "keeps the schedule and signs with the database's time when the worker's clock is off by %d ms",
    async (offMs) => {
      harness = await startDeliveryHarness(1);
      const shift = `const now=Date.now.bind(Date);globalThis.Date=class extends Date{constructor(...a){super(...(a.length?a:[now()+${offMs}]))}static now(){return now()+${offMs}}}`;
      await harness.startWorker({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shift)}` });
      let requests = 0;
      harness.sink.respondWith(() => ({ status: ++requests === 1 ? 500 : 200 }));
      await harness.notify(1);
      await receivedAtLeast(2);
      const [first, second] = harness.sink.deliveries;
      for (const delivery of harness.sink.deliveries) {
        const signedAtMs = Number(delivery.headers["webhook-timestamp"]) * 1000;
        expect(Math.abs(signedAtMs - delivery.receivedAtMs)).toBeLessThan(5_000);
      }
      expect((second?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0)).toBeGreaterThan(3_900);
    },
    240_000,
  );

  test("serves 400 endpoints while 100 others hang, with no more connections than deliveries", async () => {
    const [hosts, hanging, each] = [500, 100, 4];
    harness = await startDeliveryHarness(0);
    const sink = await startWebhookSink("0.0.0.0");
    const { port } = new URL(sink.url);
    for (let index = 0; index < hosts; index += 1) {
      const url = `http://127.0.${1 + (index >> 8)}.${index & 255}:${port}/${index < hanging ? "hangs" : "serves"}`;
      await harness.addWebhook(url);
    }
    const worker = await harness.startWorker();
    sink.respondWith(({ path }) => ({ status: 200, ...(path === "/hangs" ? { afterMs: 60_000 } : {}) }));
    await harness.notify(each);
    const served = () => sink.deliveries.filter(({ path }) => path === "/serves");
    await eventually("the others are served", () => served().length === (hosts - hanging) * each, 30_000);
    expect(new Set(served().map(({ headers }) => headers["webhook-id"])).size).toBe((hosts - hanging) * each);
    const openFiles = () => (fs.existsSync("/proc/self/fd") ? fs.readdirSync(`/proc/${worker.pid}/fd`).length : 0);
    // One for each delivery that was in flight, and the files that a process has open anyway.
    expect(openFiles()).toBeLessThan(hosts * each + 100);
    signalProcess(worker.pid, "SIGTERM");
    expect(await worker.exited).toMatchObject({ code: 0 });
    await sink.close();
  }, 240_000);
});
