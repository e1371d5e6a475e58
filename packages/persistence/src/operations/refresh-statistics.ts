import type { Sql, Statement } from "../sql.ts";

/**
 * Tables whose rows are joined by account. Without statistics the planner expects one row of an account, and joins them
 * by reading all rows of the account for each row: quadratic. Autovacuum looks at a table once a minute, and at a large
 * one only after a tenth of it has changed.
 */
const tables = ["shipments", "containers", "transport_events", "tracking_requests", "tracking_subjects", "exceptions"];

/** Fewer changes need no statistics. */
const changesMin = 100;

/** Tables that changed by half since their last ANALYZE. */
const findGrown: Statement = {
  name: "statistics.find-grown",
  text: `
    SELECT s.relname::text AS "table" FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
    WHERE s.schemaname = current_schema() AND s.relname::text = ANY($1) AND pg_has_role(c.relowner, 'USAGE')
      AND s.n_mod_since_analyze > GREATEST($2, c.reltuples / 2)`,
};

/**
 * Renews the planner's statistics of tables that have grown by half, as in the first minutes of an installation or
 * after the import of a new account. Tables of another owner are left to autovacuum.
 * @returns the tables.
 */
export async function refreshStatistics(sql: Sql): Promise<readonly string[]> {
  const grown = await sql.rows<{ readonly table: string }>(findGrown, [tables, changesMin]);
  for (const { table } of grown) await sql.execute({ name: "", text: `ANALYZE (SKIP_LOCKED) ${table}` }, []);
  return grown.map(({ table }) => table);
}
