import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { createLogger, type RunningService } from "@svc/service-kit";
import {
  createDeliveryFixture,
  createTestDatabase,
  type DeliveryFixture,
  eventually,
  startWebhookSink,
  testRedisUrl,
  type WebhookSink,
} from "@svc/testkit";
import { Registry } from "prom-client";
import { loadConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

const migrations = fileURLToPath(new URL("../../../packages/persistence/prisma/migrations", import.meta.url));
const secretKey = randomBytes(32).toString("base64");
const box = createSecretBox(secretKey);
const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;

const stores: [string, (databaseUrl: string) => string][] = [["PostgreSQL", (databaseUrl) => databaseUrl]];
const redisUrl = testRedisUrl();
if (redisUrl) stores.push(["Redis", () => redisUrl]);

interface NotificationRow {
  delivery_status: string;
  attempt_count: number;
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
  let fixture: DeliveryFixture;
  let worker: RunningService;
  const sinks: WebhookSink[] = [];
  const metrics = new Registry();

  beforeAll(async () => {
    const databaseUrl = await createTestDatabase(migrations);
    fixture = await createDeliveryFixture(databaseUrl);
    const config = loadConfig({
      PORT: "0",
      DATABASE_URL: databaseUrl,
      SVC_QUEUE_URL: queueUrl(databaseUrl),
      SVC_QUEUE_PREFIX: `test-${randomUUID()}`,
      SVC_SECRET_KEY: secretKey,
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    });
    worker = await startWorker(config, { logger: createLogger({ service: "test", level: "silent" }), metrics });
  });
  afterAll(async () => {
    await worker.close();
    await fixture.close();
    await Promise.all(sinks.map((sink) => sink.close()));
  });

  const sinkWithWebhook = async (
    options: { secret?: string; previous?: string; headers?: { name: string; value: string }[] } = {},
  ) => {
    const sink = await startWebhookSink();
    sinks.push(sink);
    const webhookId = await fixture.addWebhook({
      url: `${sink.url}/hook`,
      sealedSecret: box.seal(options.secret ?? newSecret()),
      ...(options.previous ? { previousSealedSecret: box.seal(options.previous) } : {}),
      ...(options.headers ? { headers: options.headers } : {}),
    });
    return { sink, webhookId };
  };
  const notification = async (id: string): Promise<NotificationRow> => {
    const { rows } = await fixture.pool.query("SELECT * FROM webhook_notifications WHERE id = $1", [id]);
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
    await fixture.pool.query("UPDATE webhook_notifications SET next_attempt_at = now() WHERE id = $1", [id]);
    await fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
  };

  test("a due notification is posted, signed, and settled (spec: Events 1, 2; Authentication 5)", async () => {
    const secret = newSecret();
    const { sink, webhookId } = await sinkWithWebhook({ secret, headers: [{ name: "X-Api-Key", value: "abc" }] });
    const [id = ""] = await fixture.addNotifications(webhookId, 1);
    const { row, log } = await settled(id);
    expect(row).toMatchObject({ delivery_status: "succeeded", attempt_count: 1, next_attempt_at: null });
    expect(log).toMatchObject([{ attempt_number: 1, outcome: "succeeded", http_status: 200 }]);
    const [delivery] = sink.deliveries;
    const body = JSON.parse(String(delivery?.body));
    expect(body.data).toMatchObject({ id, type: "webhook_notification", attributes: { delivery_status: "pending" } });
    expect(delivery?.headers).toMatchObject({
      "content-type": "application/json",
      "x-api-key": "abc",
      "webhook-id": id,
    });
    const raw = delivery?.body as Buffer;
    expect(delivery?.headers["x-svc-webhook-signature"]).toBe(createHmac("sha256", secret).update(raw).digest("hex"));
    const timestamp = String(delivery?.headers["webhook-timestamp"]);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const covered = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), raw]);
    expect(delivery?.headers["webhook-signature"]).toBe(
      `v1,${createHmac("sha256", key).update(covered).digest("base64")}`,
    );
    expect(JSON.stringify(log[0]?.request_headers)).not.toContain("abc");
  });
});
