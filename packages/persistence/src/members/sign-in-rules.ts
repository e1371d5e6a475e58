import type { Sql, Statement } from "../sql.ts";

/** What an account requires of the sign-in of its members. API tokens and calendars are not affected. */
export interface SignInRules {
  readonly requiresSingleSignOn: boolean;
}

const find: Statement = {
  name: "sign-in-rules.find",
  text: `SELECT requires_single_sign_on AS "requiresSingleSignOn" FROM accounts WHERE id = $1`,
};

const set: Statement = {
  name: "sign-in-rules.set",
  text: "UPDATE accounts SET requires_single_sign_on = $2 WHERE id = $1",
};

/** Null when there is no such account. */
export async function findSignInRules(sql: Sql, accountId: string): Promise<SignInRules | null> {
  return (await sql.rows<SignInRules>(find, [accountId]))[0] ?? null;
}

/** Holds for the next request of each session. False when there is no such account. */
export async function setSignInRules(sql: Sql, accountId: string, rules: SignInRules): Promise<boolean> {
  return (await sql.execute(set, [accountId, rules.requiresSingleSignOn])) === 1;
}
