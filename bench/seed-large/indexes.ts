import type { Sql } from "@svc/persistence";

interface Definition {
  readonly table: string;
  readonly name: string;
  /** The statement's end: a constraint's text, or a whole CREATE INDEX with what was set for its columns. */
  readonly text: string;
  readonly isConstraint: boolean;
  readonly isForeignKey: boolean;
}

/**
 * Definitions of constraints, also of foreign keys of other tables. Foreign keys last: they need the keys that they
 * refer to.
 */
const definitions = `
  SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS text,
    true AS "isConstraint", contype = 'f' AS "isForeignKey"
  FROM pg_constraint
  WHERE conrelid = ANY($1::text[]::regclass[]) AND contype IN ('p', 'u', 'f')
    OR confrelid = ANY($1::text[]::regclass[]) AND contype = 'f'
  UNION ALL
  SELECT indrelid::regclass::text, indexrelid::regclass::text, pg_get_indexdef(indexrelid) || (
    SELECT COALESCE(string_agg(format('; ALTER INDEX %s ALTER COLUMN %s SET STATISTICS %s', attrelid::regclass, attnum,
      attstattarget), ''), '')
    FROM pg_attribute WHERE attrelid = indexrelid AND attstattarget IS NOT NULL), false, false
  FROM pg_index WHERE indrelid = ANY($1::text[]::regclass[])
    AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexrelid AND c.contype IN ('p', 'u'))
  ORDER BY "isForeignKey", "isConstraint" DESC, name`;

/**
 * Takes the keys and indexes off the tables, so that rows are loaded without them, and answers how to build them again.
 * Inside one transaction: whatever happens, the tables have them all in the end.
 */
export async function dropIndexes(sql: Sql, tables: readonly string[]): Promise<readonly (() => Promise<string>)[]> {
  const run = (text: string) => sql.execute({ name: "", text }, []);
  const found = await sql.rows<Definition>({ name: "", text: definitions }, [tables]);
  for (const { table, name, isConstraint } of found.toReversed()) {
    await run(isConstraint ? `ALTER TABLE ${table} DROP CONSTRAINT ${name}` : `DROP INDEX ${name}`);
  }
  return found.map(({ table, name, text, isConstraint }) => async () => {
    await run(isConstraint ? `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${text}` : text);
    return name;
  });
}
