import type { Instant } from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import type { Acceptance } from "./invitation-repository.ts";

/** Paid features, all enabled in a self-hosted installation. */
export const paidFeatures: readonly string[] = ["container_route", "rail_deadlines"];

export interface FirstAccount {
  readonly companyName: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly now: Instant;
}

const anyAccount: Statement = {
  name: "first-account.any",
  text: "SELECT EXISTS (SELECT FROM accounts) OR EXISTS (SELECT FROM users) AS any",
};

/**
 * An advisory lock until the end of the transaction, so that the second of two concurrent setups finds the account of
 * the first.
 */
const lock: Statement = {
  name: "first-account.lock",
  text: "SELECT pg_advisory_xact_lock(hashtext('svc.first-account'))",
};

/** The operator, who makes the set-up, names the owner: the address counts as proven. */
const insert: Statement = {
  name: "first-account.insert",
  text: `
    WITH account AS (INSERT INTO accounts (id, company_name, features, created_at) VALUES ($1, $2, $3, $7)),
    new_user AS (
      INSERT INTO users (id, email, password_hash, created_at, email_proven_at) VALUES ($4, $5, $6, $7, $7))
    INSERT INTO memberships (account_id, user_id, role) VALUES ($1, $4, 'owner')`,
};

/** Whether the installation has an account or a user. */
export async function hasAnyAccount(sql: Sql): Promise<boolean> {
  const [row] = await sql.rows<{ any: boolean }>(anyAccount, []);
  return row?.any ?? false;
}

/** Creates the first account of an installation with its owner. Null, without a change, when there already is one. */
export function createFirstAccount(
  database: Pick<Database, "transaction">,
  first: FirstAccount,
): Promise<Acceptance | null> {
  const { companyName, email, passwordHash, now } = first;
  return database.transaction(async (sql) => {
    await sql.rows(lock, []);
    if (await hasAnyAccount(sql)) return null;
    const [accountId, userId] = [uuidV7.next(), uuidV7.next()];
    await sql.execute(insert, [accountId, companyName, paidFeatures, userId, email, passwordHash, now]);
    return { accountId, userId };
  });
}
