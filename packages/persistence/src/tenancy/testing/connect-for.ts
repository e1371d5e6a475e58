import type pg from "pg";
import { takeFor } from "../account-connections.ts";

/** A connection that sees the rows of this account only. */
export async function connectFor(pool: pg.Pool, accountId: string): Promise<pg.PoolClient> {
  const { client, named } = await takeFor(pool, accountId);
  await named;
  return client;
}
