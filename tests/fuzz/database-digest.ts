import { createHash } from "node:crypto";
import type { Database } from "@svc/persistence";

/**
 * Left out of the comparison: when a token was used last is written by every request, also by those that are refused
 * later. Counts of the rate limits are not in the database at all.
 */
const ignoredColumns = ["last_used_at"];

/** A checksum of the rows of every table, each in the order of its rows. */
export async function digestDatabase({ pool }: Database): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1",
  );
  const digests: [string, string][] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(
      `SELECT (to_jsonb(t) - $1::text[])::text AS row FROM "${name}" t ORDER BY 1`,
      [ignoredColumns],
    );
    const digest = createHash("sha256");
    for (const { row } of rows) digest.update(row).update("\n");
    digests.push([name, `${rows.length} rows, ${digest.digest("hex")}`]);
  }
  return Object.fromEntries(digests);
}
