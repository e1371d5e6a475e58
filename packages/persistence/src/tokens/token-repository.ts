import { randomBytes } from "node:crypto";
import type { Instant } from "@svc/domain";
import type { MemberRole } from "@svc/domain/members";
import { sha256 } from "../secrets.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";

export const tokenScopes = ["read", "write"] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The owner of a valid API token or session. */
export interface TokenOwner {
  /** Null for a session of the web application. */
  readonly tokenId: string | null;
  readonly accountId: string;
  /** The user who created the token or owns the session; null for a token that no user created. */
  readonly userId: string | null;
  readonly scopes: readonly TokenScope[];
  /** Role of the member in the session, or the role that the token is limited to. */
  readonly role: MemberRole;
  /** Enabled paid features of the account. */
  readonly features: readonly string[];
  readonly expiresAt: Instant | null;
}

/**
 * Finds the owner of a token and records its use, at most once a minute. No row for a token that is revoked or expired,
 * or of a suspended account.
 */
const authenticate: Statement = {
  name: "tokens.authenticate",
  text: `
    WITH token AS (
      SELECT t.id, t.account_id, t.created_by_user_id, t.scopes, t.role, t.expires_at, t.last_used_at, a.features
      FROM api_tokens t JOIN accounts a ON a.id = t.account_id AND a.suspended_at IS NULL
      WHERE t.token_sha256 = $1 AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > now())),
    used AS (
      UPDATE api_tokens SET last_used_at = now() FROM token
      WHERE api_tokens.id = token.id
        AND (token.last_used_at IS NULL OR token.last_used_at < now() - interval '1 minute'))
    SELECT id AS "tokenId", account_id AS "accountId", created_by_user_id AS "userId", scopes, role, features,
      expires_at AS "expiresAt" FROM token`,
};

export interface TokenRepository {
  /** Finds the owner by the SHA-256 of the token; null when the token is not valid. */
  authenticate(tokenSha256: Buffer): Promise<TokenOwner | null>;
}

export function createTokenRepository(sql: Sql): TokenRepository {
  return {
    authenticate: (tokenSha256) => firstRow(sql.rows<TokenOwner>(authenticate, [tokenSha256])),
  };
}

/** A new API token; only `hint` and `tokenSha256` are stored. */
export interface GeneratedToken {
  readonly token: string;
  /** The last four characters, by which users distinguish tokens. */
  readonly hint: string;
  readonly tokenSha256: Buffer;
}

export function generateApiToken(): GeneratedToken {
  const token = `svc_live_${randomBytes(20).toString("hex")}`;
  return { token, hint: token.slice(-4), tokenSha256: sha256(token) };
}
