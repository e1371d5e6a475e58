import type { Database } from "../database.ts";
import { lastMigration } from "../generated/last-migration.ts";

export interface AppliedMigration {
  readonly migration: string;
  readonly startedAt: Date;
  /** Null: it was started and did not finish. */
  readonly finishedAt: Date | null;
}

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  /** The last migration of this version. */
  readonly needed: string;
  readonly isCurrent: boolean;
}

const history = `
  SELECT migration_name AS "migration", started_at AS "startedAt", finished_at AS "finishedAt"
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`;

/** The migrations of the database, and whether it has those that this version needs. */
export async function readMigrationStatus({ pool }: Pick<Database, "pool">): Promise<MigrationStatus> {
  const table = await pool.query<{ exists: boolean }>(
    "SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS exists",
  );
  const applied = table.rows[0]?.exists ? (await pool.query<AppliedMigration>(history)).rows : [];
  const isFinished = ({ finishedAt }: AppliedMigration): boolean => finishedAt !== null;
  const isCurrent = applied.every(isFinished) && applied.some(({ migration }) => migration === lastMigration);
  return { applied, needed: lastMigration, isCurrent };
}

export interface ServerFacts {
  /** Version as a number, such as 180006. */
  readonly version: number;
  readonly versionText: string;
  /** A standby, or a database that was set to read-only. */
  readonly isReadOnly: boolean;
  /** The server's clock minus this machine's, by the middle of the round trip. */
  readonly clockAheadMs: number;
  readonly databaseBytes: number;
}

const serverFacts = `
  SELECT current_setting('server_version_num')::int AS "version", current_setting('server_version') AS "versionText",
         current_setting('transaction_read_only') = 'on' AS "isReadOnly",
         extract(epoch FROM clock_timestamp())::float8 * 1000 AS "nowMs",
         pg_database_size(current_database())::float8 AS "databaseBytes"`;

export async function readServerFacts({ pool }: Pick<Database, "pool">): Promise<ServerFacts> {
  // Connects first, so that the round trip is that of the statement alone.
  await pool.query("SELECT 1");
  const sentAtMs = Date.now();
  const { rows } = await pool.query<Omit<ServerFacts, "clockAheadMs"> & { nowMs: number }>(serverFacts);
  const middleMs = (sentAtMs + Date.now()) / 2;
  const [row] = rows;
  if (!row) throw new Error("The database returned no facts about itself.");
  const { nowMs, ...facts } = row;
  return { ...facts, clockAheadMs: Math.round(nowMs - middleMs) };
}
