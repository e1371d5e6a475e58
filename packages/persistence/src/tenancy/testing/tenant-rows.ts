import type pg from "pg";

interface Column {
  readonly name: string;
  readonly type: string;
}

/** A value of each type that the tables use; a new type needs one here. */
const sampleByType: Readonly<Record<string, string>> = {
  uuid: "gen_random_uuid()",
  text: "gen_random_uuid()::text",
  "text[]": "ARRAY['A']",
  bytea: "gen_random_uuid()::text::bytea",
  integer: "1",
  bigint: "1",
  "double precision": "1",
  boolean: "true",
  json: "'{}'",
  jsonb: "'{}'",
  "timestamp(3) with time zone": "now()",
};

/** The tables or views whose rows belong to accounts. */
export async function accountRelations(pool: pg.Pool, kind: "table" | "view"): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = ANY ($1) ORDER BY c.relname`,
    [kind === "view" ? ["v"] : ["r", "p"]],
  );
  return rows.map((row) => row.name);
}

/** A statement that inserts a row of the account $1 with arbitrary values for required columns. */
export async function insertInto(pool: pg.Pool, table: string): Promise<string> {
  const { rows } = await pool.query<Column>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND attnotnull AND NOT atthasdef AND attname <> 'account_id'`,
    [table],
  );
  const values = rows.map(({ name, type }) => {
    const value = sampleByType[type];
    if (value === undefined) throw new Error(`No value for ${table}.${name} of type ${type}.`);
    return value;
  });
  const names = ["account_id", ...rows.map(({ name }) => name)].join(", ");
  return `INSERT INTO ${table} (${names}) VALUES (${["$1", ...values].join(", ")})`;
}

/** One row of each account in every table; the values and references need not be meaningful. */
export async function fillTables(
  pool: pg.Pool,
  tables: readonly string[],
  accountIds: readonly string[],
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ drop: string }>(
      `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS drop FROM pg_constraint
       WHERE contype IN ('c', 'f') AND connamespace = 'public'::regnamespace`,
    );
    for (const { drop } of rows) await client.query(drop);
    for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    for (const table of tables) {
      const insert = await insertInto(pool, table);
      for (const accountId of accountIds) await client.query(insert, [accountId]);
    }
  } finally {
    client.release();
  }
}
