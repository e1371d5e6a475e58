import type { Instant } from "@svc/domain";
import { sha256 } from "../secrets.ts";
import type { Sql, Statement } from "../sql.ts";

/** How an OpenID Connect provider names the user of a session, and its own session if it does. */
export interface SessionIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly providerSession: string | null;
}

/** The verified logout token of a provider: it names the user, one session, or both. */
export interface ProviderLogout {
  readonly issuer: string;
  readonly subject: string | null;
  readonly providerSession: string | null;
  /** The identifier of the token, and until when the token would be accepted. */
  readonly tokenId: string;
  readonly until: Instant;
}

/** A session whose provider did not name it ends with any session of its user. */
const isEnded = (one: string): string => `${one}.issuer = $3
        AND ($4::text IS NULL OR ${one}.subject = $4)
        AND ($5::text IS NULL OR ${one}.provider_session = $5
          OR $4::text IS NOT NULL AND ${one}.provider_session IS NULL)`;

/** Deletes expired tokens in the same statement, so that the table does not grow without limit. */
const end: Statement = {
  name: "sessions.end-by-provider",
  text: `
    WITH over AS (DELETE FROM used_logout_tokens WHERE until <= now()),
    used AS (
      INSERT INTO used_logout_tokens (key_sha256, until) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING until),
    begun AS (DELETE FROM sign_in_challenges c USING used WHERE ${isEnded("c")}),
    ended AS (
      UPDATE user_sessions s SET revoked_at = now() FROM used
      WHERE ${isEnded("s")} AND s.revoked_at IS NULL RETURNING s.user_id)
    SELECT (SELECT count(*)::int FROM used) AS used, (SELECT count(*)::int FROM ended) AS ended`,
};

/** Ends the sessions that a logout token names. @returns how many; null: the token was used before. */
export async function endSessionsByProvider(
  sql: Sql,
  { issuer, subject, providerSession, tokenId, until }: ProviderLogout,
): Promise<number | null> {
  const key = sha256(JSON.stringify([issuer, tokenId]));
  const values = [key, until, issuer, subject, providerSession];
  const [result] = await sql.rows<{ used: number; ended: number }>(end, values);
  return result?.used === 1 ? result.ended : null;
}
