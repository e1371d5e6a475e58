import type { Instant } from "@svc/domain";
import { type DisplayPreferences, type MemberRole, readPreferences } from "@svc/domain/members";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import type { TokenOwner } from "../tokens/token-repository.ts";
import type { SessionIdentity } from "./provider-logout.ts";

/** "operator_link": by a password that the operator let an owner choose, where single sign-on is required. */
type PasswordMethod = "password" | "operator_link";

/** How a user signed in; "trusted" by a provider that is trusted with the second factor. */
export type SignInMethod = PasswordMethod | "single_sign_on" | "trusted_single_sign_on";

/** A user's credentials for the login, with the user's account. */
export interface UserCredentials {
  readonly userId: string;
  readonly accountId: string;
  readonly passwordHash: string;
  /** Method of a session that the password starts; null: every account of the user requires single sign-on. */
  readonly passwordMethod: PasswordMethod | null;
}

/** The signed-in user. */
export interface SessionOwner {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  readonly companyName: string;
  readonly role: MemberRole;
  /** Whether the user can work in another account too. */
  readonly hasOtherAccounts: boolean;
  readonly method: SignInMethod;
  /** Requirement of the account; "missing": it is required, and the user has not set it up. */
  readonly twoFactor: "optional" | "required" | "missing";
  readonly preferences: DisplayPreferences;
}

/** A session of a user, without its cookie. */
export interface OpenSession {
  readonly tokenSha256: Buffer;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** Accurate to five minutes. */
  readonly lastUsedAt: Instant;
  /** The User-Agent of the login. */
  readonly userAgent: string | null;
}

export interface NewSession {
  /** SHA-256 of the cookie's value; the value itself is not stored. */
  readonly tokenSha256: Buffer;
  readonly userId: string;
  readonly accountId: string;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly userAgent?: string | null;
  /** Default: "password". */
  readonly method?: SignInMethod;
  /** Identity at the provider, when a provider signed the user in. */
  readonly identity?: SessionIdentity | null;
}

export interface AccountSwitch {
  readonly userId: string;
  readonly from: Buffer;
  /** SHA-256 of the new cookie's value. */
  readonly to: Buffer;
  readonly accountId: string;
  readonly now: Instant;
}

/** Time after which an unused session expires. */
const idleHours = 12;

const passwordMethod = `
      CASE WHEN NOT a.requires_single_sign_on THEN 'password'
        WHEN m.role = 'owner' AND u.password_allowed_until > now() THEN 'operator_link' END`;

/**
 * The account that was used last, at first the oldest. Of a sign-in by password those that allow it come first, and
 * among them those with the same method: a session cannot switch to an account that needs the operator's link.
 * @param method an SQL expression.
 */
const credentials = (condition: string, method: string): string => `
    SELECT u.id AS "userId", m.account_id AS "accountId", u.password_hash AS "passwordHash",
      ${passwordMethod} AS "passwordMethod"
    FROM users u JOIN memberships m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
      AND a.suspended_at IS NULL
    WHERE ${condition}
    ORDER BY ${method} IN ('password', 'operator_link') AND ${passwordMethod} IS NULL,
      ${passwordMethod} IS NOT DISTINCT FROM ${method} DESC,
      (SELECT max(s.last_used_at) FROM user_sessions s WHERE s.user_id = u.id AND s.account_id = m.account_id)
      DESC NULLS LAST, a.created_at, a.id LIMIT 1`;

const credentialsByEmail: Statement = {
  name: "sessions.credentials-by-email",
  text: credentials("lower(u.email) = lower($1)", "'operator_link'"),
};

const credentialsById: Statement = {
  name: "sessions.credentials-by-id",
  text: credentials("u.id = $1", "$2::text"),
};

/** Whether a session may be used in account `a`, which may require single sign-on. */
const fitsAccount = (session: string): string => `(NOT a.requires_single_sign_on OR ${session}.method <> 'password')`;

/**
 * Condition of a valid session.
 * @param now an SQL expression.
 */
const isOpen = (
  session: string,
  now: string,
): string => `${session}.revoked_at IS NULL AND ${session}.expires_at > ${now}
      AND ${session}.last_used_at > ${now} - interval '${idleHours} hours'`;

/** Whether the member `m` in a session has no second factor, neither here nor at a trusted provider. */
const isWithoutTwoFactor = `(session.method <> 'trusted_single_sign_on'
        AND NOT EXISTS (SELECT FROM user_totp t WHERE t.user_id = m.user_id AND t.confirmed_at IS NOT NULL))`;

/** Deletes the user's expired sessions in the same statement, so that the table does not grow without limit. */
const insert: Statement = {
  name: "sessions.insert",
  text: `
    WITH over AS (DELETE FROM user_sessions WHERE user_id = $2 AND expires_at <= $4::timestamptz)
    INSERT INTO user_sessions
      (token_sha256, user_id, account_id, created_at, expires_at, user_agent, last_used_at, method,
        issuer, subject, provider_session)
    VALUES ($1, $2, $3, $4, $5, $6, $4, $7, $8, $9, $10)`,
};

/**
 * Reads the membership each time, so that a removed member loses access at once. Also records the use of the session,
 * at most once in five minutes.
 */
const findOwner: Statement = {
  name: "sessions.find-owner",
  text: `
    WITH used AS (
      UPDATE user_sessions session SET last_used_at = $2
      WHERE session.token_sha256 = $1 AND ${isOpen("session", "$2::timestamptz")}
        AND session.last_used_at < $2::timestamptz - interval '5 minutes')
    SELECT u.id AS "userId", m.account_id AS "accountId", u.email, a.company_name AS "companyName", m.role,
      EXISTS (SELECT FROM memberships o JOIN accounts b ON b.id = o.account_id AND b.suspended_at IS NULL
        WHERE o.user_id = m.user_id AND o.account_id <> m.account_id) AS "hasOtherAccounts",
      session.method,
      CASE WHEN NOT a.requires_two_factor THEN 'optional' WHEN ${isWithoutTwoFactor} THEN 'missing' ELSE 'required' END
        AS "twoFactor", m.date_order AS "dateOrder", m.clock, m.units
    FROM user_sessions session
    JOIN memberships m ON m.user_id = session.user_id AND m.account_id = session.account_id
    JOIN users u ON u.id = m.user_id
    JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL AND ${fitsAccount("session")}
    WHERE session.token_sha256 = $1 AND ${isOpen("session", "$2::timestamptz")}`,
};

/** The web application's requests to the API for a user: the role decides what they may do. None before the set-up. */
const authenticate: Statement = {
  name: "sessions.authenticate",
  text: `
    SELECT NULL AS "tokenId", m.account_id AS "accountId", m.user_id AS "userId", ARRAY['read', 'write'] AS scopes,
      m.role, a.features, session.expires_at AS "expiresAt"
    FROM user_sessions session
    JOIN memberships m ON m.user_id = session.user_id AND m.account_id = session.account_id
    JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL AND ${fitsAccount("session")}
      AND NOT (a.requires_two_factor AND ${isWithoutTwoFactor})
    WHERE session.token_sha256 = $1 AND ${isOpen("session", "now()")}`,
};

const revoke: Statement = {
  name: "sessions.revoke",
  text: "UPDATE user_sessions SET revoked_at = $2 WHERE token_sha256 = $1 AND revoked_at IS NULL",
};

/** The operator's link is for the account that the owner signed in to. */
const switchFits = "(NOT a.requires_single_sign_on OR s.method IN ('single_sign_on', 'trusted_single_sign_on'))";

/** A session of its own, so that no process has it cached for the former account. It ends when the former one would. */
const switchAccount: Statement = {
  name: "sessions.switch-account",
  text: `
    WITH target AS (
      SELECT m.account_id, a.requires_single_sign_on
      FROM memberships m JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NULL
      WHERE m.user_id = $2 AND m.account_id = $4),
    former AS (
      UPDATE user_sessions s SET revoked_at = $5 FROM target a
      WHERE s.token_sha256 = $1 AND s.user_id = $2 AND ${isOpen("s", "$5::timestamptz")} AND ${switchFits}
      RETURNING a.account_id, s.created_at, s.expires_at, s.user_agent, s.issuer, s.subject, s.provider_session,
        CASE s.method WHEN 'operator_link' THEN 'password' ELSE s.method END AS method)
    INSERT INTO user_sessions
      (token_sha256, user_id, account_id, created_at, expires_at, user_agent, last_used_at, method,
        issuer, subject, provider_session)
    SELECT $3, $2, account_id, created_at, expires_at, user_agent, $5::timestamptz, method,
      issuer, subject, provider_session FROM former
    RETURNING expires_at AS "expiresAt"`,
};

const listOpen: Statement = {
  name: "sessions.list-open",
  text: `
    SELECT token_sha256 AS "tokenSha256", created_at AS "createdAt", expires_at AS "expiresAt",
      last_used_at AS "lastUsedAt", user_agent AS "userAgent"
    FROM user_sessions session WHERE user_id = $1 AND ${isOpen("session", "$2::timestamptz")} ORDER BY created_at DESC`,
};

const revokeByToken: Statement = {
  name: "sessions.revoke-of",
  text: `
    UPDATE user_sessions SET revoked_at = $3 WHERE user_id = $1 AND token_sha256 = $2 AND revoked_at IS NULL`,
};

const revokeOthers: Statement = {
  name: "sessions.revoke-others",
  text: `
    UPDATE user_sessions SET revoked_at = $3
    WHERE user_id = $1 AND token_sha256 IS DISTINCT FROM $2 AND revoked_at IS NULL`,
};

type OwnerRow = Omit<SessionOwner, "preferences"> & Parameters<typeof readPreferences>[0];

export interface SessionRepository {
  /**
   * Null when no user with this address is a member of an account. Ignores case. After the use of an operator's link,
   * accounts that need it come first.
   */
  findCredentials(email: string): Promise<UserCredentials | null>;
  /** @param method how the user signs in; by password the accounts that allow this method come first. */
  findCredentialsOf(userId: string, method: SignInMethod): Promise<UserCredentials | null>;
  create(session: NewSession): Promise<void>;
  /** Null for a session that is unknown, revoked, expired, or unused for 12 hours. */
  findOwner(tokenSha256: Buffer, now: Instant): Promise<SessionOwner | null>;
  /** The session as the API's caller; null when it is unknown, revoked or expired, or a second factor is missing. */
  authenticate(tokenSha256: Buffer): Promise<TokenOwner | null>;
  revoke(tokenSha256: Buffer, now: Instant): Promise<void>;
  /**
   * Replaces a session by one of another account of the user.
   * @returns when it expires; null, without a change, when the user is not a member of the account, or the account
   * requires single sign-on.
   */
  switchAccount(change: AccountSwitch): Promise<Instant | null>;
  /** The valid sessions of a user, latest first. */
  listOpen(userId: string, now: Instant): Promise<OpenSession[]>;
  /** Does nothing when the session belongs to another user. */
  revokeOf(userId: string, tokenSha256: Buffer, now: Instant): Promise<void>;
  /** Revokes all sessions of a user except that of `exceptTokenSha256`; null: all. */
  revokeOthers(userId: string, exceptTokenSha256: Buffer | null, now: Instant): Promise<void>;
}

export function createSessionRepository(sql: Sql): SessionRepository {
  return {
    findCredentials: (email) => firstRow(sql.rows<UserCredentials>(credentialsByEmail, [email])),
    findCredentialsOf: (userId, method) => firstRow(sql.rows<UserCredentials>(credentialsById, [userId, method])),
    async create(session) {
      const { tokenSha256, userId, accountId, createdAt, expiresAt, userAgent = null, method = "password" } = session;
      const { issuer = null, subject = null, providerSession = null } = session.identity ?? {};
      const values = [tokenSha256, userId, accountId, createdAt, expiresAt, userAgent, method];
      await sql.execute(insert, [...values, issuer, subject, providerSession]);
    },
    async findOwner(tokenSha256, now) {
      const [row] = await sql.rows<OwnerRow>(findOwner, [tokenSha256, now]);
      if (!row) return null;
      const { dateOrder, clock, units, ...owner } = row;
      return { ...owner, preferences: readPreferences({ dateOrder, clock, units }) };
    },
    authenticate: (tokenSha256) => firstRow(sql.rows<TokenOwner>(authenticate, [tokenSha256])),
    async revoke(tokenSha256, now) {
      await sql.execute(revoke, [tokenSha256, now]);
    },
    async switchAccount({ userId, from, to, accountId, now }) {
      const values = [from, userId, to, accountId, now];
      return (await sql.rows<{ expiresAt: Instant }>(switchAccount, values))[0]?.expiresAt ?? null;
    },
    listOpen: (userId, now) => sql.rows<OpenSession>(listOpen, [userId, now]),
    async revokeOf(userId, tokenSha256, now) {
      await sql.execute(revokeByToken, [userId, tokenSha256, now]);
    },
    async revokeOthers(userId, exceptTokenSha256, now) {
      await sql.execute(revokeOthers, [userId, exceptTokenSha256, now]);
    },
  };
}
