import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { createLogger, type RunningService } from "@svc/service-kit";
import {
  createDeliveryFixture,
  createTestDatabase,
  type DeliveryFixture,
  eventually,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";
import { Registry } from "prom-client";
import { loadConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const sealedSecret = createSecretBox(secretKey).seal(`whsec_${randomBytes(24).toString("base64")}`);

let databaseUrl: string;
let fixture: DeliveryFixture;
let worker: RunningService;
let sink: WebhookSink;

const start = (key: string): Promise<RunningService> => {
  const config = loadConfig({
    PORT: "0",
    DATABASE_URL: databaseUrl,
    SVC_QUEUE_URL: databaseUrl,
    SVC_QUEUE_PREFIX: `test-${randomUUID()}`,
    SVC_SECRET_KEY: key,
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
  });
  const logger = createLogger({ service: "test", level: "silent" });
  return startWorker(config, { logger, metrics: new Registry() });
};

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
  fixture = await createDeliveryFixture(databaseUrl);
  sink = await startWebhookSink();
  worker = await start(secretKey);
});
afterAll(async () => {
  await worker.close();
  await sink.close();
  await fixture.close();
});

// More webhooks than one statement visits, so that one pass takes several statements.
test("redelivers the claims of a lost worker while hundreds of webhooks are rate limited", async () => {
  const limited: string[] = [];
  for (let number = 0; number < 520; number += 1) {
    limited.push(await fixture.addWebhook({ url: sink.url, sealedSecret }));
  }
  const inAnHour = "UPDATE webhooks SET rate_limit = 1, rate_limit_tat = now() + interval '1 hour'";
  await fixture.pool.query(`${inAnHour} WHERE id = ANY($1)`, [limited]);
  await fixture.addNotifications(limited, 1);
  const webhookId = await fixture.addWebhook({ url: sink.url, sealedSecret });
  // The leases expire while the relay visits the limited webhooks, and there are more claims than one statement
  // reclaims.
  await fixture.pool.query("UPDATE webhooks SET paused = true WHERE id = $1", [webhookId]);
  const ids = await fixture.addNotifications(webhookId, 520);
  await fixture.pool.query(
    `WITH lost AS (
       INSERT INTO webhook_claims (account_id, id, webhook_id, notification_ids, lease_until)
       SELECT account_id, gen_random_uuid(), webhook_id, ARRAY[notification_id], now() + interval '1 second'
         FROM webhook_deliveries WHERE webhook_id = $1
       RETURNING id, notification_ids),
     resumed AS (UPDATE webhooks SET paused = false, concurrency = 50 WHERE id = $1)
     UPDATE webhook_deliveries d SET claim_id = lost.id FROM lost WHERE d.notification_id = ANY(lost.notification_ids)`,
    [webhookId],
  );
  await eventually("all are sent", () => sink.deliveries.length >= ids.length, 60_000);
  const sent = sink.deliveries.map(({ headers }) => String(headers["webhook-id"]));
  expect(new Set(sent)).toEqual(new Set(ids));
});

test("does not start with a key that decrypts no stored secret, and says so", async () => {
  await fixture.addWebhook({ url: sink.url, sealedSecret });
  await expect(start(randomBytes(32).toString("base64"))).rejects.toThrow("SVC_SECRET_KEY");
});
