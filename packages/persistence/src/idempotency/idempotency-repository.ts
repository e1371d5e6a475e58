import type { SecretBox } from "../secret-box.ts";
import type { AccountSql, Sql, Statement } from "../sql.ts";

/** A response as it was sent. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type KeyState =
  /** The key is new, or its stored response has expired. */
  | { readonly kind: "unused" }
  | { readonly kind: "stored"; readonly response: StoredResponse }
  /** Another request with the key is running. */
  | { readonly kind: "running" }
  /** The key was used for another request. */
  | { readonly kind: "reused" };

export interface IdempotencyRequest {
  /** SHA-256 of the operation and the key. */
  readonly keySha256: Buffer;
  /** SHA-256 of the request. */
  readonly requestSha256: Buffer;
}

/**
 * An advisory lock until the end of the transaction; the server releases it when a process dies. A separate statement
 * takes it, because only the next statement is sure to see what the previous holder committed.
 */
const lock: Statement = {
  name: "idempotency.try-lock",
  text: "SELECT pg_try_advisory_xact_lock(hashtextextended($1::text, $2)) AS taken",
};

const find: Statement = {
  name: "idempotency.find",
  text: `
    SELECT request_sha256, status, headers, sealed_body FROM idempotency_keys
    WHERE account_id = $1 AND key_sha256 = $2 AND expires_at > now()`,
};

/** The end of a reservation distinguishes it from a later one of the same key. */
const write: Statement = {
  name: "idempotency.write",
  text: `
    INSERT INTO idempotency_keys (account_id, key_sha256, request_sha256, status, headers, sealed_body, expires_at)
    VALUES ($1, $2, $3, $4, $5::jsonb, $6, now() + make_interval(secs => $7))
    ON CONFLICT (account_id, key_sha256) DO UPDATE SET request_sha256 = excluded.request_sha256,
      status = excluded.status, headers = excluded.headers, sealed_body = excluded.sealed_body,
      expires_at = excluded.expires_at
    RETURNING expires_at::text AS "expiresAt"`,
};

const release: Statement = {
  name: "idempotency.release",
  text: `
    DELETE FROM idempotency_keys
    WHERE account_id = $1 AND key_sha256 = $2 AND status IS NULL AND expires_at = $3::timestamptz`,
};

const purgeExpired: Statement = {
  name: "idempotency.purge-expired",
  text: `
    DELETE FROM idempotency_keys WHERE (account_id, key_sha256) IN (
      SELECT account_id, key_sha256 FROM idempotency_keys WHERE expires_at <= now() ORDER BY expires_at LIMIT $1)`,
};

const retentionSeconds = 24 * 60 * 60;

interface KeyRow {
  readonly request_sha256: Buffer;
  readonly status: number | null;
  readonly headers: Record<string, string> | null;
  readonly sealed_body: Buffer | null;
}

/** Stored responses to requests with an Idempotency-Key, kept for 24 hours (docs/contract/decisions.md 2). */
export interface IdempotencyRepository {
  /**
   * Finds the stored response of a key, or locks the key until the end of the transaction ("unused"). Never waits for
   * another transaction.
   */
  findOrLock(sql: AccountSql, accountId: string, request: IdempotencyRequest): Promise<KeyState>;
  /** Stores the response in the transaction of the write, so that both are stored or neither. */
  store(sql: AccountSql, accountId: string, request: IdempotencyRequest, response: StoredResponse): Promise<void>;
  /**
   * Reserves the key for a time beyond the transaction, for a side effect outside the transaction.
   * @returns the reservation, for `release`.
   */
  reserve(sql: AccountSql, accountId: string, request: IdempotencyRequest, forSeconds: number): Promise<string>;
  /** Ends a reservation, so that the client can retry the request. A later reservation of the key remains. */
  release(sql: AccountSql, accountId: string, request: IdempotencyRequest, reservation: string): Promise<void>;
  /**
   * Purges up to `limit` expired keys of all accounts.
   * @returns their number.
   */
  purgeExpired(limit: number): Promise<number>;
}

/**
 * @param sql sees all accounts.
 * @param box encrypts the responses, which may contain a secret that is shown once.
 */
export function createIdempotencyRepository(sql: Sql, box: SecretBox): IdempotencyRepository {
  return {
    async findOrLock(transaction, accountId, { keySha256, requestSha256 }) {
      const lockKey = [accountId, keySha256.readBigInt64BE(0).toString()] as const;
      const [locked] = await transaction.rows<{ taken: boolean }>(lock, lockKey);
      if (!locked?.taken) return { kind: "running" };
      const [row] = await transaction.rows<KeyRow>(find, [accountId, keySha256]);
      if (!row) return { kind: "unused" };
      if (!row.request_sha256.equals(requestSha256)) return { kind: "reused" };
      if (row.status === null || row.sealed_body === null) return { kind: "running" };
      const body = box.open(row.sealed_body);
      return { kind: "stored", response: { status: row.status, headers: row.headers ?? {}, body } };
    },
    async store(transaction, accountId, { keySha256, requestSha256 }, { status, headers, body }) {
      const sealed = box.seal(body);
      const response = [status, JSON.stringify(headers), sealed, retentionSeconds];
      await transaction.execute(write, [accountId, keySha256, requestSha256, ...response]);
    },
    async reserve(transaction, accountId, { keySha256, requestSha256 }, forSeconds) {
      const values = [accountId, keySha256, requestSha256, null, null, null, forSeconds] as const;
      const [row] = await transaction.rows<{ readonly expiresAt: string }>(write, values);
      if (!row) throw new Error("The reservation returned no row.");
      return row.expiresAt;
    },
    async release(transaction, accountId, { keySha256 }, reservation) {
      await transaction.execute(release, [accountId, keySha256, reservation]);
    },
    purgeExpired: (limit) => sql.execute(purgeExpired, [limit]),
  };
}
