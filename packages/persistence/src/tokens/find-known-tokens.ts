import { Batcher } from "../batcher.ts";
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

const pauseMs = 100;

/**
 * Whether a token of a SHA-256 digest (base64) exists, for addresses that used up their limit of invalid tokens.
 * Waiting requests share the next statement, one at a time and at most one each 100 ms, so that the load on the
 * database does not grow with the flood.
 */
export function createKnownTokenCheck(
  findKnown: (digests: readonly Buffer[]) => Promise<readonly Buffer[]>,
): (sha256: string) => Promise<boolean> {
  const lookups = new Batcher<string, boolean>(
    Number.POSITIVE_INFINITY,
    async (digests) => {
      const found = await findKnown(digests.map((digest) => Buffer.from(digest, "base64")));
      const known = new Set(found.map((digest) => digest.toString("base64")));
      return digests.map((digest) => known.has(digest));
    },
    pauseMs,
  );
  return (sha256) => lookups.add(sha256);
}
