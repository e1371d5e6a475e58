import type pg from "pg";

/** The role of the migration whose connections see the rows of one account only. */
export const tenantRole = "svc_tenant";

const setAccount = { name: "tenancy.set-account", text: "SELECT set_config('svc.account_id', $1, false)" };

/** Whose rows each connection sees, as far as it is known. */
const accountOf = new WeakMap<pg.PoolClient, string>();

/**
 * Takes a connection of the pool, which sees the rows of this account only until it is released. One that last worked for the
 * same account is ready at once, another needs one short statement. When that fails the connection is thrown away.
 */
export async function connectFor(pool: pg.Pool, accountId: string): Promise<pg.PoolClient> {
  const client = await pool.connect();
  if (accountOf.get(client) === accountId) return client;
  try {
    await client.query({ ...setAccount, values: [accountId] });
    accountOf.set(client, accountId);
    return client;
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}
