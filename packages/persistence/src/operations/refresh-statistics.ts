import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";

/**
 * Tables whose rows are joined by account. Without statistics the planner expects one row of an account, and joins them
 * by reading all rows of the account for each row: quadratic. Autovacuum looks at a table once a minute, and at a large
 * one only after a tenth of it has changed.
 */
const tables = ["shipments", "containers", "transport_events", "tracking_requests", "tracking_subjects", "exceptions"];

/** Fewer rows need no statistics. */
const rowsMin = 100;

/**
 * A worker whose ANALYZE of a table failed leaves the table to autovacuum for this long: an ANALYZE that the statement
 * timeout cancels each time would keep it away by its lock.
 */
const failedForMs = 600_000;

/** Tables that have grown by half since their last ANALYZE. Updates do not count: they are most of the changes. */
const findGrown: Statement = {
  name: "statistics.find-grown",
  text: `
    SELECT s.relname::text AS "table" FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND s.relname::text = ANY($1) AND pg_has_role(c.relowner, 'USAGE')
      AND s.n_live_tup > GREATEST($2, c.reltuples * 1.5)`,
};

const acquireLock: Statement = {
  name: "statistics.acquire-lock",
  text: `SELECT pg_try_advisory_xact_lock(${advisoryLocks.plannerStatistics}) AS acquired`,
};

/**
 * Analyzes the table unless another worker does, or has done so, or the table is locked: ANALYZE then skips it without
 * an error, and it still counts as grown.
 * @returns whether it was analyzed.
 */
async function analyze(database: Database, table: string): Promise<boolean> {
  const isAnalyzed = await withTryLock(database, acquireLock, async (sql) => {
    const hasGrown = async () => (await sql.rows(findGrown, [[table], rowsMin])).length > 0;
    if (!(await hasGrown())) return false;
    await sql.execute({ name: "", text: `ANALYZE (SKIP_LOCKED) ${table}` }, []);
    return !(await hasGrown());
  });
  return isAnalyzed ?? false;
}

/**
 * Renews the planner's statistics of tables that have grown by half, as in the first minutes of an installation or
 * after a large import. Tables of another owner are left to autovacuum.
 * @returns a function that does so once, calls `onFailed` for each table that could not be analyzed, and resolves to
 *   the analyzed ones.
 */
export function createStatisticsRefresh(database: Database) {
  const failedAtMs = new Map<string, number>();
  const hasFailed = (table: string): boolean =>
    performance.now() - (failedAtMs.get(table) ?? Number.NEGATIVE_INFINITY) < failedForMs;

  return async (onFailed: (error: unknown, table: string) => void): Promise<readonly string[]> => {
    const candidates = tables.filter((table) => !hasFailed(table));
    const grown = await database.sql.rows<{ readonly table: string }>(findGrown, [candidates, rowsMin]);
    const renewed: string[] = [];
    for (const { table } of grown) {
      try {
        if (await analyze(database, table)) renewed.push(table);
      } catch (error) {
        failedAtMs.set(table, performance.now());
        onFailed(error, table);
      }
    }
    return renewed;
  };
}
