import type { Instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { withNames } from "../named-parameters.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import type { TokenScope } from "./token-repository.ts";

/** Metadata of an account's API token; of the token itself only the hash is stored. */
export interface AccountToken {
  readonly id: string;
  readonly name: string;
  /** The token's last four characters. */
  readonly hint: string;
  readonly scopes: readonly TokenScope[];
  /** Role, at most that of the member who created it. */
  readonly role: MemberRole;
  /** Email address of the user who created it; null when no user did, or the user was deleted. */
  readonly createdBy: string | null;
  readonly createdAt: Instant;
  readonly lastUsedAt: Instant | null;
  readonly expiresAt: Instant | null;
}

export interface NewAccountToken {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly hint: string;
  readonly tokenSha256: Buffer;
  readonly createdByUserId: string;
  readonly expiresAt: Instant | null;
  readonly createdAt: Instant;
}

const columns = `
  t.id, t.name, t.hint, t.scopes, t.role, u.email AS "createdBy", t.created_at AS "createdAt",
  t.last_used_at AS "lastUsedAt", t.expires_at AS "expiresAt"
  FROM api_tokens t LEFT JOIN users u ON u.id = t.created_by_user_id`;

/** Access tokens of connected applications come and go by the hour, and are revoked with their application. */
const isCreated = "t.revoked_at IS NULL AND t.oauth_grant_id IS NULL";

const list: Statement = {
  name: "account-tokens.list",
  text: `SELECT ${columns} WHERE t.account_id = $1 AND ${isCreated} ORDER BY t.created_at DESC, t.id DESC`,
};

const listByCreator: Statement = {
  name: "account-tokens.list-of-creator",
  text: `
    SELECT ${columns} WHERE t.account_id = $1 AND t.created_by_user_id = $2 AND ${isCreated}
      AND (t.expires_at IS NULL OR t.expires_at > now()) ORDER BY t.created_at DESC, t.id DESC`,
};

const find: Statement = {
  name: "account-tokens.find",
  text: `SELECT ${columns} WHERE t.account_id = $1 AND t.id = $2 AND ${isCreated}`,
};

/** Inserts a token with the member's role at this moment; a concurrent change of the role is awaited. */
const insert = withNames(
  {
    name: "account-tokens.insert",
    text: `
    INSERT INTO api_tokens (account_id, id, name, scopes, role, hint, token_sha256, created_by_user_id, expires_at,
      created_at)
    SELECT m.account_id, :id, :name, :scopes, m.role, :hint, :tokenSha256, m.user_id, :expiresAt, :createdAt
    FROM memberships m WHERE m.account_id = :accountId AND m.user_id = :createdByUserId FOR SHARE
    ON CONFLICT (id) DO NOTHING RETURNING id`,
  },
  ["id", "name", "scopes", "hint", "tokenSha256", "createdByUserId", "expiresAt", "createdAt"],
);

const revoke: Statement = {
  name: "account-tokens.revoke",
  text: `
    UPDATE api_tokens SET revoked_at = $3 WHERE account_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`,
};

/** The API tokens that an account's members manage in the dashboard, without revoked ones. */
export interface AccountTokenRepository {
  /** Tokens, newest first. */
  list(accountId: string): Promise<AccountToken[]>;
  /** Lists the tokens that a member created and that still work, newest first. */
  listOfCreator(accountId: string, userId: string): Promise<AccountToken[]>;
  find(accountId: string, id: string): Promise<AccountToken | null>;
  /** False, without a change, when a token with this id exists, or its creator is not a member of the account. */
  create(accountId: string, token: NewAccountToken): Promise<boolean>;
  /** Revokes a token. False when the account has no such token. */
  revoke(accountId: string, id: string, at: Instant): Promise<boolean>;
}

export function createAccountTokenRepository(sql: Sql): AccountTokenRepository {
  return {
    list: (accountId) => sql.rows<AccountToken>(list, [accountId]),
    listOfCreator: (accountId, userId) => sql.rows<AccountToken>(listByCreator, [accountId, userId]),
    find: (accountId, id) => firstRow(sql.rows<AccountToken>(find, [accountId, id])),
    async create(accountId, token) {
      return (await sql.rows(insert, insert.values({ ...token, accountId }))).length === 1;
    },
    async revoke(accountId, id, at) {
      return (await sql.rows(revoke, [accountId, id, at])).length === 1;
    },
  };
}
