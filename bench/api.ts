import { randomBytes, randomInt } from "node:crypto";
import path from "node:path";
import { applyMigrations, connectDatabase, createDatabase } from "@svc/persistence";
import { seedDemoAccount, seedReferenceData } from "@svc/persistence/seed";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { insertShipments } from "./api-rows.ts";
import { compare } from "./compare.ts";
import { pinToCpu } from "./processors.ts";
import type { Comparison } from "./rounds.ts";
import type { BenchStores } from "./webhook-harness.ts";

const root = path.resolve(import.meta.dirname, "..");
export const apiToken = "svc_live_benchmark";

async function prepareDatabase(postgresUrl: string) {
  const url = `${postgresUrl}/bench_api_${process.pid}`;
  await createDatabase(url);
  await applyMigrations(url, path.join(root, "packages/persistence/prisma/migrations"));
  const database = connectDatabase({ url, applicationName: "bench", onIdleError: () => undefined });
  await seedReferenceData(database);
  await seedDemoAccount(database, { token: apiToken, email: "bench@example.com", password: "bench", now: new Date() });
  const { id: accountId } = await database.prisma.account.findFirstOrThrow();
  const ids = await insertShipments(database, accountId);
  await database.close();
  return { url, accountId, ids };
}

export interface BenchApi {
  readonly databaseUrl: string;
  readonly accountId: string;
  /** Ids of the shipments. */
  readonly ids: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Starts an API on the processor of the services. */
  startApi(): Promise<ServiceProcess>;
}

/** A database with shipments, and the API on it without a limit of requests. */
export async function prepareApi({ postgresUrl, redisUrl }: BenchStores): Promise<BenchApi> {
  const { url: databaseUrl, accountId, ids } = await prepareDatabase(postgresUrl);
  const environment = { DATABASE_URL: databaseUrl, SVC_BASE_URL: "http://127.0.0.1:4000/v2", NODE_ENV: "production" };
  const secretKey = randomBytes(32).toString("base64");
  return {
    databaseUrl,
    accountId,
    ids,
    environment,
    async startApi() {
      const started = await startServiceProcess(path.join(root, "apps/api/dist/main.js"), {
        ...environment,
        SVC_SECRET_KEY: secretKey,
        SVC_RATE_LIMIT_DEFAULT: "1000000000",
        ...(redisUrl && { REDIS_URL: redisUrl }),
      });
      pinToCpu(started.pid, 0);
      return started;
    },
  };
}

/**
 * Reads and edits of one shipment through the API, against a bare Express handler on the same rows. Server processes
 * share one processor; PostgreSQL and the load generator the other.
 */
export async function benchmarkApi(stores: BenchStores): Promise<Comparison[]> {
  const { accountId, ids, environment: shared, startApi } = await prepareApi(stores);
  const apiProcess = await startApi();
  const startBare = (environment: Readonly<Record<string, string>>) =>
    startServiceProcess(path.join(import.meta.dirname, "bare-api.ts"), {
      ...shared,
      BENCH_ACCOUNT_ID: accountId,
      ...environment,
    });
  const bareProcess = await startBare({});
  const quickProcess = await startBare({ BENCH_OUR_DRIVER: "true" });
  for (const { pid } of [bareProcess, quickProcess]) pinToCpu(pid, 0);
  const servers = { ours: apiProcess, bare: bareProcess };
  const withOurDriver = { ours: apiProcess, bare: quickProcess };
  const headers = { authorization: `Token ${apiToken}`, "content-type": "application/json" };
  try {
    let edits = 0;
    const path = () => `/v2/shipments/${ids[randomInt(ids.length)]}`;
    const edit = () => {
      edits += 1;
      return { path: path(), body: JSON.stringify({ data: { attributes: { ref_numbers: [`PO-${edits}`] } } }) };
    };
    const read = { headers, nextRequest: () => ({ path: path() }) };
    return [
      ...(await compare("API read: GET /shipments/{id}", servers, read)),
      ...(await compare("API read, against our driver too", withOurDriver, read)),
      ...(await compare("API write: PATCH /shipments/{id}", servers, { method: "PATCH", headers, nextRequest: edit })),
    ];
  } finally {
    await Promise.all([apiProcess.stop(), bareProcess.stop(), quickProcess.stop()]);
  }
}
