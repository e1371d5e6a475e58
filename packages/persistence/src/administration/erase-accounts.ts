import type { Database } from "../database.ts";

/**
 * Every table with rows of accounts, the largest first. A test compares the list with the schema, so a migration that
 * adds such a table must add it here. The search tables come after the tables whose triggers write them.
 */
export const accountTables = [
  "webhook_attempts",
  "webhook_claims",
  "webhook_deliveries",
  "webhook_notifications",
  "notification_events",
  "webhook_notices",
  "webhooks",
  "field_facts",
  "container_change_events",
  "transport_events",
  "eta_predictions",
  "eta_samples",
  "observations",
  "raw_replies",
  "reply_archives",
  "event_messages",
  "edi_files",
  "mention_mails",
  "alert_messages",
  "alert_items",
  "alert_subscriptions",
  "calendar_feeds",
  "default_views",
  "saved_views",
  "exceptions",
  "exception_checks",
  "custom_fields",
  "custom_field_options",
  "custom_field_definitions",
  "share_links",
  "demurrage_recomputations",
  "demurrage_rules",
  "container_demurrage",
  "emission_factors",
  "containers",
  "shipments",
  "tracking_requests",
  "tracking_subjects",
  "carrier_access",
  "carrier_connection_changes",
  "carrier_connections",
  "parties",
  "search_keys",
  "search_texts",
  "inbox_requests",
  "inboxes",
  "idempotency_keys",
  "oauth_records",
  "api_tokens",
  "invitations",
  "user_sessions",
  "audit_events",
  "memberships",
] as const;

/** Rows erased in one transaction, so that no transaction holds many locks for long. */
const batchRows = 2_000;

export interface ErasureOptions {
  /** Reports progress. */
  readonly onStep?: (() => void) | undefined;
  /** Aborts at shutdown: the statement in progress ends, and the next call continues. */
  readonly signal?: AbortSignal | undefined;
}

async function eraseTable(
  { pool }: Database,
  table: string,
  accountId: string,
  { onStep, signal }: ErasureOptions,
): Promise<number> {
  const text = `DELETE FROM ${table} WHERE (tableoid, ctid) IN (
    SELECT tableoid, ctid FROM ${table} WHERE account_id = $1 LIMIT ${batchRows})`;
  let erased = 0;
  for (let count = batchRows; count === batchRows && !signal?.aborted; erased += count) {
    count = (await pool.query(text, [accountId])).rowCount ?? 0;
    onStep?.();
  }
  return erased;
}

/** The account itself and the users who belong to no other account. */
const eraseAccount = `
  WITH erased AS (DELETE FROM accounts WHERE id = $1 AND closed_at IS NOT NULL RETURNING id),
  member AS (SELECT m.user_id FROM memberships m JOIN erased ON erased.id = m.account_id)
  DELETE FROM users WHERE id IN (SELECT user_id FROM member)
    AND NOT EXISTS (SELECT FROM memberships other WHERE other.user_id = users.id AND other.account_id <> $1)`;

/** Ends the time in which the account can be resumed, because a part of its rows is deleted next. */
const beginErasure = `
  UPDATE accounts SET erase_after = LEAST(erase_after, now()) WHERE id = $1 AND closed_at IS NOT NULL`;

/** @returns the number of erased rows; null when the account is not closed, or the signal aborted before its end. */
export async function eraseClosedAccount(
  database: Database,
  accountId: string,
  options: ErasureOptions = {},
): Promise<number | null> {
  const { pool } = database;
  const { rowCount } = await pool.query(beginErasure, [accountId]);
  if (rowCount === 0) return null;
  let erased = 0;
  // Running work may have written a row to a table that an earlier pass had emptied.
  for (let pass = -1; pass !== 0; erased += pass) {
    pass = 0;
    // Memberships determine which users are deleted with the account, so they are deleted in the same transaction.
    for (const table of accountTables) {
      if (table !== "memberships") pass += await eraseTable(database, table, accountId, options);
    }
  }
  if (options.signal?.aborted) return null;
  await pool.query(eraseAccount, [accountId]);
  return erased + 1;
}

/**
 * Erases the accounts whose grace period has ended. Several processes may call it; the work of one that dies is
 * continued.
 */
export async function eraseClosedAccounts(
  database: Database,
  options: ErasureOptions = {},
): Promise<{ accountId: string; rows: number }[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    "SELECT id FROM accounts WHERE erase_after <= now() ORDER BY erase_after",
  );
  const erased: { accountId: string; rows: number }[] = [];
  for (const { id } of rows) {
    if (options.signal?.aborted) break;
    const count = await eraseClosedAccount(database, id, options);
    if (count !== null) erased.push({ accountId: id, rows: count });
  }
  return erased;
}
