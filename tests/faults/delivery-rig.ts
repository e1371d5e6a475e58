import { randomBytes } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { connectDatabase, createSecretBox, type Database, type SecretBox } from "@svc/persistence";
import {
  createDeliveryFixture,
  createTestDatabase,
  type DeliveryFixture,
  type RedisServer,
  type ServiceProcess,
  startRedis,
  startServiceProcess,
  startWebhookSink,
  type WebhookSink,
} from "@svc/testkit";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const entry = path.join(repository, "apps/webhook-worker/src/main.ts");

/** Of every webhook, until it is rotated. */
export const firstSecret = "whsec_c2VjcmV0";

/** Real stores, real worker processes and one real receiver, for breaking them. */
export interface DeliveryRig {
  readonly fixture: DeliveryFixture;
  readonly sink: WebhookSink;
  readonly redis: RedisServer;
  readonly webhookIds: readonly string[];
  /** The same stores as the services have. */
  readonly database: Database;
  readonly box: SecretBox;
  startWorker(): Promise<ServiceProcess>;
  /** Adds as many notifications to each webhook, and returns all ids. */
  notify(countEach: number): Promise<string[]>;
  /** How often each `data.id` was received. */
  received(): Map<string, number>;
  /** Ids that are committed as not delivered. */
  undelivered(): Promise<string[]>;
  close(): Promise<void>;
}

export async function startDeliveryRig(webhookCount: number): Promise<DeliveryRig> {
  const databaseUrl = await createTestDatabase(path.join(repository, "packages/persistence/prisma/migrations"));
  const fixture = await createDeliveryFixture(databaseUrl);
  const database = connectDatabase({ url: databaseUrl, applicationName: "faults", onIdleError: () => undefined });
  const redis = await startRedis();
  const sink = await startWebhookSink();
  const secretKey = randomBytes(32).toString("base64");
  const box = createSecretBox(secretKey);
  const webhookIds: string[] = [];
  for (let index = 0; index < webhookCount; index += 1) {
    webhookIds.push(await fixture.addWebhook({ url: `${sink.url}/${index}`, sealedSecret: box.seal(firstSecret) }));
  }
  const workers: ServiceProcess[] = [];
  return {
    fixture,
    sink,
    redis,
    webhookIds,
    database,
    box,
    async startWorker() {
      const worker = await startServiceProcess(entry, {
        DATABASE_URL: databaseUrl,
        SVC_QUEUE_URL: redis.url,
        SVC_SECRET_KEY: secretKey,
        SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
      });
      workers.push(worker);
      return worker;
    },
    async notify(countEach) {
      const ids = await Promise.all(webhookIds.map((id) => fixture.addNotifications(id, countEach)));
      return ids.flat();
    },
    received() {
      const counts = new Map<string, number>();
      for (const { headers } of sink.deliveries) {
        const id = String(headers["webhook-id"]);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
      return counts;
    },
    async undelivered() {
      const { rows } = await fixture.pool.query<{ id: string }>(
        "SELECT id FROM webhook_notifications WHERE delivery_status <> 'succeeded'",
      );
      return rows.map(({ id }) => id);
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      await sink.close();
      await redis.stop();
      await fixture.close();
      await database.close();
    },
  };
}
