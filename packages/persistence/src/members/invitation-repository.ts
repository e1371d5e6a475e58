import type { Instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import type { Sql, Statement } from "../sql.ts";

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
    SELECT i.email, a.company_name AS "companyName"
    FROM invitations i JOIN accounts a ON a.id = i.account_id WHERE i.token_sha256 = $1 AND i.expires_at > $2`,
};

/** One statement, so that a link that is used twice concurrently creates one user. */
const accept: Statement = {
  name: "invitations.accept",
  text: `
    WITH invitation AS (
      DELETE FROM invitations WHERE token_sha256 = $1 AND expires_at > $4 RETURNING account_id, email, role),
    new_user AS (
      INSERT INTO users (id, email, password_hash, created_at) SELECT $2, email, $3, $4 FROM invitation
      ON CONFLICT DO NOTHING RETURNING id)
    INSERT INTO memberships (account_id, user_id, role) SELECT account_id, id, role FROM invitation, new_user
    RETURNING account_id AS "accountId", user_id AS "userId"`,
};

/** Invitation links to join an account. */
export interface InvitationRepository {
  create(accountId: string, invitation: NewInvitation): Promise<void>;
  /** Open invitations, latest first. */
  listOpen(accountId: string, now: Instant): Promise<Invitation[]>;
  withdraw(accountId: string, id: string): Promise<void>;
  /** The address and account of an invitation; null when it is unknown, used, withdrawn or expired. */
  findOpen(tokenSha256: Buffer, now: Instant): Promise<{ email: string; companyName: string } | null>;
  /** Creates the user. Null when the link is no longer valid, or a user with the address exists. */
  accept(
    tokenSha256: Buffer,
    user: { readonly userId: string; readonly passwordHash: string; readonly now: Instant },
  ): Promise<Acceptance | null>;
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
    async findOpen(tokenSha256, now) {
      return (await sql.rows<{ email: string; companyName: string }>(findOpen, [tokenSha256, now]))[0] ?? null;
    },
    async accept(tokenSha256, { userId, passwordHash, now }) {
      return (await sql.rows<Acceptance>(accept, [tokenSha256, userId, passwordHash, now]))[0] ?? null;
    },
  };
}
