import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { startPostgres } from "@svc/local-stores";
import { eventually, testPostgresUrl } from "@svc/testkit";
import pg from "pg";
import { applyMigrations, createDatabase } from "./migrate.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const migrations = path.join(packageFolder, "prisma/migrations");

let url: string;

beforeEach(async () => {
  url = `${testPostgresUrl()}/migrate_${randomUUID().replaceAll("-", "")}`;
  await createDatabase(url);
});

/** Runs the Prisma command line on the test database; rejects unless it exits with 0. */
function prisma(...args: string[]) {
  return promisify(execFile)("node", ["node_modules/prisma/build/index.js", ...args], {
    cwd: packageFolder,
    env: {
      ...process.env,
      DATABASE_URL: url,
      PRISMA_SCHEMA_ENGINE_BINARY: path.join(packageFolder, "tools/schema-engine.mjs"),
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
}

/** @param before changes settings of the connection first. */
async function query(text: string, before = ""): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(before);
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function folderWith(scripts: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-migrations-"));
  for (const [name, script] of Object.entries(scripts)) {
    fs.mkdirSync(path.join(folder, name));
    fs.writeFileSync(path.join(folder, name, "migration.sql"), script);
  }
  return folder;
}

describe("migrations", () => {
  test("produce exactly the schema", async () => {
    await prisma(
      "migrate",
      "diff",
      "--from-migrations",
      "prisma/migrations",
      "--to-schema",
      "prisma/schema.prisma",
      "--exit-code",
    );
  });

  test("applied by the service count as applied for Prisma", async () => {
    const names = fs.readdirSync(migrations).filter((name) => !name.endsWith(".toml"));
    expect(await applyMigrations(url, migrations)).toEqual(names.sort());
    expect((await prisma("migrate", "deploy")).stdout).toContain("No pending migrations");
    expect((await prisma("migrate", "status")).stdout).toContain("up to date");
  });

  test("applied by Prisma count as applied for the service", async () => {
    await prisma("migrate", "deploy");
    expect(await applyMigrations(url, migrations)).toEqual([]);
  });

  test("keep existing notifications, which their account still reads", async () => {
    const before = fs.mkdtempSync(path.join(os.tmpdir(), "svc-migrations-"));
    for (const name of fs.readdirSync(migrations)) {
      if (name < "20261125185000") fs.cpSync(path.join(migrations, name), path.join(before, name), { recursive: true });
    }
    await applyMigrations(url, before);
    await query(`
      INSERT INTO accounts (id, company_name, created_at)
      SELECT gen_random_uuid(), name, now() FROM unnest('{A,B}'::text[]) name;
      INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, created_at)
      SELECT id, uuidv7(), 'e', 't', id, '[]', now() FROM accounts, generate_series(1, 50);
      INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
      SELECT account_id, uuidv7(), reference_id, id, event, now() FROM notification_events`);
    await applyMigrations(url, migrations);
    expect(await query("SELECT DISTINCT tableoid::regclass::text AS part FROM webhook_notifications")).toEqual([
      { part: "notification_parts.webhook_notifications_before" },
    ]);
    const asTenant = `
      SELECT set_config('svc.account_id', (SELECT id FROM accounts WHERE company_name = 'A')::text, false);
      SET ROLE svc_tenant`;
    const readable =
      "SELECT count(*)::int AS count FROM webhook_notifications n JOIN notification_events e ON e.id = n.event_id";
    expect(await query(readable, asTenant)).toEqual([{ count: 50 }]);
    await expect(query("SELECT FROM notification_parts.webhook_notifications_before", asTenant)).rejects.toThrow(
      "permission denied for schema notification_parts",
    );
    fs.rmSync(before, { recursive: true });
  });

  test("are applied once by several concurrent processes", async () => {
    const folder = folderWith({ "1_a": "CREATE TABLE a (x int)", "2_b": "CREATE TABLE b (x int)" });
    const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(url, folder)));
    expect(applied.flat().sort()).toEqual(["1_a", "2_b"]);
  });

  test("roll back a failed migration and keep the earlier ones", async () => {
    const folder = folderWith({ "1_a": "CREATE TABLE a (x int)", "2_b": "CREATE TABLE b (x int); SELECT nonsense" });
    await expect(applyMigrations(url, folder)).rejects.toThrow(/Migration 2_b failed: column "nonsense"/);
    expect(await query("SELECT to_regclass('a') IS NOT NULL AS a, to_regclass('b') IS NOT NULL AS b")).toEqual([
      { a: true, b: false },
    ]);
    expect(await query("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "1_a" }]);
  });

  test("reject a migration that was changed after it was applied", async () => {
    const folder = folderWith({ "1_a": "CREATE TABLE a (x int)" });
    await applyMigrations(url, folder);
    fs.appendFileSync(path.join(folder, "1_a/migration.sql"), "; CREATE TABLE c (x int)");
    await expect(applyMigrations(url, folder)).rejects.toThrow("Migration 1_a was changed after");
  });

  test("accept the other released text of a migration", async () => {
    const folder = folderWith({ "1_a": "CREATE TABLE a (x int)", "20261129150000_statistics_of_accounts": "SELECT 1" });
    await applyMigrations(url, folder);
    const released = "4f801a6842459611439787fb96b9b24f04514b8bf706b447de4f458094c498e1";
    await query(`UPDATE _prisma_migrations SET checksum = '${released}'
      WHERE migration_name = '20261129150000_statistics_of_accounts'`);
    expect(await applyMigrations(url, folder)).toEqual([]);
  });

  test("refuses a database whose history does not begin with the baseline", async () => {
    await applyMigrations(url, folderWith({ "0_unreleased": "CREATE TABLE a (x int)" }));
    await expect(applyMigrations(url, folderWith({ "1_baseline": "CREATE TABLE a (x int)" }))).rejects.toThrow(
      "do not begin with 1_baseline",
    );
    expect(await query("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "0_unreleased" }]);
  });
});

describe("a table that a long transaction uses", () => {
  const folder = folderWith({ "1_a": "CREATE TABLE a (x int)", "2_b": "ALTER TABLE a ADD COLUMN y int" });

  /** Reads the table in a transaction that stays open until the returned function is called. */
  async function holdTable(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("BEGIN");
    await client.query("SELECT * FROM a");
    return () => client.end();
  }

  beforeEach(async () => {
    await applyMigrations(url, folderWith({ "1_a": "CREATE TABLE a (x int)" }));
  });

  test("is changed when the transaction ends, and others read it meanwhile", async () => {
    const release = await holdTable();
    const applied = applyMigrations(url, folder, { timeoutMs: 50, pauseMs: 50, attempts: 2_000 });
    try {
      for (let read = 0; read < 5; read++) {
        await expect(query("SELECT count(*)::int AS rows FROM a")).resolves.toEqual([{ rows: 0 }]);
      }
      expect(await query("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "1_a" }]);
    } finally {
      await release();
    }
    expect(await applied).toEqual(["2_b"]);
    expect(await query("SELECT y FROM a")).toEqual([]);
  });

  test("is not changed when the transaction does not end, and the error says what to do", async () => {
    const release = await holdTable();
    try {
      await expect(applyMigrations(url, folder, { timeoutMs: 20, pauseMs: 10, attempts: 3 })).rejects.toThrow(
        "Migration 2_b did not get a lock in 3 attempts. End the long transactions that pg_stat_activity lists",
      );
    } finally {
      await release();
    }
    expect(await query("SELECT migration_name FROM _prisma_migrations")).toEqual([{ migration_name: "1_a" }]);
    expect(await applyMigrations(url, folder)).toEqual(["2_b"]);
  });
});

describe("an index that is built concurrently", () => {
  const table = { "1_a": "CREATE TABLE a (x int)" };
  const folder = folderWith({ ...table, "2_b": "-- For lists.\nCREATE UNIQUE INDEX CONCURRENTLY a_x_idx ON a (x);\n" });
  const validity = () => query("SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('a_x_idx')");

  beforeEach(async () => {
    await applyMigrations(url, folderWith(table));
  });

  test("is built once by several concurrent processes", async () => {
    const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(url, folder)));
    expect(applied.flat()).toEqual(["2_b"]);
    expect(await validity()).toEqual([{ indisvalid: true }]);
  });

  test("does not block writes while it waits for a transaction", async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query("BEGIN");
    await client.query("INSERT INTO a VALUES (1)");
    const applied = applyMigrations(url, folder, { timeoutMs: 50, pauseMs: 50, attempts: 1 });
    try {
      await eventually("the build waits", async () => {
        const text = "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%CONCURRENTLY%' AND wait_event_type = 'Lock'";
        return (await query(text)).length === 1;
      });
      await query("INSERT INTO a VALUES (2)");
      await client.query("COMMIT");
    } finally {
      await client.end();
    }
    expect(await applied).toEqual(["2_b"]);
  });

  test("is rebuilt when an attempt has failed", async () => {
    await query("INSERT INTO a VALUES (1), (1)");
    await expect(applyMigrations(url, folder)).rejects.toThrow(/Migration 2_b failed: could not create unique index/);
    expect(await validity()).toEqual([{ indisvalid: false }]);
    await query("DELETE FROM a");
    expect(await applyMigrations(url, folder)).toEqual(["2_b"]);
    expect(await validity()).toEqual([{ indisvalid: true }]);
  });

  test("is only recorded when an interrupted attempt has finished it", async () => {
    await query("CREATE UNIQUE INDEX a_x_idx ON a (x)");
    expect(await applyMigrations(url, folder)).toEqual(["2_b"]);
  });
});

describe("a user with few rights", () => {
  test("learns what an administrator must run, before anything is changed", async () => {
    // A server of its own, because roles belong to the server and the others have the tenant role.
    const server = await startPostgres();
    const admin = new pg.Client({ connectionString: `${server.url}/postgres` });
    await admin.connect();
    try {
      await admin.query("CREATE ROLE owner LOGIN");
      const ownUrl = new URL(`${server.url}/svc`);
      ownUrl.username = "owner";
      const createError = await createDatabase(ownUrl.href).catch((error: Error) => error.message);
      expect(createError).toBe(
        'The user of DATABASE_URL may not create its database. As an administrator, run: CREATE DATABASE "svc" OWNER "owner";',
      );
      await admin.query('CREATE DATABASE "svc" OWNER "owner"');
      const migrateError = await applyMigrations(ownUrl.href, migrations).catch((error: Error) => error.message);
      expect(migrateError).toMatch(/^The user of DATABASE_URL lacks rights [^\n]+:\n/);
      const statements = String(migrateError)
        .split("\n")
        .slice(1)
        .map((line) => line.trim());
      expect(statements).toEqual([
        "CREATE ROLE svc_tenant NOLOGIN;",
        'GRANT svc_tenant TO "owner" WITH INHERIT FALSE, SET TRUE;',
      ]);
      for (const statement of statements) await admin.query(statement);
      expect((await applyMigrations(ownUrl.href, migrations)).length).toBeGreaterThan(0);
      // A second user has the role on the server, and may not create tables.
      await admin.query("CREATE ROLE guest LOGIN");
      ownUrl.username = "guest";
      ownUrl.pathname = "/postgres";
      await expect(applyMigrations(ownUrl.href, migrations)).rejects.toThrow(
        /GRANT svc_tenant TO "guest" [^;]+;\n {2}GRANT CREATE, USAGE ON SCHEMA public TO "guest";/,
      );
    } finally {
      await admin.end();
      await server.stop();
    }
  });
});
