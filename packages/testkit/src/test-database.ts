import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";

/** Variables through which the test runner passes the addresses of the real stores to the tests. */
export const testStoreVariables = { postgres: "TEST_POSTGRES_URL", redis: "TEST_REDIS_URL" } as const;

/** Address of the server that the runner started. Throws an instruction when there is none. */
export function testPostgresUrl(): string {
  const url = process.env[testStoreVariables.postgres];
  if (!url) throw new Error("No PostgreSQL for the tests. Run them with `npm test`, which starts one.");
  return url;
}

/** Address of the Redis that the runner started; undefined when the machine has none. */
export function testRedisUrl(): string | undefined {
  return process.env[testStoreVariables.redis];
}

async function withAdmin<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: `${serverUrl}/postgres` });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

interface Migration {
  readonly name: string;
  readonly script: string;
}

function readMigrations(migrationsDir: string): Migration[] {
  return fs
    .readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({ name, script: fs.readFileSync(path.join(migrationsDir, name, "migration.sql"), "utf8") }));
}

/** Prisma's migration history, by which a service recognises that the database has the migrations it needs. */
const historyTable = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

async function migrate(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(historyTable);
  for (const { name, script } of migrations) {
    await client.query(script);
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), createHash("sha256").update(script).digest("hex"), name],
    );
  }
}

const schema = fileURLToPath(new URL("../../persistence/prisma/migrations", import.meta.url));

/**
 * An empty, migrated database for one test file, cloned from a template that is created once for each state of the
 * migrations. Databases are not dropped afterwards, because the server itself is thrown away.
 * @param serverUrl address of the server, without a database name.
 * @param migrationsDir folder of other migrations than the services'.
 * @returns its connection string.
 */
export async function createTestDatabase(serverUrl = testPostgresUrl(), migrationsDir = schema): Promise<string> {
  const migrations = readMigrations(migrationsDir);
  const fingerprint = createHash("sha256").update(JSON.stringify(migrations)).digest("hex").slice(0, 16);
  const template = `template_${fingerprint}`;
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await withAdmin(serverUrl, async (admin) => {
    // Session-level advisory lock: of all test files that start together, one creates the template and the others wait.
    await admin.query("SELECT pg_advisory_lock(hashtext($1))", [template]);
    const existing = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (existing.rowCount === 0) {
      const draft = `${template}_${process.pid}`;
      await admin.query(`CREATE DATABASE ${draft}`);
      const client = new pg.Client({ connectionString: `${serverUrl}/${draft}` });
      await client.connect();
      try {
        await migrate(client, migrations);
      } finally {
        await client.end();
      }
      await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    // A copy of files writes no WAL, which takes a third of the processor time of the default.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
  return `${serverUrl}/${name}`;
}
