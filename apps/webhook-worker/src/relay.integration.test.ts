import { randomBytes } from "node:crypto";
import { expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { createDeliveryFixture, eventually, startWebhookSink } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestWorker, testWorkerConfig } from "./testing/start-test-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const sealedSecret = createSecretBox(secretKey).seal(`whsec_${randomBytes(24).toString("base64")}`);

const fixture = started(createDeliveryFixture);
const sink = started(startWebhookSink);
const start = (key: string) => startTestWorker(testWorkerConfig(fixture.databaseUrl, key));
started(() => start(secretKey));

// More webhooks than one statement visits, so that one pass takes several statements.
test("redelivers the claims of a lost worker while hundreds of webhooks are rate limited", async () => {
  const limited: string[] = [];
  for (let number = 0; number < 520; number += 1) {
    limited.push(await fixture.addWebhook({ url: sink.url, sealedSecret }));
  }
  await fixture.updateWebhook(limited, { rateLimit: 1, rateLimitTat: "1 hour" });
  await fixture.addNotifications(limited, 1);
  const webhookId = await fixture.addWebhook({ url: sink.url, sealedSecret });
  // The leases expire while the relay visits the limited webhooks, and there are more claims than one statement
  // reclaims.
  await fixture.updateWebhook(webhookId, { paused: true });
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
