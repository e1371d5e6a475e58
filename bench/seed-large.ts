/**
 * `pnpm seed:large [-- --scale 0.01 --seed 1 --database-url postgresql://…]`: fills a database for measurements
 * (docs/benchmarks.md).
 */
import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { parseArgs } from "node:util";
import { applyMigrations, connectDatabase, createDatabase, uuidV7 } from "@svc/persistence";
import { startLargeStore } from "./seed-large/large-store.ts";
import { seedLarge } from "./seed-large/seed-large.ts";

const usage = `Usage: npm run seed:large [-- options]
  --scale <number>        part of 1,000 accounts, 300,000 shipments and 1,000,000 containers (default 1)
  --seed <number>         the same number gives the same rows (default 1)
  --database-url <url>    an empty database (default: DATABASE_URL, or a PostgreSQL of its own, one for each
                          scale, that \`npm run bench -- api-large\` uses: with BENCH_SCALE for another scale than 1)`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      scale: { type: "string", default: "1" },
      seed: { type: "string", default: "1" },
      "database-url": { type: "string", default: process.env.DATABASE_URL ?? "" },
    },
  });
  const scale = Number(values.scale);
  const seed = Number(values.seed);
  if (!(scale > 0 && scale <= 1)) throw new Error("--scale must be a number above 0, 1 at most.");
  if (!Number.isSafeInteger(seed)) throw new Error("--seed must be a whole number.");
  return { scale, seed, url: values["database-url"] };
}

async function run(): Promise<void> {
  const { scale, seed, url } = readOptions();
  const store = url === "" ? await startLargeStore(scale) : { url, stop: async () => undefined };
  try {
    await createDatabase(store.url);
    await applyMigrations(store.url, path.join(import.meta.dirname, "../packages/persistence/prisma/migrations"));
    const database = connectDatabase({ url: store.url, applicationName: "seed-large", onIdleError: () => undefined });
    try {
      const startedMs = performance.now();
      await seedLarge(database, { scale, seed, report: (line) => console.log(line) });
      const token = `svc_live_${randomBytes(24).toString("base64url")}`;
      await database.pool.query(
        `INSERT INTO api_tokens (id, account_id, name, hint, token_sha256, scopes, created_at)
         SELECT $1, id, 'Seeded', $2, $3, '{read,write}', now() FROM accounts WHERE company_name = 'Seeded account 0'`,
        [uuidV7.next(), token.slice(-4), createHash("sha256").update(token).digest()],
      );
      console.log(
        `Seeded in ${Math.round((performance.now() - startedMs) / 1000)} s. A token of the large account: ${token}`,
      );
    } finally {
      await database.close();
    }
  } finally {
    await store.stop();
  }
}

try {
  await run();
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}
