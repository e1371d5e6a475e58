import type { Instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import type { Database } from "../database.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import { endLastingAccess, lockGrantsOfUser } from "./lasting-access.ts";

/** A user of an OpenID Connect provider. */
export interface UserIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Verified by the provider. */
  readonly email: string;
}

/** The user of an identity; "other_subject": the issuer has another subject for the user with this address. */
export type FoundUser = { readonly userId: string } | "other_subject" | "unknown";

/** How a new user joins: by the link of an invitation, or into an account that is open for the provider's users. */
export type Joining = { readonly invitationSha256: Buffer } | { readonly accountId: string; readonly role: MemberRole };

/** Advisory lock: of two concurrent first sign-ins, the second finds what the first one stored. */
const lock: Statement = {
  name: "user-identities.lock",
  text: "SELECT pg_advisory_xact_lock(hashtextextended('svc.user-identity ' || lower($1), 0))",
};

const find: Statement = {
  name: "user-identities.find",
  text: `SELECT user_id AS "userId" FROM user_identities WHERE issuer = $1 AND subject = $2`,
};

/** The events of the audit log are of the user, who is signing in. No row without a user with the address. */
const nameActor: Statement = {
  name: "user-identities.name-actor",
  text: `SELECT id AS "userId", set_config('svc.actor', 'user:' || id, true) FROM users WHERE lower(email) = lower($1)`,
};

/**
 * Null for the user with the address when the issuer has another subject for them.
 * The password of a user who never showed that the address is theirs may be of a stranger, who opened the invitation
 * first. In the same statement it ends, and so does all other access that the stranger may have prepared.
 */
const link: Statement = {
  name: "user-identities.link",
  text: `
    WITH linked AS (
      INSERT INTO user_identities (issuer, subject, user_id, created_at)
      SELECT $1, $2, id, now() FROM users WHERE lower(email) = lower($3)
      ON CONFLICT DO NOTHING RETURNING user_id),
    proven AS (
      UPDATE users u SET password_hash = $4, password_allowed_until = NULL, email_proven_at = now() FROM linked
      WHERE u.id = linked.user_id AND u.email_proven_at IS NULL RETURNING u.id),
    ended AS (
      UPDATE user_sessions s SET revoked_at = now() FROM proven WHERE s.user_id = proven.id AND s.revoked_at IS NULL),
    begun AS (DELETE FROM sign_in_challenges c USING proven WHERE c.user_id = proven.id),
    withdrawn AS (DELETE FROM password_resets r USING proven WHERE r.user_id = proven.id),
    totp AS (DELETE FROM user_totp t USING proven WHERE t.user_id = proven.id),
    ${endLastingAccess("proven")}
    SELECT linked.user_id AS "userId" FROM users u LEFT JOIN linked ON linked.user_id = u.id
    WHERE lower(u.email) = lower($3)`,
};

const insertInvited: Statement = {
  name: "user-identities.insert-invited",
  text: `
    WITH invitation AS (
      DELETE FROM invitations i USING accounts a
      WHERE i.token_sha256 = $5 AND i.expires_at > $6 AND lower(i.email) = lower($3)
        AND NOT EXISTS (SELECT FROM users u WHERE lower(u.email) = lower(i.email))
        AND a.id = i.account_id AND a.suspended_at IS NULL
      RETURNING i.account_id, i.email, i.role),
    new_user AS (
      INSERT INTO users (id, email, password_hash, created_at, email_proven_at)
      SELECT $4, email, $7, $6, $6 FROM invitation
      ON CONFLICT DO NOTHING RETURNING id),
    identity AS (
      INSERT INTO user_identities (issuer, subject, user_id, created_at) SELECT $1, $2, id, $6 FROM new_user)
    INSERT INTO memberships (account_id, user_id, role) SELECT account_id, id, role FROM invitation, new_user
    RETURNING user_id AS "userId"`,
};

const insertUnknown: Statement = {
  name: "user-identities.insert-unknown",
  text: `
    WITH account AS (SELECT id FROM accounts WHERE id = $5 AND suspended_at IS NULL),
    new_user AS (
      INSERT INTO users (id, email, password_hash, created_at, email_proven_at)
      SELECT $4, lower($3), $8, $7, $7 FROM account
      ON CONFLICT DO NOTHING RETURNING id),
    identity AS (
      INSERT INTO user_identities (issuer, subject, user_id, created_at) SELECT $1, $2, id, $7 FROM new_user)
    INSERT INTO memberships (account_id, user_id, role) SELECT account.id, new_user.id, $6 FROM account, new_user
    RETURNING user_id AS "userId"`,
};

/** The address may have a new holder, so nothing shows any more that it is the user's. */
const removeByEmail: Statement = {
  name: "user-identities.remove-by-email",
  text: `
    WITH found AS (SELECT id, email FROM users WHERE lower(email) = lower($1)),
    unproven AS (UPDATE users u SET email_proven_at = NULL FROM found WHERE u.id = found.id),
    removed AS (DELETE FROM user_identities i USING found WHERE i.user_id = found.id RETURNING i.issuer)
    SELECT found.email, (SELECT count(*)::int FROM removed) AS removed FROM found`,
};

/**
 * Finds the user by issuer and subject; at their first sign-in by the address, and links them.
 * @param createPasswordHash of a random password, which is not kept: it replaces one that a stranger may have chosen.
 */
export function findOrLinkUser(
  database: Pick<Database, "transaction">,
  { issuer, subject, email }: UserIdentity,
  createPasswordHash: () => Promise<string>,
): Promise<FoundUser> {
  return database.transaction(async (sql) => {
    await sql.rows(lock, [email]);
    const [known] = await sql.rows<{ userId: string }>(find, [issuer, subject]);
    if (known) return known;
    const [addressee] = await sql.rows<{ userId: string }>(nameActor, [email]);
    if (!addressee) return "unknown";
    await sql.rows(lockGrantsOfUser, [addressee.userId]);
    const values = [issuer, subject, email, await createPasswordHash()];
    const [user] = await sql.rows<{ userId: string | null }>(link, values);
    if (!user) return "unknown";
    return user.userId === null ? "other_subject" : { userId: user.userId };
  });
}

/**
 * Creates the user of an identity as a member of an account.
 * @returns whether it did: not with a link that is over or for another address, nor when the user exists by now.
 */
export function joinByIdentity(
  database: Pick<Database, "transaction">,
  { issuer, subject, email }: UserIdentity,
  joining: Joining,
  user: { readonly userId: string; readonly passwordHash: string; readonly now: Instant },
): Promise<boolean> {
  const { userId, passwordHash, now } = user;
  const identity = [issuer, subject, email, userId];
  return database.transaction(async (sql) => {
    await sql.rows(lock, [email]);
    const rows =
      "invitationSha256" in joining
        ? await sql.rows(insertInvited, [...identity, joining.invitationSha256, now, passwordHash])
        : await sql.rows(insertUnknown, [...identity, joining.accountId, joining.role, now, passwordHash]);
    return rows.length === 1;
  });
}

/**
 * Unlinks the identities of a user, for the operator: the next sign-in by a provider links them again, and as a user
 * whose address is not proven. Null when no user has the address.
 */
export function unlinkIdentities(
  sql: Sql,
  email: string,
): Promise<{ readonly email: string; readonly removed: number } | null> {
  return firstRow(sql.rows<{ email: string; removed: number }>(removeByEmail, [email]));
}
