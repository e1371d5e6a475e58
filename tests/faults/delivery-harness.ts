import { randomBytes } from "node:crypto";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { findRedisProgram, type RedisServer, startRedis } from "@svc/local-stores";
import { connectDatabase, createSecretBox, type Database, type SecretBox } from "@svc/persistence";
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

const repository = fileURLToPath(new URL("../..", import.meta.url));
/** Returns the path of a built service, which starts in half the time: these tests start processes all the time. */
export const builtService = (name: string): string => path.join(repository, `apps/${name}/dist/main.js`);
const entry = builtService("webhook-worker");
const apiEntry = builtService("api");
const trackingEntry = builtService("tracking-worker");

/** Secret of every webhook until it is rotated. */
export const firstSecret = "whsec_c2VjcmV0";

/** The API as a separate process. */
export interface ApiProcess extends ServiceProcess {
  /** Sends a request for the rig's account; `path` without the version. */
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

/** Real stores, worker processes and a receiver for fault tests. */
export interface DeliveryHarness {
  readonly fixture: DeliveryFixture;
  readonly sink: WebhookSink;
  /** Throws on a machine without Redis, where the queue is in PostgreSQL. */
  readonly redis: RedisServer;
  readonly webhookIds: readonly string[];
  /** The database of the services. */
  readonly database: Database;
  readonly box: SecretBox;
  startWorker(environment?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  startApi(environment?: Readonly<Record<string, string>>): Promise<ApiProcess>;
  startTracking(environment: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Adds a webhook with another URL than the sink's. */
  addWebhook(url: string): Promise<string>;
  /** Adds `countEach` notifications to each webhook and returns all ids. */
  notify(countEach: number): Promise<string[]>;
  /** Number of requests received with each `data.id`. */
  received(): Map<string, number>;
  /** Ids of committed notifications that are not delivered. */
  undelivered(): Promise<string[]>;
  close(): Promise<void>;
}

/** @param postgresUrl address of another server than the runner's. */
export async function startDeliveryHarness(webhookCount: number, postgresUrl?: string): Promise<DeliveryHarness> {
  const databaseUrl = await createTestDatabase(postgresUrl);
  const fixture = await createDeliveryFixture(databaseUrl);
  const database = connectDatabase({ url: databaseUrl, applicationName: "faults", onIdleError: () => undefined });
  const redis = findRedisProgram() ? await startRedis() : undefined;
  const sink = await startWebhookSink();
  const secretKey = randomBytes(32).toString("base64");
  const box = createSecretBox(secretKey);
  const webhookIds: string[] = [];
  const addWebhook = async (url: string) => {
    const id = await fixture.addWebhook({ url, sealedSecret: box.seal(firstSecret) });
    webhookIds.push(id);
    return id;
  };
  for (let index = 0; index < webhookCount; index += 1) await addWebhook(`${sink.url}/${index}`);
  const processes: ServiceProcess[] = [];
  return {
    fixture,
    sink,
    get redis() {
      if (!redis) throw new Error("There is no Redis on this machine.");
      return redis;
    },
    webhookIds,
    database,
    box,
    async startWorker(environment) {
      const worker = await startServiceProcess(entry, {
        DATABASE_URL: databaseUrl,
        SVC_QUEUE_URL: redis?.url ?? databaseUrl,
        SVC_SECRET_KEY: secretKey,
        SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
        ...environment,
      });
      processes.push(worker);
      return worker;
    },
    addWebhook,
    async startApi(environment) {
      const api = await startServiceProcess(apiEntry, {
        DATABASE_URL: databaseUrl,
        SVC_SECRET_KEY: secretKey,
        SVC_WEBHOOK_ALLOW_INSECURE_TARGETS: "true",
        SVC_RATE_LIMIT_DEFAULT: "1000000",
        SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST: "1000000",
        ...environment,
      });
      processes.push(api);
      const token = await addApiToken(fixture.pool, fixture.accountId);
      return {
        ...api,
        send: (method, path, body) =>
          fetch(`${api.url}/v2${path}`, {
            method,
            headers: { authorization: `Token ${token}`, "content-type": "application/json" },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
      };
    },
    async startTracking(environment) {
      const worker = await startServiceProcess(trackingEntry, {
        DATABASE_URL: databaseUrl,
        SVC_SECRET_KEY: secretKey,
        ...environment,
      });
      processes.push(worker);
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
      const { rows } = await fixture.pool.query<{ id: string }>("SELECT notification_id AS id FROM webhook_deliveries");
      return rows.map(({ id }) => id);
    },
    async close() {
      await Promise.all(processes.map((one) => one.stop()));
      await sink.close();
      await redis?.stop();
      await fixture.close();
      await database.close();
    },
  };
}
