import type { Database } from "../database.ts";
import { generateSecret, sha256 } from "../secrets.ts";
import type { Sql, Statement } from "../sql.ts";
import { endLastingAccess, lockGrantsOfUser } from "./lasting-access.ts";
import { enqueue } from "./sign-in-mails.ts";

export const passwordResetMinutes = 30;
/** Minutes in which an owner can sign in by password after using the operator's link. */
export const passwordAllowedMinutes = 60;

/** A link that replaces a lost password, once. */
export interface PasswordReset {
  /** Address of the user, as it is stored. */
  readonly email: string;
  /** Path of the link, whose secret is not stored. */
  readonly path: string;
}

/**
 * A user of suspended accounts only cannot sign in, and gets no link. The previous link of the user ends.
 */
const insert: Statement = {
  name: "password-resets.insert",
  text: `
    WITH reset AS (
      INSERT INTO password_resets (user_id, token_sha256, created_at, expires_at, by_operator)
      SELECT u.id, $2::bytea, now(), now() + $3::int * interval '1 minute',
        current_setting('svc.actor', true) IS NOT DISTINCT FROM 'operator'
      FROM users u
      WHERE lower(u.email) = lower($1) AND EXISTS (
        SELECT FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL
        WHERE m.user_id = u.id)
      ON CONFLICT (user_id) DO UPDATE SET token_sha256 = EXCLUDED.token_sha256, created_at = EXCLUDED.created_at,
        expires_at = EXCLUDED.expires_at, by_operator = EXCLUDED.by_operator
      RETURNING user_id)
    SELECT u.email FROM reset JOIN users u ON u.id = reset.user_id`,
};

const find: Statement = {
  name: "password-resets.find",
  text: `
    SELECT u.email FROM password_resets r JOIN users u ON u.id = r.user_id
    WHERE r.token_sha256 = $1 AND r.expires_at > now()`,
};

const take: Statement = {
  name: "password-resets.take",
  text: `
    DELETE FROM password_resets WHERE token_sha256 = $1 AND expires_at > now()
    RETURNING user_id AS "userId", by_operator AS "byOperator",
      set_config('svc.actor', 'user:' || user_id, true) AS actor`,
};

/**
 * One statement, so that no session, begun sign-in or link of the old password outlives it. Who used a mailed link ($4)
 * reads the mails of the address. If that was not proven before, what gives lasting access may be of a stranger, who
 * opened the invitation first, and ends; otherwise only if the user wants it ($6). With the password that was chosen by
 * the operator's link, and no other, an owner may sign in for an hour also where single sign-on is required.
 */
const replace: Statement = {
  name: "password-resets.replace-password",
  text: `
    WITH changed AS (
      UPDATE users SET password_hash = $2,
        email_proven_at = CASE WHEN $4 = 'mailed' THEN now() ELSE email_proven_at END,
        password_allowed_until = CASE WHEN $4 = 'operator' THEN now() + $5::int * interval '1 minute' END
      WHERE id = $1 RETURNING id, email, old.email_proven_at IS NULL AS was_unproven),
    exposed AS (SELECT id FROM changed WHERE $6::boolean OR was_unproven AND $4 = 'mailed'),
    ${endLastingAccess("exposed")},
    ended AS (
      UPDATE user_sessions s SET revoked_at = now() FROM changed
      WHERE s.user_id = changed.id AND s.revoked_at IS NULL AND s.token_sha256 IS DISTINCT FROM $3::bytea),
    withdrawn AS (DELETE FROM password_resets r USING changed WHERE r.user_id = changed.id),
    begun AS (DELETE FROM sign_in_challenges c USING changed WHERE c.user_id = changed.id)
    SELECT email FROM changed`,
};

/** Creates the link for an email address; null when no user with it can sign in. Ignores case. */
export async function createPasswordReset(sql: Sql, email: string): Promise<PasswordReset | null> {
  const secret = generateSecret();
  const [user] = await sql.rows<{ email: string }>(insert, [email, sha256(secret), passwordResetMinutes]);
  return user ? { email: user.email, path: `/login/reset/${secret}` } : null;
}

/** The address of the user of a link; null when the link is unknown, used, replaced or expired. */
export async function findPasswordReset(sql: Sql, tokenSha256: Buffer): Promise<string | null> {
  return (await sql.rows<{ email: string }>(find, [tokenSha256]))[0]?.email ?? null;
}

/** Link by which the password is replaced; "none": the signed-in user changes it. */
type UsedLink = "mailed" | "operator" | "none";

interface NewPassword {
  readonly passwordHash: string;
  /** The session that stays: that of the user who changes the own password. Null: none. */
  readonly keptSession: Buffer | null;
  /** Whether the service sends e-mail, and notifies the user. */
  readonly sendsMail: boolean;
  /** Whether API tokens, calendars and connected applications end, too. Default: false. */
  readonly endsLastingAccess?: boolean;
}

/** Replaces a user's password, ends sessions and open links, and notifies the user by mail. */
export async function replacePassword(
  database: Pick<Database, "transaction">,
  userId: string,
  password: NewPassword,
): Promise<void> {
  await database.transaction((sql) => replaceWithin(sql, userId, password, "none"));
}

async function replaceWithin(
  sql: Sql,
  userId: string,
  { passwordHash, keptSession, sendsMail, endsLastingAccess = false }: NewPassword,
  link: UsedLink,
): Promise<string | null> {
  const values = [userId, passwordHash, keptSession, link, passwordAllowedMinutes, endsLastingAccess];
  await sql.rows(lockGrantsOfUser, [userId]);
  const [user] = await sql.rows<{ email: string }>(replace, values);
  if (user && sendsMail) await enqueue(sql, user.email, "password_changed");
  return user?.email ?? null;
}

/**
 * Replaces the password by a link and ends all sessions of the user; lasting access on demand, and always with the
 * first mailed link to an address that was not proven. Of two concurrent uses one succeeds.
 * @returns the address of the user; null, without a change, for a link that `findPasswordReset` does not find.
 */
export function usePasswordReset(
  database: Pick<Database, "transaction">,
  tokenSha256: Buffer,
  change: Omit<NewPassword, "keptSession">,
): Promise<string | null> {
  return database.transaction(async (sql) => {
    const [reset] = await sql.rows<{ userId: string; byOperator: boolean }>(take, [tokenSha256]);
    if (!reset) return null;
    const password = { ...change, keptSession: null };
    return replaceWithin(sql, reset.userId, password, reset.byOperator ? "operator" : "mailed");
  });
}
