import type { Instant } from "@svc/domain";
import type { SecretBox } from "../secret-box.ts";
import type { AccountValues, Sql, SqlWith, Statement } from "../sql.ts";

export interface NewEventMessage {
  readonly id: string;
  readonly channel: "push" | "import";
  /** By whose push it came. */
  readonly connectionId: string | null;
  /** Empty: its events name their carriers themselves. */
  readonly scac: string;
  readonly form: "json" | "csv";
  readonly receivedAt: Instant;
  /** SHA-256 of the body's bytes. */
  readonly contentHash: Uint8Array;
  readonly gzippedBody: Uint8Array;
}

/** How far a message is processed, and its result. */
export interface EventMessageState {
  readonly id: string;
  readonly receivedAt: Instant;
  readonly isProcessed: boolean;
  readonly events: number;
  /** Events of a number that is tracked. */
  readonly applied: number;
  /** Events of a number whose tracking has ended, or whose request has failed. */
  readonly inactive: number;
  /** Events of a number that the account never tracked. */
  readonly unknown: number;
  readonly skipped: number;
  readonly newFacts: number;
  /** Rows of an import that are inactive or unknown, counted from 1. */
  readonly unappliedRows: readonly number[];
}

const stateColumns = `m.id, m.received_at AS "receivedAt", m.due_at IS NULL AS "isProcessed", m.event_count AS events,
  m.applied_count AS applied, m.inactive_count AS inactive, m.unknown_count AS unknown, m.skipped_count AS skipped,
  m.new_fact_count AS "newFacts", m.unapplied_rows AS "unappliedRows"`;

/** Messages of one account that may wait to be processed. */
export const waitingMessagesMax = 500;

const insert: Statement = {
  name: "event-messages.insert",
  wakes: "svc_tracking",
  text: `
    WITH waiting AS (
      SELECT count(*) AS messages FROM (
        SELECT FROM event_messages WHERE account_id = $1 AND due_at IS NOT NULL LIMIT ${waitingMessagesMax}) w),
    m AS (
      INSERT INTO event_messages (account_id, id, channel, connection_id, scac, form, received_at, content_hash, event_count, body, due_at)
      SELECT $1::uuid, $2::uuid, $3::text, $4::uuid, $5::text, $6::text, $7::timestamptz, $8::bytea, 0, $9::bytea, now()
      FROM waiting WHERE messages < ${waitingMessagesMax}
      ON CONFLICT (account_id, channel, scac, content_hash) DO UPDATE SET due_at = COALESCE(event_messages.due_at, now())
      RETURNING *)
    SELECT ${stateColumns} FROM m`,
};

/**
 * Stores what was received and wakes the tracking worker. A message of the same bytes is stored once and processed again: what was
 * applied before changes nothing, and what was not tracked then may be tracked now.
 * @returns null when `waitingMessagesMax` messages of the account wait; nothing was stored.
 */
export async function storeEventMessage(
  sql: SqlWith<AccountValues>,
  accountId: string,
  message: NewEventMessage,
): Promise<EventMessageState | null> {
  const { id, channel, connectionId, scac, form, receivedAt, contentHash, gzippedBody } = message;
  const values = [accountId, id, channel, connectionId, scac, form, receivedAt, contentHash, gzippedBody] as const;
  return (await sql.rows<EventMessageState>(insert, values))[0] ?? null;
}

const findOne: Statement = {
  name: "event-messages.find",
  text: `SELECT ${stateColumns} FROM event_messages m WHERE account_id = $1 AND id = $2 AND channel = 'import'`,
};

export async function findEventImport(
  sql: SqlWith<AccountValues>,
  accountId: string,
  id: string,
): Promise<EventMessageState | null> {
  return (await sql.rows<EventMessageState>(findOne, [accountId, id]))[0] ?? null;
}

const pushReceiver: Statement = {
  name: "event-messages.push-receiver",
  text: `
    SELECT c.account_id AS "accountId", c.scac, c.sealed_push_secret AS sealed
    FROM carrier_connections c JOIN accounts a ON a.id = c.account_id AND a.suspended_at IS NULL
    WHERE c.id = $1 AND c.active`,
};

/** The carrier connection that an address for pushes belongs to. */
export interface PushReceiver {
  readonly accountId: string;
  readonly scac: string;
  /** Signs what is pushed. */
  readonly secret: string;
}

/** The account and the carrier whose pushes arrive under this id, with the secret that signs them. */
export async function findPushReceiver(sql: Sql, box: SecretBox, connectionId: string): Promise<PushReceiver | null> {
  const rows = await sql.rows<{ accountId: string; scac: string; sealed: Buffer }>(pushReceiver, [connectionId]);
  const [row] = rows;
  return row ? { accountId: row.accountId, scac: row.scac, secret: box.open(row.sealed) } : null;
}
