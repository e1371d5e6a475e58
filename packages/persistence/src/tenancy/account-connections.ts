import type pg from "pg";
import { runStatement, type StatementResult } from "../named-query.ts";
import type { Statement } from "../sql.ts";

/** The tenant role of the migrations, whose connections see only the rows of one account. */
export const tenantRole = "svc_tenant";

const text = "SELECT set_config('svc.account_id', $1, false)";
const setAccount = { name: "tenancy.set-account", text };
/** pg does not track that it prepared this one, so it needs another name. */
const nameAccount = { name: "tenancy.name-account", text };
/** The account stays with the connection; the actor of the audit log ends with the transaction. */
const nameAccountAndActor = {
  name: "tenancy.name-account-and-actor",
  text: `${text}, set_config('svc.actor', $2, true)`,
};

/** The account whose rows each connection sees, if known. */
const accountByClient = new WeakMap<pg.PoolClient, string>();

/**
 * Takes a connection of the pool that sees only the rows of this account until it is released. A connection that last
 * served the same account is ready at once. On another, the statement that sets the account is sent without waiting,
 * and later statements follow it in the pipeline. If it fails, `named` rejects and the connection is discarded; await
 * `named` before using a result.
 */
export async function takeFor(
  pool: pg.Pool,
  accountId: string,
): Promise<{ client: pg.PoolClient; named: Promise<unknown> | undefined }> {
  const client = await pool.connect();
  if (accountByClient.get(client) === accountId) return { client, named: undefined };
  accountByClient.delete(client);
  const named = client.query({ ...setAccount, values: [accountId] }).then(() => accountByClient.set(client, accountId));
  // Awaiting it is optional, so a rejection must not be unhandled.
  named.catch(() => undefined);
  return { client, named };
}

/**
 * Runs one statement for the account on a connection of the tenant role that keeps its settings. If the connection last
 * served another account, the account is set first in the same round trip; if that fails, the statement does not run.
 * So is the actor of a change.
 */
export async function runFor<Row extends object>(
  client: pg.PoolClient,
  { accountId, actor }: { readonly accountId: string; readonly actor: string | undefined },
  statement: Statement,
  values: readonly unknown[],
): Promise<StatementResult<Row>> {
  if (actor === undefined && accountByClient.get(client) === accountId) {
    return runStatement<Row>(client, statement, values, null);
  }
  accountByClient.delete(client);
  const preface =
    actor === undefined
      ? { statement: nameAccount, values: [accountId] }
      : { statement: nameAccountAndActor, values: [accountId, actor] };
  const result = await runStatement<Row>(client, statement, values, preface);
  accountByClient.set(client, accountId);
  return result;
}
