import type { Sql, Statement } from "../sql.ts";

const findKnown: Statement = {
  name: "tokens.find-known",
  text: `
    SELECT token_sha256 AS "sha256" FROM api_tokens
    WHERE token_sha256 = ANY($1::bytea[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
    UNION ALL
    SELECT token_sha256 FROM user_sessions
    WHERE token_sha256 = ANY($1::bytea[]) AND revoked_at IS NULL AND expires_at > now()`,
};

/**
 * Returns the SHA-256 digests that belong to an API token or a session that may still be valid. One statement for any
 * number of digests, so that a flood of invented tokens costs few statements; authentication decides afterwards.
 */
export async function findKnownTokens(sql: Sql, digests: readonly Buffer[]): Promise<Buffer[]> {
  const rows = await sql.rows<{ readonly sha256: Buffer }>(findKnown, [digests]);
  return rows.map(({ sha256 }) => sha256);
}
