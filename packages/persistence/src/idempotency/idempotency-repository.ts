import type { Database } from "../database.ts";
import type { SecretBox } from "../secret-box.ts";
import type { Statement } from "../sql.ts";

/** An answer as it was sent. */
export interface RememberedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Claim =
  /** Nobody has used the key: act, then `remember` or `forget`. */
  | { readonly kind: "claimed" }
  | { readonly kind: "answered"; readonly answer: RememberedAnswer }
  /** The first request with the key is still running. */
  | { readonly kind: "running" }
  /** The key was used for another request. */
  | { readonly kind: "reused" };

export interface IdempotencyRequest {
  /** SHA-256 of the operation and the key. */
  readonly keySha256: Buffer;
  /** SHA-256 of the request. */
  readonly requestSha256: Buffer;
}

/** A claim is renewed while its request runs, so that a process that died with it blocks the key for seconds only. */
const claim: Statement = {
  name: "idempotency.claim",
  text: `
    WITH claimed AS (
      INSERT INTO idempotency_keys (account_id, key_sha256, request_sha256, expires_at)
      VALUES ($1, $2, $3, now() + interval '5 seconds')
      ON CONFLICT (account_id, key_sha256) DO UPDATE SET request_sha256 = excluded.request_sha256,
        expires_at = excluded.expires_at, status = NULL, headers = NULL, sealed_body = NULL
        WHERE idempotency_keys.expires_at <= now()
      RETURNING true AS claimed)
    SELECT true AS claimed, NULL::bytea AS request_sha256, NULL::int AS status, NULL::jsonb AS headers, NULL::bytea AS sealed_body
    FROM claimed
    UNION ALL
    SELECT false, request_sha256, status, headers, sealed_body FROM idempotency_keys
    WHERE account_id = $1 AND key_sha256 = $2 AND NOT EXISTS (SELECT FROM claimed)`,
};

const renew: Statement = {
  name: "idempotency.renew",
  text: `
    UPDATE idempotency_keys SET expires_at = now() + interval '5 seconds'
    WHERE account_id = $1 AND key_sha256 = $2 AND request_sha256 = $3 AND status IS NULL`,
};

const remember: Statement = {
  name: "idempotency.remember",
  text: `
    UPDATE idempotency_keys SET status = $3, headers = $4::jsonb, sealed_body = $5, expires_at = now() + interval '24 hours'
    WHERE account_id = $1 AND key_sha256 = $2`,
};

const forget: Statement = {
  name: "idempotency.forget",
  text: "DELETE FROM idempotency_keys WHERE account_id = $1 AND key_sha256 = $2 AND status IS NULL",
};

const forgetExpired: Statement = {
  name: "idempotency.forget-expired",
  text: `
    DELETE FROM idempotency_keys WHERE (account_id, key_sha256) IN (
      SELECT account_id, key_sha256 FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)`,
};

interface ClaimRow {
  readonly claimed: boolean;
  readonly request_sha256: Buffer | null;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly sealed_body: Buffer | null;
}

/** Answers to POSTs with an Idempotency-Key, kept for 24 hours (contract-decisions.md 2). */
export interface IdempotencyRepository {
  claim(accountId: string, request: IdempotencyRequest): Promise<Claim>;
  /** Keeps the claim of a request that is still running; needed at least every 5 seconds. */
  renew(accountId: string, request: IdempotencyRequest): Promise<void>;
  remember(accountId: string, keySha256: Buffer, answer: RememberedAnswer): Promise<void>;
  /** Gives up a claim, so that the request can be sent again. */
  forget(accountId: string, keySha256: Buffer): Promise<void>;
  /** Of all accounts, at most `limit` at once. Answers how many it removed. */
  forgetExpired(limit: number): Promise<number>;
}

export function createIdempotencyRepository(database: Database, box: SecretBox): IdempotencyRepository {
  const sql = database.tenantSql;
  return {
    async claim(accountId, { keySha256, requestSha256 }) {
      const [row] = await sql.rows<ClaimRow>(claim, [accountId, keySha256, requestSha256]);
      if (row?.claimed) return { kind: "claimed" };
      // No row: another request claimed the key while this statement ran, too late to be seen by it.
      if (!row) return { kind: "running" };
      if (!row.request_sha256?.equals(requestSha256)) return { kind: "reused" };
      if (row.status === null || row.sealed_body === null) return { kind: "running" };
      const body = box.open(row.sealed_body);
      return { kind: "answered", answer: { status: row.status, headers: row.headers ?? {}, body } };
    },
    async renew(accountId, { keySha256, requestSha256 }) {
      await sql.execute(renew, [accountId, keySha256, requestSha256]);
    },
    async remember(accountId, keySha256, { status, headers, body }) {
      await sql.execute(remember, [accountId, keySha256, status, JSON.stringify(headers), box.seal(body)]);
    },
    async forget(accountId, keySha256) {
      await sql.execute(forget, [accountId, keySha256]);
    },
    forgetExpired: (limit) => database.sql.execute(forgetExpired, [limit]),
  };
}
