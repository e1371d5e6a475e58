import { randomBytes, randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { connectQueues, type Queues } from "@svc/queue";
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

const secretKey = randomBytes(32).toString("base64");
const slots = 4;

const stores: [string, (databaseUrl: string) => string][] = [["PostgreSQL", (databaseUrl) => databaseUrl]];
const redisUrl = testRedisUrl();
if (redisUrl) stores.push(["Redis", () => redisUrl]);

describe.each(stores)("lost jobs, with the queue on %s", (_store, queueUrl) => {
  let fixture: DeliveryFixture;
  let sink: WebhookSink;
  let worker: RunningService;
  /** Stands for the queue of another process. */
  let queues: Queues;

  beforeEach(async () => {
    const databaseUrl = await createTestDatabase();
    fixture = await createDeliveryFixture(databaseUrl);
    sink = await startWebhookSink();
    const config = loadConfig({
      PORT: "0",
      DATABASE_URL: databaseUrl,
      SVC_QUEUE_URL: queueUrl(databaseUrl),
      SVC_QUEUE_PREFIX: `test-${randomUUID()}`,
      SVC_SECRET_KEY: secretKey,
      SVC_WEBHOOK_FAST_JOBS: String(slots),
      SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    });
    worker = await startWorker(config, {
      logger: createLogger({ service: "test", level: "silent" }),
      metrics: new Registry(),
    });
    queues = connectQueues({
      url: config.SVC_QUEUE_URL,
      prefix: config.SVC_QUEUE_PREFIX,
      onError: () => undefined,
    });
  });
  afterEach(async () => {
    await worker.close();
    await queues.close();
    await sink.close();
    await fixture.close();
  });

  const addWebhook = () =>
    fixture.addWebhook({ url: `${sink.url}/hook`, sealedSecret: createSecretBox(secretKey).seal("whsec_c2VjcmV0") });

  test("delivers within 5 s a job that a killed worker had fetched and not started", async () => {
    let fetched = 0;
    let release = (): void => undefined;
    const killed = new Promise<void>((resolve) => {
      release = resolve;
    });
    // For the queue and the database this is the same as a killed process.
    const doomed = queues.consume("webhook-deliveries", slots, () => {
      fetched += 1;
      return killed;
    });
    const webhookId = await addWebhook();
    await eventually("a job is fetched", async () => {
      await fixture.addNotifications(webhookId, 1);
      return fetched > 0;
    });
    const killedAtMs = Date.now();
    await eventually("all are delivered", async () => {
      const { rows } = await fixture.pool.query("SELECT FROM webhook_deliveries");
      return rows.length === 0;
    });
    expect(Date.now() - killedAtMs).toBeLessThan(5_000);
    release();
    await doomed.close(1_000);
  });
});
