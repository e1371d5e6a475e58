import type { Instant } from "@svc/domain";
import { type AccountSql, firstRow, type Sql, type Statement } from "../sql.ts";

/** A temporary receiver of an account's webhooks, whose requests it can inspect. */
export interface Inbox {
  /** The last part of the address; a client that has it can only post there. */
  readonly key: string;
  /** The HTTP status of the response. */
  readonly answer: number;
  readonly expiresAt: Instant;
}

/** A request received by an inbox. */
export interface InboxRequest {
  readonly id: string;
  readonly receivedAt: Instant;
  readonly headers: Readonly<Record<string, string>>;
  /** Truncated when it is long. */
  readonly body: string;
  /** Size of the complete body. */
  readonly bodyBytes: number;
  /** The HTTP status of the response. */
  readonly answer: number;
}

/** Number of requests kept; the oldest are replaced. */
export const inboxRequestsMax = 50;

const columns = `key, answer, expires_at AS "expiresAt"`;

const find: Statement = {
  name: "inbox.find",
  text: `SELECT ${columns} FROM inboxes WHERE account_id = $1 AND expires_at > $2`,
};

/** Deletes an expired inbox with its requests; an open one is not changed. */
const open: Statement = {
  name: "inbox.open",
  text: `
    WITH ended AS (DELETE FROM inbox_requests r USING inboxes i
      WHERE r.account_id = $1 AND i.account_id = $1 AND i.expires_at <= $4)
    INSERT INTO inboxes AS i (account_id, key, answer, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id) DO UPDATE
      SET key = excluded.key, answer = excluded.answer, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      WHERE i.expires_at <= excluded.created_at`,
};

const setStatus: Statement = {
  name: "inbox.answer-with",
  text: "UPDATE inboxes SET answer = $2 WHERE account_id = $1",
};

const empty: Statement = { name: "inbox.empty", text: "DELETE FROM inbox_requests WHERE account_id = $1" };

const close: Statement = { name: "inbox.close", text: "DELETE FROM inboxes WHERE account_id = $1" };

const list: Statement = {
  name: "inbox.list",
  text: `
    SELECT r.id, r.received_at AS "receivedAt", r.headers, r.body, r.body_bytes AS "bodyBytes", r.answer
    FROM inbox_requests r JOIN inboxes i ON i.account_id = $1
    WHERE r.account_id = $1 AND i.expires_at > $2 ORDER BY r.id DESC LIMIT ${inboxRequestsMax}`,
};

const windowSeconds = 60;

/** Maximum number of requests accepted in a minute over all processes, counted in the inbox's row. */
export const inboxRequestsAMinute = 120;

/**
 * Finds an inbox in all accounts, because only the address identifies it. `taken`: the request was counted; beyond the
 * limit nothing is written.
 */
const take: Statement = {
  name: "inbox.take",
  text: `
    WITH taken AS (
      UPDATE inboxes SET
        window_count = CASE WHEN window_ends_at > $2::timestamptz THEN window_count + 1 ELSE 1 END,
        window_ends_at = CASE WHEN window_ends_at > $2::timestamptz THEN window_ends_at
          ELSE $2::timestamptz + interval '${windowSeconds} seconds' END
      WHERE key = $1 AND expires_at > $2::timestamptz
        AND (window_ends_at IS NULL OR window_ends_at <= $2::timestamptz OR window_count < ${inboxRequestsAMinute})
      RETURNING account_id)
    SELECT i.account_id AS "accountId", i.key, i.answer, i.expires_at AS "expiresAt",
      taken.account_id IS NOT NULL AS taken, CASE WHEN i.window_ends_at > $2::timestamptz
        THEN ceil(extract(epoch FROM i.window_ends_at - $2::timestamptz))
          ELSE ${windowSeconds} END::int AS "waitSeconds"
    FROM inboxes i LEFT JOIN taken ON taken.account_id = i.account_id WHERE i.key = $1
      AND i.expires_at > $2::timestamptz`,
};

/** Deletes the oldest first, because the statement does not see its own insert. */
const insertRequest: Statement = {
  name: "inbox.keep",
  text: `
    WITH room AS (
      DELETE FROM inbox_requests WHERE account_id = $1 AND id <= (
        SELECT id FROM inbox_requests WHERE account_id = $1 ORDER BY id DESC OFFSET ${inboxRequestsMax - 1} LIMIT 1))
    INSERT INTO inbox_requests (account_id, id, received_at, headers, body, body_bytes, answer)
    SELECT account_id, $2, $3, $4, $5, $6, $7 FROM inboxes WHERE account_id = $1`,
};

const removeEnded: Statement = { name: "inbox.remove-ended", text: "DELETE FROM inboxes WHERE expires_at <= now()" };

/** The inbox of an account. An expired inbox counts as none. */
export interface InboxReader {
  find(accountId: string, now: Instant): Promise<Inbox | null>;
  /** Opens an inbox; an open one is not changed. */
  open(accountId: string, inbox: Inbox, now: Instant): Promise<void>;
  answerWith(accountId: string, answer: number): Promise<void>;
  /** Requests, newest first. */
  list(accountId: string, now: Instant): Promise<InboxRequest[]>;
  empty(accountId: string): Promise<void>;
  close(accountId: string): Promise<void>;
}

export function createInboxReader(sql: AccountSql): InboxReader {
  return {
    find: (accountId, now) => firstRow(sql.rows<Inbox>(find, [accountId, now])),
    async open(accountId, { key, answer, expiresAt }, now) {
      await sql.execute(open, [accountId, key, answer, now, expiresAt]);
    },
    async answerWith(accountId, answer) {
      await sql.execute(setStatus, [accountId, answer]);
    },
    list: (accountId, now) => sql.rows<InboxRequest>(list, [accountId, now]),
    async empty(accountId) {
      await sql.execute(empty, [accountId]);
    },
    async close(accountId) {
      await sql.execute(close, [accountId]);
    },
  };
}

export interface TakenRequest extends Inbox {
  readonly accountId: string;
  /** Null when the request may be stored; beyond the limit, the time until the next one is accepted. */
  readonly waitSeconds: number | null;
}

/** Counts a request to the inbox with this address; null when no open inbox has it. */
export async function takeInboxRequest(sql: Sql, key: string, now: Instant): Promise<TakenRequest | null> {
  const [row] = await sql.rows<TakenRequest & { taken: boolean; waitSeconds: number }>(take, [key, now]);
  if (!row) return null;
  const { taken, waitSeconds, ...inbox } = row;
  return { ...inbox, waitSeconds: taken ? null : waitSeconds };
}

/** Stores a request, keeping the newest `inboxRequestsMax`; stores nothing when the inbox has been closed. */
export async function storeInboxRequest(sql: AccountSql, accountId: string, request: InboxRequest): Promise<void> {
  const { id, receivedAt, headers, body, bodyBytes, answer } = request;
  await sql.execute(insertRequest, [accountId, id, receivedAt, JSON.stringify(headers), body, bodyBytes, answer]);
}

/** Deletes expired inboxes of all accounts with their requests. */
export const removeEndedInboxes = (sql: Sql): Promise<number> => sql.execute(removeEnded, []);
