import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import pg from "pg";

/** Names of the variables by which the test runner tells the tests where the real stores are. */
export const testStoreVariables = { postgres: "TEST_POSTGRES_URL", redis: "TEST_REDIS_URL" } as const;

/** The server that the runner started, or an instruction. */
export function testPostgresUrl(): string {
  const url = process.env[testStoreVariables.postgres];
  if (!url) throw new Error("No PostgreSQL for the tests. Run them with `npm test`, which starts one.");
  return url;
}

/** The Redis that the runner started, or undefined when the machine has none. */
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

function migrationScripts(migrationsDir: string): string[] {
  return fs
    .readdirSync(migrationsDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => fs.readFileSync(path.join(migrationsDir, name, "migration.sql"), "utf8"));
}

/**
 * An empty, migrated database for one test file, cloned from a template that is made once for each state of the
 * migrations. Nothing is dropped afterwards: the server itself is thrown away.
 * @param serverUrl of a server of the test's own.
 * @returns its connection string.
 */
export async function createTestDatabase(migrationsDir: string, serverUrl = testPostgresUrl()): Promise<string> {
  const scripts = migrationScripts(migrationsDir);
  const template = `template_${createHash("sha256").update(scripts.join("\n")).digest("hex").slice(0, 16)}`;
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await withAdmin(serverUrl, async (admin) => {
    // Session lock: of all test files that start together, one makes the template and the others wait for it.
    await admin.query("SELECT pg_advisory_lock(hashtext($1))", [template]);
    const existing = await admin.query("SELECT 1 FROM pg_database WHERE datname = $1", [template]);
    if (existing.rowCount === 0) {
      const draft = `${template}_${process.pid}`;
      await admin.query(`CREATE DATABASE ${draft}`);
      const client = new pg.Client({ connectionString: `${serverUrl}/${draft}` });
      await client.connect();
      try {
        for (const script of scripts) await client.query(script);
      } finally {
        await client.end();
      }
      await admin.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
    }
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template}`);
  });
  return `${serverUrl}/${name}`;
}
