import { createHash, randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as setTimeoutAsync } from "node:timers/promises";
import pg from "pg";
import { requireRights } from "./operations/database-rights.ts";

/** No time limit for statements: a migration may take hours. Keepalive ends a connection whose server vanished. */
const clientOptions = { connectionTimeoutMillis: 5_000, keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/** The advisory lock of Prisma's own `migrate`, so that the two never run concurrently. */
const migrationLock = 72_707_369;

/** The SQLSTATE of PostgreSQL. */
const insufficientPrivilege = "42501";
const lockNotAvailable = "55P03";

/**
 * How long a migration waits for a lock before it gives way, and how often it tries. While it waits, every statement on
 * the table waits behind it; between two attempts they proceed.
 */
export interface LockWait {
  readonly timeoutMs: number;
  readonly pauseMs: number;
  readonly attempts: number;
}

const defaultLockWait: LockWait = { timeoutMs: 2_000, pauseMs: 3_000, attempts: 60 };

/** The check of the migrations makes sure that such a statement is the only one of its file. */
const outsideTransaction = /^(?!\s*--).*\bINDEX\s+CONCURRENTLY\b/im;
const createdConcurrently = /\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/i;

const historyLockPollMs = 500;

/** Checksums of released texts that differ from the file in nothing but an ANALYZE. */
const otherReleasedChecksums: Readonly<Record<string, string>> = {
  "20261129150000_statistics_of_accounts": "4f801a6842459611439787fb96b9b24f04514b8bf706b447de4f458094c498e1",
};

/** Prisma's own table, so that `prisma migrate deploy` and `status` see the migrations applied here. */
const historyTable = `
  CREATE TABLE IF NOT EXISTS _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

interface Migration {
  readonly name: string;
  readonly script: string;
  /** SHA-256 of the file, as Prisma computes it. */
  readonly checksum: string;
}

function readMigrations(folder: string): Migration[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const script = fs.readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      return { name, script, checksum: createHash("sha256").update(script).digest("hex") };
    });
}

/**
 * The migrations that the database lacks. Throws when an applied migration is unfinished or differs from its file, or
 * when the history does not start with the baseline.
 */
async function pendingMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const history = new Map(rows.map((row) => [row.migration_name, row]));
  const baseline = migrations[0]?.name;
  if (baseline && rows.length > 0 && !history.has(baseline))
    throw new Error(
      `The migrations of this database do not begin with ${baseline}, so an unreleased version created it. Use an empty database.`,
    );
  return migrations.filter(({ name, checksum }) => {
    const applied = history.get(name);
    if (!applied) return true;
    if (!applied.finished_at)
      throw new Error(`Migration ${name} was started and not finished. Resolve it before you continue.`);
    if (applied.checksum !== checksum && applied.checksum !== otherReleasedChecksums[name])
      throw new Error(`Migration ${name} was changed after this database applied it.`);
    return false;
  });
}

async function hasHistory(client: pg.Client): Promise<boolean> {
  const text = "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists";
  return (await client.query<{ exists: boolean }>(text)).rows[0]?.exists ?? false;
}

async function record(client: pg.Client, { checksum, name }: Migration): Promise<void> {
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
    [randomUUID(), checksum, name],
  );
}

async function applyInTransaction(client: pg.Client, migration: Migration, lockTimeoutMs: number): Promise<void> {
  await client.query("BEGIN");
  try {
    await client.query("SELECT set_config('lock_timeout', $1, true)", [`${lockTimeoutMs}ms`]);
    await client.query(migration.script);
    await record(client, migration);
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** @returns undefined when there is no such index. */
async function isValidIndex(client: pg.Client, name: string): Promise<boolean | undefined> {
  const text = "SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass($1)";
  const { rows } = await client.query<{ indisvalid: boolean }>(text, [pg.escapeIdentifier(name)]);
  return rows[0]?.indisvalid;
}

/**
 * Runs the single statement of a migration outside a transaction. It blocks no reads and no writes, so it waits for
 * locks as long as it must. An index that an interrupted attempt left invalid is rebuilt.
 */
async function applyConcurrently(client: pg.Client, migration: Migration): Promise<void> {
  const index = createdConcurrently.exec(migration.script)?.[1];
  const isValid = index === undefined ? undefined : await isValidIndex(client, index);
  if (index !== undefined && isValid === false)
    await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(index)}`);
  if (isValid !== true) await client.query(migration.script);
  await record(client, migration);
}

const applyOnce = (client: pg.Client, migration: Migration, lockTimeoutMs: number): Promise<void> =>
  outsideTransaction.test(migration.script)
    ? applyConcurrently(client, migration)
    : applyInTransaction(client, migration, lockTimeoutMs);

async function applyMigration(client: pg.Client, migration: Migration, wait: LockWait): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await applyOnce(client, migration, wait.timeoutMs);
      return;
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === lockNotAvailable && attempt < wait.attempts) await setTimeoutAsync(wait.pauseMs);
      else if (code === lockNotAvailable)
        throw new Error(
          `Migration ${migration.name} did not get a lock in ${attempt} attempts. End the long transactions that ` +
            "pg_stat_activity lists, then run it again.",
          { cause: error },
        );
      else throw new Error(`Migration ${migration.name} failed: ${message}`, { cause: error });
    }
  }
}

async function createNamed(client: pg.Client, name: string): Promise<void> {
  const statement = `CREATE DATABASE ${pg.escapeIdentifier(name)}`;
  try {
    await client.query(statement);
  } catch (error) {
    if ((error as { code?: string }).code !== insufficientPrivilege) throw error;
    const owner = pg.escapeIdentifier(client.user ?? "");
    throw new Error(
      `The user of DATABASE_URL may not create its database. As an administrator, run: ${statement} OWNER ${owner};`,
      { cause: error },
    );
  }
}

/** Creates the database of the connection string on its server when it is not there yet. */
export async function createDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = decodeURIComponent(server.pathname.slice(1));
  server.pathname = "/postgres";
  const client = new pg.Client({ connectionString: server.href, ...clientOptions });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (rowCount === 0) await createNamed(client, name);
  } finally {
    await client.end();
  }
}

/**
 * Polls for the lock: a session that waits for it in one statement has a snapshot, for which a concurrent build of an
 * index in the session that has the lock would wait.
 */
async function takeLock(client: pg.Client): Promise<void> {
  for (;;) {
    const text = "SELECT pg_try_advisory_lock($1) AS taken";
    const { rows } = await client.query<{ taken: boolean }>(text, [migrationLock]);
    if (rows[0]?.taken) return;
    await setTimeoutAsync(historyLockPollMs);
  }
}

/**
 * Applies the migrations of a Prisma migrations folder that the database lacks, in order, each in a separate
 * transaction except those with CONCURRENTLY, and records them as Prisma does. Of several concurrent processes one
 * works and the others wait. A migration that meets a lock gives way and tries again, so that it never blocks the
 * running services for long. Rejects when a migration fails, was left unfinished, or was changed after it was applied,
 * and before the first one with what an administrator must grant when the user lacks rights.
 * @returns the names of the applied migrations.
 */
export async function applyMigrations(
  url: string,
  migrationsFolder: string,
  lockWait: LockWait = defaultLockWait,
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, ...clientOptions });
  await client.connect();
  try {
    await takeLock(client);
    if (!(await hasHistory(client))) await requireRights(client);
    await client.query(historyTable);
    const pending = await pendingMigrations(client, readMigrations(migrationsFolder));
    for (const migration of pending) await applyMigration(client, migration, lockWait);
    return pending.map(({ name }) => name);
  } finally {
    await client.end();
  }
}
