import type { Database } from "../database.ts";

/**
 * Number of entries that were read so far of the indexes of a table and of its partitions.
 * @param database with one connection, because the others have statistics of their own that they have not sent yet.
 */
export async function indexEntriesRead({ pool }: Pick<Database, "pool">, table: string): Promise<number> {
  await pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool.query<{ read: number }>(
    "SELECT sum(idx_tup_read)::int AS read FROM pg_stat_user_indexes WHERE relname = $1 OR starts_with(relname, $1 || '_')",
    [table],
  );
  return rows[0]?.read ?? Number.NaN;
}
