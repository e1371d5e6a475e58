import type { Instant } from "@svc/domain";
import { withNames } from "../named-parameters.ts";
import type { SecretBox } from "../secret-box.ts";
import { type AccountValues, firstRow, type Sql, type SqlWith, type Statement } from "../sql.ts";

export interface NewEventMessage {
  readonly id: string;
  readonly channel: "push" | "import";
  /** The carrier that pushed it. */
  readonly connectionId: string | null;
  /** Empty when the events name their carriers. */
  readonly scac: string;
  readonly form: "json" | "csv";
  readonly receivedAt: Instant;
  /** SHA-256 of the body's bytes. */
  readonly contentHash: Uint8Array;
  readonly gzippedBody: Uint8Array;
}

/** State and result of processing a message. */
export interface EventMessageState {
  readonly id: string;
  readonly receivedAt: Instant;
  readonly isProcessed: boolean;
  readonly events: number;
  /** Number of events of tracked numbers. */
  readonly applied: number;
  /** Number of events of numbers whose tracking has ended or whose request has failed. */
  readonly inactive: number;
  /** Number of events of numbers that the account never tracked. */
  readonly unknown: number;
  readonly skipped: number;
  readonly newFacts: number;
  /** Rows of an import that are inactive or unknown, counted from 1. */
  readonly unappliedRows: readonly number[];
}

const stateColumns = `m.id, m.received_at AS "receivedAt", m.due_at IS NULL AS "isProcessed", m.event_count AS events,
  m.applied_count AS applied, m.inactive_count AS inactive, m.unknown_count AS unknown, m.skipped_count AS skipped,
  m.new_fact_count AS "newFacts", m.unapplied_rows AS "unappliedRows"`;

/** Maximum number of unprocessed messages of one account. */
export const waitingMessagesMax = 500;

/** A CTE that counts the unprocessed messages of the account, up to the maximum. */
export const waitingMessages = `waiting AS (
      SELECT count(*) AS messages FROM (
        SELECT FROM event_messages WHERE account_id = :accountId AND due_at IS NOT NULL
        LIMIT ${waitingMessagesMax}) w)`;

/** A message with the same bytes becomes due again. */
export const onSameContent = `ON CONFLICT (account_id, channel, scac, content_hash)
        DO UPDATE SET due_at = COALESCE(event_messages.due_at, now())`;

const insert = withNames(
  {
    name: "event-messages.insert",
    wakes: "svc_tracking",
    text: `
    WITH ${waitingMessages},
    m AS (
      INSERT INTO event_messages (account_id, id, channel, connection_id, scac, form, received_at, content_hash,
        event_count, body, due_at)
      SELECT :accountId::uuid, :id::uuid, :channel::text, :connectionId::uuid, :scac::text, :form::text,
        :receivedAt::timestamptz, :contentHash::bytea, 0, :gzippedBody::bytea, now()
      FROM waiting WHERE messages < ${waitingMessagesMax}
      ${onSameContent}
      RETURNING *)
    SELECT ${stateColumns} FROM m`,
  },
  ["id", "channel", "connectionId", "scac", "form", "receivedAt", "contentHash", "gzippedBody"],
);

/**
 * Stores a received message and wakes the tracking worker. A message with the same bytes is stored once and processed
 * again: applied events change nothing, and numbers that were not tracked before may be tracked now.
 * @returns null, without storing, when `waitingMessagesMax` messages of the account are unprocessed.
 */
export function storeEventMessage(
  sql: SqlWith<AccountValues>,
  accountId: string,
  message: NewEventMessage,
): Promise<EventMessageState | null> {
  return firstRow(sql.rows<EventMessageState>(insert, insert.values({ ...message, accountId })));
}

const findOne: Statement = {
  name: "event-messages.find",
  text: `SELECT ${stateColumns} FROM event_messages m WHERE account_id = $1 AND id = $2 AND channel = 'import'`,
};

export function findEventImport(
  sql: SqlWith<AccountValues>,
  accountId: string,
  id: string,
): Promise<EventMessageState | null> {
  return firstRow(sql.rows<EventMessageState>(findOne, [accountId, id]));
}

const pushReceiver: Statement = {
  name: "event-messages.push-receiver",
  text: `
    SELECT c.account_id AS "accountId", c.scac, c.sealed_push_secret AS sealed
    FROM carrier_connections c JOIN accounts a ON a.id = c.account_id AND a.suspended_at IS NULL
    WHERE c.id = $1 AND c.active`,
};

/** The carrier connection of a push address. */
export interface PushReceiver {
  readonly accountId: string;
  readonly scac: string;
  /** Secret that signs pushed messages. */
  readonly secret: string;
}

/** The account and carrier of a push address, with the secret that signs the messages. */
export async function findPushReceiver(sql: Sql, box: SecretBox, connectionId: string): Promise<PushReceiver | null> {
  const rows = await sql.rows<{ accountId: string; scac: string; sealed: Buffer }>(pushReceiver, [connectionId]);
  const [row] = rows;
  return row ? { accountId: row.accountId, scac: row.scac, secret: box.open(row.sealed) } : null;
}
