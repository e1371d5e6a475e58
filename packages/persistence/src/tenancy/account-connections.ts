import type pg from "pg";
import { type Answered, runStatement } from "../named-query.ts";
import type { Statement } from "../sql.ts";

/** The role of the migration whose connections see the rows of one account only. */
export const tenantRole = "svc_tenant";

const setAccount = { name: "tenancy.set-account", text: "SELECT set_config('svc.account_id', $1, false)" };

/** Whose rows each connection sees, as far as it is known. */
const accountOf = new WeakMap<pg.PoolClient, string>();

/**
 * Takes a connection of the pool, which sees the rows of this account only until it is released. One that last worked for the
 * same account is ready at once. On another the statement that names the account is sent and not waited for: what follows
 * travels behind it. Should it fail, the connection is thrown away, and `named` tells whoever is about to believe an answer.
 */
export async function takeFor(
  pool: pg.Pool,
  accountId: string,
): Promise<{ client: pg.PoolClient; named: Promise<unknown> | undefined }> {
  const client = await pool.connect();
  if (accountOf.get(client) === accountId) return { client, named: undefined };
  accountOf.delete(client);
  const named = client.query({ ...setAccount, values: [accountId] }).then(() => accountOf.set(client, accountId));
  // Whoever awaits it is told; nobody has to.
  named.catch(() => undefined);
  return { client, named };
}

/**
 * Runs one statement on a connection of the tenant role, for the account. On a connection that last worked for another one the
 * account is named ahead of it in the same journey, and should that fail, the statement is not run.
 */
export async function runFor<Row extends object>(
  client: pg.PoolClient,
  accountId: string,
  statement: Statement,
  values: readonly unknown[],
): Promise<Answered<Row>> {
  if (accountOf.get(client) === accountId) return runStatement<Row>(client, statement, values, null);
  accountOf.delete(client);
  const answered = await runStatement<Row>(client, statement, values, accountId);
  accountOf.set(client, accountId);
  return answered;
}
