import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { createSecretBox } from "@svc/persistence";
import { connectQueues } from "@svc/queue";
import { createDeliveryFixture, eventually, startWebhookSink, testRedisUrl } from "@svc/testkit";
import { startedEach } from "@svc/testkit/started";
import { startTestWorker, testWorkerConfig } from "./testing/start-test-worker.ts";

const secretKey = randomBytes(32).toString("base64");
const slots = 4;

const stores: [string, (databaseUrl: string) => string][] = [["PostgreSQL", (databaseUrl) => databaseUrl]];
const redisUrl = testRedisUrl();
if (redisUrl) stores.push(["Redis", () => redisUrl]);

describe.each(stores)("lost jobs, with the queue on %s", (_store, queueUrl) => {
  const fixture = startedEach(createDeliveryFixture);
  const sink = startedEach(startWebhookSink);
  const config = startedEach(() =>
    testWorkerConfig(fixture.databaseUrl, secretKey, {
      SVC_QUEUE_URL: queueUrl(fixture.databaseUrl),
      SVC_WEBHOOK_FAST_JOBS: String(slots),
    }),
  );
  /** Stands for the queue of another process. */
  const queues = startedEach(() =>
    connectQueues({ url: config.SVC_QUEUE_URL, prefix: config.SVC_QUEUE_PREFIX, onError: () => undefined }),
  );
  startedEach(() => startTestWorker(config));

  const addWebhook = () =>
    fixture.addWebhook({ url: `${sink.url}/hook`, sealedSecret: createSecretBox(secretKey).seal("whsec_c2VjcmV0") });

  test("delivers a job that a killed worker had fetched, sooner than one that no worker fetches", async () => {
    let fetched = 0;
    let release = (): void => undefined;
    const killed = new Promise<void>((resolve) => {
      release = resolve;
    });
    // A queue and a database see the same of a killed process.
    const doomed = queues.consume("webhook-deliveries", slots, () => {
      fetched += 1;
      return killed;
    });
    const webhookId = await addWebhook();
    await eventually("a job is fetched", async () => {
      await fixture.addNotifications(webhookId, 1);
      return fetched > 0;
    });
    const killedAtMs = performance.now();
    await eventually("all are delivered", async () => {
      const { rows } = await fixture.pool.query("SELECT FROM webhook_deliveries");
      return rows.length === 0;
    });
    // A job that was not fetched is waited for 8 s.
    expect(performance.now() - killedAtMs).toBeLessThan(8_000);
    release();
    await doomed.close(1_000);
  });
});
