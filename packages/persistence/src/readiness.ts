import type { Database } from "./database.ts";
import { lastMigration } from "./generated/last-migration.ts";

/** Reason why a service is not ready although its database responds. */
class DatabaseNotReadyError extends Error {
  override readonly name = "DatabaseNotReadyError";
}

/**
 * Spills about 200 kB to a temporary file, as a large sort does, which fails with 53100 while the disk is full and
 * leaves no file behind. Otherwise users would notice a full disk first.
 */
const probe = `
  BEGIN;
  SET LOCAL work_mem = '64kB';
  SET LOCAL statement_timeout = '2s';
  SELECT count(*) FROM (SELECT repeat('x', 100) || n AS line FROM generate_series(1, 2000) AS n
    ORDER BY line OFFSET 0) AS spilled;
  COMMIT`;

const state = `
  SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         to_regclass('public._prisma_migrations') IS NOT NULL AS "hasHistory"`;

async function checkMigrated({ pool }: Database, hasHistory: boolean): Promise<void> {
  const text = "SELECT 1 FROM _prisma_migrations WHERE migration_name = $1 AND finished_at IS NOT NULL";
  const { rowCount } = hasHistory ? await pool.query(text, [lastMigration]) : { rowCount: 0 };
  if (rowCount === 0)
    throw new DatabaseNotReadyError(
      `The database lacks migration ${lastMigration}, which this version needs. Run the migrations of this version.`,
    );
}

/** Rejects when the server has no disk space left for temporary files. */
export async function checkDiskSpace({ pool }: Database): Promise<void> {
  await pool.query(probe);
}

/**
 * A readiness check: rejects when the database does not respond, lacks the last migration of this build, is read-only
 * (a standby, or a primary that was demoted) or has no disk space left. A newer schema is accepted.
 */
export function createDatabaseCheck(database: Database): () => Promise<void> {
  return async () => {
    const { rows } = await database.pool.query<{ isReadOnly: boolean; hasHistory: boolean }>(state);
    const [{ isReadOnly, hasHistory } = { isReadOnly: true, hasHistory: false }] = rows;
    if (isReadOnly) throw new DatabaseNotReadyError("The database is read-only: a standby, or a demoted primary.");
    // Each time: the database may have been restored from a backup of an older version.
    await checkMigrated(database, hasHistory);
    await checkDiskSpace(database);
  };
}
