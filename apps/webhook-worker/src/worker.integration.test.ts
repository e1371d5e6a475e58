import { createHmac, randomBytes } from "node:crypto";
import { afterAll, describe, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { createDeliveryFixture, eventually, startWebhookSink, testRedisUrl, type WebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { Registry } from "prom-client";
import { startTestWorker, testWorkerConfig } from "./testing/start-test-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const box = createSecretBox(secretKey);
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

const stores: [string, (databaseUrl: string) => string][] = [["PostgreSQL", (databaseUrl) => databaseUrl]];
const redisUrl = testRedisUrl();
if (redisUrl) stores.push(["Redis", () => redisUrl]);

interface NotificationRow {
  delivery_status: string;
  /** Null once it is delivered. */
  attempt_count: number | null;
  next_attempt_at: Date | null;
  claim_id: string | null;
}

interface AttemptRow {
  attempt_number: number;
  outcome: string;
  http_status: number | null;
  error_class: string | null;
  response_body: string | null;
  request_headers: Record<string, string>;
}

describe.each(stores)("deliveries over a queue on %s", (_store, queueUrl) => {
  const sinks: WebhookSink[] = [];
  const metrics = new Registry();
  const fixture = started(createDeliveryFixture);
  const worker = started(() => {
    const SVC_QUEUE_URL = queueUrl(fixture.databaseUrl);
    return startTestWorker(testWorkerConfig(fixture.databaseUrl, secretKey, { SVC_QUEUE_URL }), metrics);
  });
  afterAll(() => Promise.all(sinks.map((sink) => sink.close())));

  const sinkWithWebhook = async (
    options: { secret?: string; previous?: string; headers?: { name: string; value: string }[] } = {},
  ) => {
    const sink = await startWebhookSink();
    sinks.push(sink);
    const webhookId = await fixture.addWebhook({
      url: `${sink.url}/hook`,
      sealedSecret: box.seal(options.secret ?? newSecret()),
      ...(options.previous ? { previousSealedSecret: box.seal(options.previous) } : {}),
      ...(options.headers ? { sealedHeaders: box.seal(JSON.stringify(options.headers)) } : {}),
    });
    return { sink, webhookId };
  };
  const notification = async (id: string): Promise<NotificationRow> => {
    const { rows } = await fixture.pool.query(
      `SELECT COALESCE(delivery_status, 'succeeded') AS delivery_status, attempt_count, next_attempt_at, claim_id
         FROM webhook_notifications n LEFT JOIN webhook_deliveries ON notification_id = n.id WHERE n.id = $1`,
      [id],
    );
    return rows[0];
  };
  const attempts = async (id: string): Promise<AttemptRow[]> => {
    const { rows } = await fixture.pool.query(
      "SELECT * FROM webhook_attempts WHERE notification_id = $1 ORDER BY attempt_number",
      [id],
    );
    return rows;
  };
  const settled = (id: string, count = 1) =>
    eventually(`${count} attempts of ${id}`, async () => {
      const [row, log] = [await notification(id), await attempts(id)];
      return log.length >= count && row.claim_id === null && { row, log };
    });
  const makeDue = async (id: string) => {
    await fixture.setDueAt(id, "0 s");
    await fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
  };

  test("posts, signs and settles a due notification [spec: events.1, events.2, events.7, authentication.5]", async () => {
    const secret = newSecret();
    const headers = [
      { name: "X-Api-Key", value: "harbour-lamp-4711" },
      { name: "Host", value: "other.example" },
      { name: "webhook-id", value: "forged" },
      { name: "Accept-Encoding", value: "gzip" },
    ];
    const { sink, webhookId } = await sinkWithWebhook({ secret, headers });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row, log } = await settled(id);
    expect(row).toMatchObject({ delivery_status: "succeeded", next_attempt_at: null });
    expect(log).toMatchObject([{ attempt_number: 1, outcome: "succeeded", http_status: 200 }]);
    const [delivery] = sink.deliveries;
    const body = JSON.parse(String(delivery?.body));
    expect(body.data).toMatchObject({ id, type: "webhook_notification", attributes: { delivery_status: "pending" } });
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "x-api-key": "harbour-lamp-4711",
      "accept-encoding": "identity",
      "webhook-id": id,
    });
    expect(delivery?.headers.host).toBe(new URL(sink.url).host);
    const raw = delivery?.body as Buffer;
    expect(delivery?.headers["x-svc-webhook-signature"]).toBe(createHmac("sha256", secret).update(raw).digest("hex"));
    const timestamp = String(delivery?.headers["webhook-timestamp"]);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const covered = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
    expect(delivery?.headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(covered).digest("base64")}`,
    );
    expect(JSON.stringify(log[0]?.request_headers)).not.toContain("harbour-lamp");
  });

  test.each([200, 201, 202, 204])("%d is success [spec: events.3]", async (status) => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    expect((await settled(id)).row.delivery_status).toBe("succeeded");
  });

  test.each([203, 206, 301, 302, 307, 400, 401, 500])("%d is retried [spec: events.3]", async (status) => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status, headers: { location: `${sink.url}/elsewhere` } });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row, log } = await settled(id);
    expect(row.delivery_status).toBe("pending");
    expect(log).toMatchObject([{ outcome: "failed", http_status: status, error_class: "http_status" }]);
    expect(sink.deliveries.map(({ path }) => path)).toEqual(["/hook"]);
  });

  test("retries with the same id and body, and sends nothing after success [spec: events.2, events.4]", async () => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status: 500 });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row } = await settled(id);
    expect(row.next_attempt_at?.getTime()).toBeGreaterThan(Date.now());
    sink.respondWith({ status: 202 });
    await makeDue(id);
    const retried = await settled(id, 2);
    expect(retried.row.delivery_status).toBe("succeeded");
    const [first, second] = sink.deliveries;
    expect(second?.body.equals(first?.body as Buffer)).toBe(true);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  });

  test("fails the notification after the thirteenth failed attempt [spec: events.4, limits.3, states.notification_failed]", async () => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status: 500 });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    for (let attempt = 1; attempt <= 13; attempt += 1) {
      await settled(id, attempt);
      if (attempt < 13) await makeDue(id);
    }
    expect(await notification(id)).toMatchObject({ delivery_status: "failed", next_attempt_at: null });
    expect(sink.deliveries).toHaveLength(13);
  });

  test("delays the next attempt by Retry-After", async () => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status: 503, headers: { "retry-after": "7200" } });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row } = await settled(id);
    expect(row.next_attempt_at?.getTime()).toBeGreaterThan(Date.now() + 7_000_000);
  });

  test("disables the webhook on 410 and keeps its pending deliveries until it is enabled again [spec: events.5, states.deactivated, states.reactivated]", async () => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status: 410 });
    const [gone = ""] = await fixture.addNotifications(webhookId, 1);
    expect((await settled(gone)).row.delivery_status).toBe("failed");
    const { rows } = await fixture.pool.query("SELECT active, deactivated_reason FROM webhooks WHERE id = $1", [
      webhookId,
    ]);
    expect(rows).toEqual([{ active: false, deactivated_reason: "gone" }]);
    sink.respondWith({ status: 200 });
    const [retained = ""] = await fixture.addNotifications(webhookId, 1);
    await eventually("a round of the relay passed", async () => {
      const [other = ""] = await fixture.addNotifications((await sinkWithWebhook()).webhookId, 1);
      return (await settled(other)).row;
    });
    expect(await notification(retained)).toMatchObject({ delivery_status: "pending", attempt_count: 0 });
    await fixture.updateWebhook(webhookId, { active: true, consecutiveFailures: 0, failingSince: null });
    await fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
    expect((await settled(retained)).row.delivery_status).toBe("succeeded");
  });

  test("disables the webhook after twenty failures over 72 h without a success [spec: events.5, states.deactivated]", async () => {
    const { sink, webhookId } = await sinkWithWebhook();
    sink.respondWith({ status: 500 });
    await fixture.updateWebhook(webhookId, { consecutiveFailures: 19, failingSince: "-73 hours" });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    expect((await settled(id)).row.delivery_status).toBe("pending");
    const { rows } = await fixture.pool.query("SELECT active, deactivated_reason FROM webhooks WHERE id = $1", [
      webhookId,
    ]);
    expect(rows).toEqual([{ active: false, deactivated_reason: "failing" }]);
  });

  test("signs with the old and the new secret after a rotation", async () => {
    const [secret, previous] = [newSecret(), newSecret()];
    const { sink, webhookId } = await sinkWithWebhook({ secret, previous });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    await settled(id);
    const [delivery] = sink.deliveries;
    const mac = (key: string) =>
      createHmac("sha256", key)
        .update(delivery?.body as Buffer)
        .digest("hex");
    expect(delivery?.headers["x-svc-webhook-signature"]).toBe(`${mac(secret)},${mac(previous)}`);
    expect(String(delivery?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  });

  test("does not let a hanging endpoint delay others, and sends it few requests", async () => {
    const hanging = await sinkWithWebhook();
    hanging.sink.respondWith({ status: 200, afterMs: 60_000 });
    await fixture.addNotifications(hanging.webhookId, 100);
    await eventually("the hanging endpoint receives a request", () => hanging.sink.deliveries.length > 0);
    const healthy = await Promise.all(Array.from({ length: 5 }, () => sinkWithWebhook()));
    const ids = (await Promise.all(healthy.map(({ webhookId }) => fixture.addNotifications(webhookId, 60)))).flat();
    await eventually("all healthy deliveries", () => healthy.every(({ sink }) => sink.deliveries.length === 60));
    for (const { sink } of healthy) {
      const receivedIds = sink.deliveries.map(({ headers }) => headers["webhook-id"]);
      expect(new Set(receivedIds).size).toBe(60);
      expect(receivedIds.every((id) => ids.includes(String(id)))).toBe(true);
    }
    expect(hanging.sink.deliveries.length).toBeLessThanOrEqual(25);
  });

  test("does not connect to a forbidden address, and logs the reason", async () => {
    const webhookId = await fixture.addWebhook({ url: "http://10.0.0.1/hook", sealedSecret: box.seal(newSecret()) });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row, log } = await settled(id);
    expect(row.delivery_status).toBe("pending");
    expect(log).toMatchObject([{ outcome: "failed", http_status: null, error_class: "blocked_address" }]);
  });

  test("records a failed attempt when a secret cannot be decrypted", async () => {
    const webhookId = await fixture.addWebhook({ url: "http://127.0.0.1:9/", sealedSecret: randomBytes(60) });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    expect((await settled(id)).log).toMatchObject([{ outcome: "failed", error_class: "not_signed" }]);
  });

  test("records a failed attempt and sends nothing when the headers cannot be decrypted", async () => {
    const sink = await startWebhookSink();
    sinks.push(sink);
    const sealed = { sealedSecret: box.seal(newSecret()), sealedHeaders: randomBytes(60) };
    const webhookId = await fixture.addWebhook({ url: sink.url, ...sealed });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    expect((await settled(id)).log).toMatchObject([{ outcome: "failed", error_class: "not_signed" }]);
    expect(sink.deliveries).toEqual([]);
  });

  test("sends headers that an earlier version stored unencrypted", async () => {
    const sink = await startWebhookSink();
    sinks.push(sink);
    const headers = [{ name: "Authorization", value: "Bearer of-before" }];
    const webhookId = await fixture.addWebhook({ url: sink.url, sealedSecret: box.seal(newSecret()), headers });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    await settled(id);
    expect(sink.deliveries[0]?.headers.authorization).toBe("Bearer of-before");
  });

  test("retries a delivery whose outcome the database rejects, and settles the others of its claim", async () => {
    await fixture.pool.query(
      "ALTER TABLE webhook_attempts ADD CONSTRAINT refused CHECK (response_body IS DISTINCT FROM 'not to be stored')",
    );
    const { sink, webhookId } = await sinkWithWebhook();
    let first = true;
    sink.respondWith(() => {
      const body = first ? "not to be stored" : "fine";
      first = false;
      return { status: 200, body };
    });
    const ids = await fixture.addNotifications(webhookId, 3);
    const logs = await Promise.all(ids.map((id) => settled(id).then(() => attempts(id))));
    await eventually("all are received", async () => {
      const rows = await Promise.all(ids.map(notification));
      return rows.every((row) => row.delivery_status === "succeeded");
    });
    expect(sink.deliveries).toHaveLength(4);
    expect(logs.flat().filter(({ outcome }) => outcome === "unknown")).toHaveLength(1);
    await fixture.pool.query("ALTER TABLE webhook_attempts DROP CONSTRAINT refused");
  });

  test("reports attempts, backlog and queue as metrics, and is ready", async () => {
    const text = await metrics.metrics();
    expect(text).toMatch(
      /svc_webhook_attempts_total\{outcome="succeeded",error_class="none",endpoint_class="healthy"\} [1-9]/,
    );
    expect(text).toMatch(/svc_webhook_attempt_duration_seconds_count\{outcome="succeeded"\} [1-9]/);
    expect(text).toMatch(/svc_webhook_first_attempt_delay_seconds_count [1-9]/);
    expect(text).toMatch(/svc_webhook_pending [1-9]/);
    expect(text).toMatch(/svc_webhook_queue_depth\{queue="webhook-deliveries"\} \d/);
    expect(text).toMatch(/svc_webhook_queue_in_use 1/);
    await Promise.all(Object.values(worker.checks).map((check) => check()));
  });
});
