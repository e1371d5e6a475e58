import type { Instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { firstRow, type Sql, type Statement } from "../sql.ts";

export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: MemberRole;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface NewInvitation extends Invitation {
  /** SHA-256 of the secret in the link. */
  readonly tokenSha256: Buffer;
}

/** The account and user of an accepted invitation. */
export interface Acceptance {
  readonly accountId: string;
  readonly userId: string;
}

/** One invitation for an email address: a new one replaces the previous one. */
const insert: Statement = {
  name: "invitations.insert",
  text: `
    WITH before AS (DELETE FROM invitations WHERE account_id = $1 AND (lower(email) = lower($3) OR expires_at <= $6))
    INSERT INTO invitations (account_id, id, email, role, token_sha256, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

const columns = `id, email, role, created_at AS "createdAt", expires_at AS "expiresAt"`;

const listOpen: Statement = {
  name: "invitations.list-open",
  text: `SELECT ${columns} FROM invitations WHERE account_id = $1 AND expires_at > $2 ORDER BY created_at DESC, id DESC`,
};

const withdraw: Statement = {
  name: "invitations.withdraw",
  text: "DELETE FROM invitations WHERE account_id = $1 AND id = $2",
};

const findOpen: Statement = {
  name: "invitations.find-open",
  text: `
    SELECT i.email, a.company_name AS "companyName", a.requires_single_sign_on AS "requiresSingleSignOn",
      u.id AS "userId"
    FROM invitations i JOIN accounts a ON a.id = i.account_id AND a.suspended_at IS NULL
    LEFT JOIN users u ON lower(u.email) = lower(i.email) WHERE i.token_sha256 = $1 AND i.expires_at > $2`,
};

/**
 * One statement, so that a link that is used twice concurrently creates one user. It stays when a user with the address
 * was created meanwhile, who accepts it then.
 */
const accept: Statement = {
  name: "invitations.accept",
  text: `
    WITH invitation AS (
      DELETE FROM invitations i WHERE token_sha256 = $1 AND expires_at > $4
        AND NOT EXISTS (SELECT FROM users u WHERE lower(u.email) = lower(i.email))
      RETURNING account_id, email, role),
    new_user AS (
      INSERT INTO users (id, email, password_hash, created_at) SELECT $2, email, $3, $4 FROM invitation
      ON CONFLICT DO NOTHING RETURNING id)
    INSERT INTO memberships (account_id, user_id, role) SELECT account_id, id, role FROM invitation, new_user
    RETURNING account_id AS "accountId", user_id AS "userId"`,
};

/** A role that the user has in the account already stays. */
const acceptAs: Statement = {
  name: "invitations.accept-as",
  text: `
    WITH invitation AS (
      DELETE FROM invitations i USING users u
      WHERE i.token_sha256 = $1 AND i.expires_at > $3 AND u.id = $2 AND lower(u.email) = lower(i.email)
      RETURNING i.account_id, i.role)
    INSERT INTO memberships (account_id, user_id, role) SELECT account_id, $2::uuid, role FROM invitation
    ON CONFLICT (account_id, user_id) DO UPDATE SET role = memberships.role
    RETURNING account_id AS "accountId", user_id AS "userId"`,
};

/** Facts that the link of an invitation shows. */
export interface OpenInvitation {
  readonly email: string;
  readonly companyName: string;
  readonly requiresSingleSignOn: boolean;
  /** The user who has the address already; null: none has. */
  readonly userId: string | null;
}

/** Invitation links to join an account. */
export interface InvitationRepository {
  create(accountId: string, invitation: NewInvitation): Promise<void>;
  /** Open invitations, latest first. */
  listOpen(accountId: string, now: Instant): Promise<Invitation[]>;
  withdraw(accountId: string, id: string): Promise<void>;
  /** Null when it is unknown, used, withdrawn or expired, or the account is suspended. */
  findOpen(tokenSha256: Buffer, now: Instant): Promise<OpenInvitation | null>;
  /** Creates the user. Null when the link is no longer valid, or a user with the address exists. */
  accept(
    tokenSha256: Buffer,
    user: { readonly userId: string; readonly passwordHash: string; readonly now: Instant },
  ): Promise<Acceptance | null>;
  /** Makes an existing user a member. Null when the link is no longer valid, or is for another address. */
  acceptAs(tokenSha256: Buffer, userId: string, now: Instant): Promise<Acceptance | null>;
}

export function createInvitationRepository(sql: Sql): InvitationRepository {
  return {
    async create(accountId, { id, email, role, tokenSha256, createdAt, expiresAt }) {
      await sql.execute(insert, [accountId, id, email, role, tokenSha256, createdAt, expiresAt]);
    },
    listOpen: (accountId, now) => sql.rows<Invitation>(listOpen, [accountId, now]),
    async withdraw(accountId, id) {
      await sql.execute(withdraw, [accountId, id]);
    },
    findOpen: (tokenSha256, now) => firstRow(sql.rows<OpenInvitation>(findOpen, [tokenSha256, now])),
    async accept(tokenSha256, { userId, passwordHash, now }) {
      return firstRow(sql.rows<Acceptance>(accept, [tokenSha256, userId, passwordHash, now]));
    },
    acceptAs: (tokenSha256, userId, now) => firstRow(sql.rows<Acceptance>(acceptAs, [tokenSha256, userId, now])),
  };
}
