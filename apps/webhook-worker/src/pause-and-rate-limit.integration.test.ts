import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import {
  createDeliveryFixture,
  eventually,
  startWebhookSink,
  type WebhookChanges,
  type WebhookSink,
} from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { startTestWorker, testWorkerConfig } from "./testing/start-test-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const box = createSecretBox(secretKey);

const prefix = randomUUID();
const fixture = started(createDeliveryFixture);
for (let count = 0; count < 2; count++) {
  started(() => startTestWorker(testWorkerConfig(fixture.databaseUrl, secretKey, { SVC_QUEUE_PREFIX: prefix })));
}
const sinks: WebhookSink[] = [];
afterAll(() => Promise.all(sinks.map((sink) => sink.close())));

const sinkWithWebhook = async () => {
  const sink = await startWebhookSink();
  sinks.push(sink);
  const url = `${sink.url}/hook`;
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  return { sink, webhookId: await fixture.addWebhook({ url, sealedSecret: box.seal(secret) }) };
};
const change = async (webhookId: string, changes: WebhookChanges) => {
  await fixture.updateWebhook(webhookId, changes);
  await fixture.pool.query("SELECT pg_notify('svc_webhooks', '')");
};
const received = (sink: WebhookSink, count: number) =>
  eventually(`${count} deliveries`, async () => sink.deliveries.length >= count);

test("enforces the rate limit of a webhook across two workers and delivers all", async () => {
  const { sink, webhookId } = await sinkWithWebhook();
  await change(webhookId, { rateLimit: 5 });
  const startedMs = performance.now();
  await fixture.addNotifications(webhookId, 8);
  await received(sink, 8);
  // The first is sent immediately, each of the others a fifth of a second after the previous one.
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(7 * 200);
  expect(new Set(sink.deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(8);
});

test("sends nothing to a paused webhook, and all pending deliveries when it is resumed", async () => {
  const [paused, other] = [await sinkWithWebhook(), await sinkWithWebhook()];
  await change(paused.webhookId, { paused: true });
  await fixture.addNotifications(paused.webhookId, 3);
  for (let round = 1; round <= 3; round += 1) {
    await fixture.addNotifications(other.webhookId, 1);
    await received(other.sink, round);
  }
  expect(paused.sink.deliveries).toEqual([]);
  await change(paused.webhookId, { paused: false });
  await received(paused.sink, 3);
});
