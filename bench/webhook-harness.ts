import { randomBytes, randomUUID } from "node:crypto";
import path from "node:path";
import { instant } from "@svc/domain";
import { connectDatabase, createSecretBox } from "@svc/persistence";
import { type Subscriptions, writeNotificationEvents } from "@svc/persistence/tracking";
import {
  addApiToken,
  createDeliveryFixture,
  createTestDatabase,
  type DeliveryFixture,
  type ServiceProcess,
  startServiceProcess,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";
import { onEnd } from "./endings.ts";
import { pinToCpu } from "./processors.ts";

const root = path.resolve(import.meta.dirname, "..");

export interface BenchStores {
  readonly postgresUrl: string;
  readonly redisUrl: string | undefined;
}

/** The services as processes that share a processor. Writes and the receiver are in this process. */
export interface WebhookHarness {
  readonly fixture: DeliveryFixture;
  readonly sink: WebhookSink;
  readonly databaseUrl: string;
  /** @param host any address of 127.0.0.0/8; each is a separate origin. */
  addWebhook(path: string, host?: string): Promise<string>;
  /** Commits an event with a notification of the webhook and wakes the workers. Resolves after the commit. */
  commitEvent(webhookId: string): Promise<void>;
  startWorker(environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  startApi(): Promise<ServiceProcess>;
  readonly token: () => Promise<string>;
  /** Number of notifications that are not delivered. */
  undelivered(): Promise<number>;
  stop(): Promise<void>;
}

const referenceId = "0199f0a0-0000-7000-8000-000000000003";

export async function startWebhookHarness({ postgresUrl, redisUrl }: BenchStores): Promise<WebhookHarness> {
  const databaseUrl = await createTestDatabase(postgresUrl);
  const fixture = await createDeliveryFixture(databaseUrl);
  const database = connectDatabase({ url: databaseUrl, applicationName: "bench", onIdleError: () => undefined });
  const sink = await startWebhookSink("0.0.0.0");
  const secretKey = randomBytes(32).toString("base64");
  const sealedSecret = createSecretBox(secretKey).seal(`whsec_${randomBytes(24).toString("base64")}`);
  const shared = {
    DATABASE_URL: databaseUrl,
    SVC_SECRET_KEY: secretKey,
    SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
    NODE_ENV: "production",
  };
  const queue = { SVC_QUEUE_URL: redisUrl ?? databaseUrl, SVC_QUEUE_PREFIX: `bench-${randomUUID()}` };
  const processes: ServiceProcess[] = [];
  const start = async (app: string, environment: Readonly<Record<string, string>>) => {
    const started = await startServiceProcess(path.join(root, "apps", app, "dist/main.js"), environment);
    processes.push(started);
    pinToCpu(started.pid, 0);
    return started;
  };
  const stop = onEnd(async () => {
    await Promise.all(processes.map((one) => one.stop()));
    await sink.close();
    await database.close();
    await fixture.close();
  });
  return {
    fixture,
    sink,
    databaseUrl,
    addWebhook: (name, host = "127.0.0.1") =>
      fixture.addWebhook({ url: `http://${host}:${new URL(sink.url).port}/${name}`, sealedSecret }),
    async commitEvent(webhookId) {
      const only: Subscriptions = { hasSubscriber: () => true, webhookIdsFor: () => [webhookId] };
      const event = { event: "tracking_request.succeeded", referenceType: "tracking_request", referenceId } as const;
      const included = JSON.stringify([
        { id: referenceId, type: "tracking_request", attributes: { sent: Date.now() } },
      ]);
      for (let written = false; !written; ) {
        try {
          await writeNotificationEvents(
            database.sql,
            fixture.accountId,
            [{ ...event, included }],
            only,
            instant(Date.now()),
          );
          written = true;
        } catch (error) {
          // Connecting timed out on a busy machine; nothing was written.
          if (!/timeout exceeded when trying to connect/.test(String(error))) throw error;
        }
      }
    },
    startWorker: (environment) => start("webhook-worker", { ...shared, ...queue, ...environment }),
    startApi: () => start("api", { ...shared, SVC_RATE_LIMIT_DEFAULT: "1000000000" }),
    token: () => addApiToken(fixture.pool, fixture.accountId),
    async undelivered() {
      const { rows } = await fixture.pool.query<{ count: number }>("SELECT count(*)::int FROM webhook_deliveries");
      return rows[0]?.count ?? 0;
    },
    stop,
  };
}
