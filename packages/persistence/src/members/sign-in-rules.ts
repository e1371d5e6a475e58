import { firstRow, type Sql, type Statement } from "../sql.ts";

/** Requirements of an account on the sign-in of its members. API tokens and calendars are not affected. */
export interface SignInRules {
  readonly requiresSingleSignOn: boolean;
  readonly requiresTwoFactor: boolean;
}

const find: Statement = {
  name: "sign-in-rules.find",
  text: `
    SELECT requires_single_sign_on AS "requiresSingleSignOn", requires_two_factor AS "requiresTwoFactor"
    FROM accounts WHERE id = $1`,
};

const set: Statement = {
  name: "sign-in-rules.set",
  text: `
    UPDATE accounts SET requires_single_sign_on = COALESCE($2, requires_single_sign_on),
      requires_two_factor = COALESCE($3, requires_two_factor)
    WHERE id = $1`,
};

/** Null when there is no such account. */
export function findSignInRules(sql: Sql, accountId: string): Promise<SignInRules | null> {
  return firstRow(sql.rows<SignInRules>(find, [accountId]));
}

/** Holds for the next request of each session; a rule that is not named stays. False when there is no such account. */
export async function setSignInRules(sql: Sql, accountId: string, rules: Partial<SignInRules>): Promise<boolean> {
  const { requiresSingleSignOn = null, requiresTwoFactor = null } = rules;
  return (await sql.execute(set, [accountId, requiresSingleSignOn, requiresTwoFactor])) === 1;
}
