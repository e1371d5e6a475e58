import { createHmac } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { findRedisProgram } from "@svc/local-stores";
import { createDeliveryLog } from "@svc/persistence/notifications";
import { createWebhookRepository } from "@svc/persistence/webhooks";
import { type Delivery, eventually } from "@svc/testkit";
import { type DeliveryHarness, firstSecret, startDeliveryHarness } from "./delivery-harness.ts";

/** These faults concern the queue on Redis; on a machine without Redis they are skipped, and the runner reports it. */
const withRedis = findRedisProgram() ? describe : describe.skip;

/** Maximum number of deliveries in flight to one endpoint: two claims. */
const inFlightMax = 50;

let harness: DeliveryHarness;

afterEach(() => harness.close());

const allDelivered = () =>
  eventually("all are delivered", async () => (await harness.undelivered()).length === 0, 90_000);
const receivedAtLeast = (count: number) =>
  eventually(`${count} deliveries`, () => harness.sink.deliveries.length >= count, 90_000);

withRedis("recovery of notifications and change of secrets", () => {
  test("loses no recovered notification when the worker is killed half-way, and delivers new ones first", async () => {
    harness = await startDeliveryHarness(4);
    const ids = await harness.notify(500);
    await harness.fixture.pool.query(
      "UPDATE webhook_deliveries SET delivery_status = 'failed', attempt_count = 13, next_attempt_at = NULL",
    );
    harness.sink.respondWith({ status: 200, afterMs: 10 });
    const log = createDeliveryLog(harness.database.tenantSql);
    const range = { since: instant("2000-01-01T00:00:00Z"), until: null, only: "failed" } as const;
    const doomed = await harness.startWorker();
    for (const webhookId of harness.webhookIds) {
      expect(await log.recover(harness.fixture.accountId, webhookId, range)).toBe(500);
    }
    await receivedAtLeast(600);
    doomed.kill("SIGKILL");
    await doomed.exited;
    const fresh = await harness.notify(5);
    const before = harness.sink.deliveries.length;
    await harness.startWorker();
    await allDelivered();
    const received = harness.received();
    expect(new Set(received.keys())).toEqual(new Set([...ids, ...fresh]));
    for (const count of received.values()) expect(count).toBeLessThanOrEqual(2);
    // The claims of the killed worker are delivered first, then the new notifications and those in flight with them.
    const orders = Map.groupBy(harness.sink.deliveries.slice(before), ({ path }) => path);
    expect(orders.size).toBe(harness.webhookIds.length);
    for (const deliveries of orders.values()) {
      const order = deliveries.map(({ headers }) => String(headers["webhook-id"]));
      expect(Math.max(...fresh.map((id) => order.indexOf(id)))).toBeLessThan(2 * inFlightMax + fresh.length);
    }
    const { rows } = await harness.fixture.pool.query(
      "SELECT min(attempt_number) AS first, count(*)::int AS attempts FROM webhook_attempts WHERE notification_id = ANY($1)",
      [ids],
    );
    expect(rows[0].first).toBe(14);
    expect(rows[0].attempts).toBeGreaterThanOrEqual(ids.length);
  }, 240_000);

  test("signs each delivery with every secret of the last day while secrets are rotated under load", async () => {
    harness = await startDeliveryHarness(1);
    harness.sink.respondWith({ status: 200, afterMs: 5 });
    await harness.startWorker();
    const webhooks = createWebhookRepository(harness.database.tenantSql, harness.box);
    const [webhookId = ""] = harness.webhookIds;
    const secrets = [firstSecret];
    const isSignedWith = ({ headers, body }: Delivery, secret: string): boolean =>
      String(headers["x-svc-webhook-signature"])
        .split(",")
        .includes(createHmac("sha256", secret).update(body).digest("hex"));
    for (let round = 1; round <= 3; round += 1) {
      const before = harness.sink.deliveries.length;
      await harness.notify(60);
      await receivedAtLeast(before + 20);
      const secret = `whsec_${Buffer.from(`round ${round}`).toString("base64")}`;
      const options = { now: instant(Date.now()), ifVersions: null };
      expect(await webhooks.rotateSecret(harness.fixture.accountId, webhookId, secret, options)).not.toBeNull();
      secrets.push(secret);
      await allDelivered();
      const settled = harness.sink.deliveries.length;
      await harness.notify(1);
      await receivedAtLeast(settled + 1);
      const latest = harness.sink.deliveries.at(-1) as Delivery;
      expect(secrets.filter((one) => !isSignedWith(latest, one))).toEqual([]);
    }
    expect(harness.sink.deliveries.filter((delivery) => !isSignedWith(delivery, firstSecret))).toEqual([]);
    expect(harness.sink.deliveries).toHaveLength(183);
  }, 240_000);
});
