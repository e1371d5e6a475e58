import { findRedisProgram, type OrphanGuard, startPostgres, startRedis } from "@svc/local-stores";
import { testStoreVariables } from "@svc/testkit";

/** The real stores of one test run. */
export interface TestStores {
  readonly postgresUrl: string;
  /** Absent when the machine has no Redis and none was named. */
  readonly redisUrl?: string;
  /** Name of the stores, for the person who reads the result. */
  readonly description: string;
  stop(): Promise<void>;
}

interface Store {
  readonly url: string;
  readonly description: string;
  stop(): Promise<void>;
}

const nothingToStop = async () => undefined;

async function postgres(guard: OrphanGuard): Promise<Store> {
  const configuredUrl = process.env[testStoreVariables.postgres];
  if (configuredUrl) {
    return { url: configuredUrl, description: `PostgreSQL of ${testStoreVariables.postgres}`, stop: nothingToStop };
  }
  const server = await startPostgres();
  guard.watch(server.pid, "store", "SIGINT");
  return { url: server.url, description: "an embedded PostgreSQL", stop: server.stop };
}

async function redis(guard: OrphanGuard): Promise<Store | undefined> {
  const configuredUrl = process.env[testStoreVariables.redis];
  if (configuredUrl)
    return { url: configuredUrl, description: `Redis of ${testStoreVariables.redis}`, stop: nothingToStop };
  const program = findRedisProgram();
  if (!program) return undefined;
  const server = await startRedis();
  guard.watch(server.pid, "store", "SIGTERM");
  return { url: server.url, description: `a real Redis (${program})`, stop: server.stop };
}

/** Starts what the environment does not name already. */
export async function startTestStores(guard: OrphanGuard): Promise<TestStores> {
  const database = await postgres(guard);
  const queue = await redis(guard);
  const absent = "no Redis: this machine has none, so queues ran on PostgreSQL and tests of Redis alone were skipped";
  return {
    postgresUrl: database.url,
    ...(queue ? { redisUrl: queue.url } : {}),
    description: `${database.description} and ${queue?.description ?? absent}`,
    async stop() {
      await queue?.stop();
      await database.stop();
    },
  };
}
