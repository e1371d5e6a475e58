import path from "node:path";
import { applyMigrations, connectDatabase, createDatabase, type Database } from "@svc/persistence";
import { type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { onEnd } from "../endings.ts";
import { pinToCpu } from "../processors.ts";
import { startLargeStore } from "../seed-large/large-store.ts";
import { seedLarge } from "../seed-large/seed-large.ts";
import { addAccounts, type LoadAccounts } from "./load-accounts.ts";

const root = path.resolve(import.meta.dirname, "../..");

export interface LargeRun {
  readonly database: Database;
  readonly accounts: LoadAccounts;
  /** A process over the database, on the processor that is not the load's; stopped when the run ends. */
  readonly start: (entry: string, environment?: Readonly<Record<string, string>>) => Promise<ServiceProcess>;
}

async function prepare(url: string, scale: number): Promise<Database> {
  await createDatabase(url);
  await applyMigrations(url, path.join(root, "packages/persistence/prisma/migrations"));
  const database = connectDatabase({ url, applicationName: "bench", onIdleError: () => undefined });
  const { rowCount } = await database.pool.query("SELECT FROM accounts LIMIT 1");
  if (rowCount === 0) await seedLarge(database, { scale, seed: 1, report: (line) => console.error(line) });
  return database;
}

/** BENCH_SCALE as for `seed:large`, for a database that is to be seeded; by default 1. */
function requestedScale(): number {
  const scale = Number(process.env.BENCH_SCALE || "1");
  if (!(scale > 0 && scale <= 1)) throw new Error("BENCH_SCALE must be a number above 0, 1 at most.");
  return scale;
}

/** Measures on the seeded database of `DATABASE_URL`, or on a separate one, which is seeded when it is empty. */
export async function onLargeDatabase<Result>(measure: (run: LargeRun) => Promise<Result>): Promise<Result> {
  const { DATABASE_URL: configuredUrl = "" } = process.env;
  const scale = requestedScale();
  const store =
    configuredUrl === "" ? await startLargeStore(scale) : { url: configuredUrl, stop: async () => undefined };
  const stopStore = onEnd(() => store.stop());
  const database = await prepare(store.url, scale);
  const processes: ServiceProcess[] = [];
  const end = onEnd(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await database.pool.query("DELETE FROM api_tokens WHERE name = 'Benchmark'");
    await database.close();
  });
  try {
    const accounts = await addAccounts(database);
    return await measure({
      database,
      accounts,
      async start(entry, environment = {}) {
        const common = { DATABASE_URL: store.url, NODE_ENV: "production", SVC_BASE_URL: "http://127.0.0.1:4000/v2" };
        const started = await startServiceProcess(path.join(root, entry), { ...common, ...environment });
        processes.push(started);
        pinToCpu(started.pid, 0);
        return started;
      },
    });
  } finally {
    await end();
    await stopStore();
  }
}
