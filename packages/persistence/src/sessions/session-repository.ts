import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A user as the login needs them, with the account that they work in. */
export interface UserCredentials {
  readonly userId: string;
  readonly accountId: string;
  readonly passwordHash: string;
}

/** Who is logged in. */
export interface SessionOwner {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly companyName: string;
}

export interface NewSession {
  /** SHA-256 of the cookie's value; the value itself is stored nowhere. */
  readonly tokenSha256: Buffer;
  readonly userId: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

/** A user of several accounts works in the one that is oldest. */
const credentialsByEmail: Statement = {
  name: "sessions.credentials-by-email",
  text: `
    SELECT u.id AS "userId", m.account_id AS "accountId", u.password_hash AS "passwordHash"
    FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
    WHERE lower(u.email) = lower($1) ORDER BY a.created_at, a.id LIMIT 1`,
};

/** The user's sessions that are over go at the same time, so that the table does not grow for ever. */
const insert: Statement = {
  name: "sessions.insert",
  text: `
    WITH over AS (DELETE FROM user_sessions WHERE user_id = $2 AND expires_at <= $4::timestamptz)
    INSERT INTO user_sessions (token_sha256, user_id, account_id, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)`,
};

/** The membership is read anew each time: who leaves an account loses it at once. */
const findOwner: Statement = {
  name: "sessions.find-owner",
  text: `
    SELECT u.id AS "userId", m.account_id AS "accountId", u.email, a.company_name AS "companyName"
    FROM user_sessions session
    JOIN memberships m ON m.user_id = session.user_id AND m.account_id = session.account_id
    JOIN users u ON u.id = m.user_id
    JOIN accounts a ON a.id = m.account_id
    WHERE session.token_sha256 = $1 AND session.revoked_at IS NULL AND session.expires_at > $2`,
};

const revoke: Statement = {
  name: "sessions.revoke",
  text: "UPDATE user_sessions SET revoked_at = $2 WHERE token_sha256 = $1 AND revoked_at IS NULL",
};

export interface SessionRepository {
  /** Null when no user with this address belongs to an account. Case does not matter. */
  findCredentials(email: string): Promise<UserCredentials | null>;
  create(session: NewSession): Promise<void>;
  /** Null for a session that is unknown, revoked or over. */
  findOwner(tokenSha256: Buffer, now: Instant): Promise<SessionOwner | null>;
  revoke(tokenSha256: Buffer, now: Instant): Promise<void>;
}

export function createSessionRepository(sql: Sql): SessionRepository {
  return {
    async findCredentials(email) {
      return (await sql.rows<UserCredentials>(credentialsByEmail, [email]))[0] ?? null;
    },
    async create({ tokenSha256, userId, accountId, createdAt, expiresAt }) {
      await sql.execute(insert, [tokenSha256, userId, accountId, createdAt, expiresAt]);
    },
    async findOwner(tokenSha256, now) {
      return (await sql.rows<SessionOwner>(findOwner, [tokenSha256, now]))[0] ?? null;
    },
    async revoke(tokenSha256, now) {
      await sql.execute(revoke, [tokenSha256, now]);
    },
  };
}
