import { type AlertChannel, type AlertContent, alertRetryDelayMs } from "@svc/domain/alerts";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

/** Lease of a message, longer than a sender takes for it; then another one resends it. */
const leaseMs = 120_000;
const claimBatchMax = 20;
/** Maximum number claimed of one account, so that its slow receiver delays the others little. */
const claimedPerAccount = 4;

/** A message to send. */
export interface ClaimedAlert {
  readonly accountId: string;
  readonly id: string;
  readonly subscriptionId: string;
  readonly content: AlertContent;
  /** Counted from 1. */
  readonly attempt: number;
  readonly channel: AlertChannel;
  readonly name: string;
  readonly companyName: string;
  /** Address of the member or the mailbox; null: a chat channel. */
  readonly email: string | null;
  readonly sealedUrl: Buffer | null;
  readonly unsubscribeToken: string;
}

/** Messages of suspended accounts wait. Those of paused subscriptions were deleted, except what was asked for. */
const claim: Statement = {
  name: "alerts.claim",
  text: `
    WITH due AS (
      SELECT m.account_id, m.id, m.next_attempt_at,
        row_number() OVER (PARTITION BY m.account_id ORDER BY m.next_attempt_at, m.id) AS place
      FROM alert_messages m JOIN accounts account ON account.id = m.account_id AND account.suspended_at IS NULL
      JOIN alert_subscriptions a ON a.account_id = m.account_id AND a.id = m.subscription_id
      WHERE m.next_attempt_at <= statement_timestamp() AND a.channel = ANY($1::text[])
        AND (a.active OR m.content->>'reason' IN ('test', 'confirmation'))),
    locked AS (
      SELECT m.account_id, m.id FROM alert_messages m JOIN due ON due.account_id = m.account_id AND due.id = m.id
      WHERE due.place <= $2 AND m.next_attempt_at <= statement_timestamp()
      ORDER BY due.next_attempt_at LIMIT $3 FOR UPDATE OF m SKIP LOCKED),
    claimed AS (
      UPDATE alert_messages m SET attempts = m.attempts + 1,
        next_attempt_at = clock_timestamp() + $4 * interval '1 millisecond'
      FROM locked WHERE m.account_id = locked.account_id AND m.id = locked.id RETURNING m.*)
    SELECT m.account_id AS "accountId", m.id, m.subscription_id AS "subscriptionId", m.content, m.attempts AS attempt,
      a.channel, a.name, account.company_name AS "companyName", COALESCE(u.email, a.mailbox) AS email,
      a.sealed_url AS "sealedUrl",
      a.unsubscribe_token AS "unsubscribeToken"
    FROM claimed m JOIN accounts account ON account.id = m.account_id
    JOIN alert_subscriptions a ON a.account_id = m.account_id AND a.id = m.subscription_id
    LEFT JOIN users u ON u.id = a.user_id`,
};

/** Claims due messages of the channels, a few of each account. Their lease ends by itself. */
export const claimAlerts = (sql: Sql, channels: readonly AlertChannel[]): Promise<ClaimedAlert[]> =>
  sql.rows<ClaimedAlert>(claim, [channels, claimedPerAccount, claimBatchMax, leaseMs]);

const recordSuccess: Statement = {
  name: "alerts.record-success",
  text: `
    UPDATE alert_subscriptions
    SET last_sent_at = clock_timestamp(), last_attempt_at = clock_timestamp(), last_error = NULL
    WHERE account_id = $1 AND id = $2`,
};
const recordError: Statement = {
  name: "alerts.record-error",
  text: `
    UPDATE alert_subscriptions SET last_attempt_at = clock_timestamp(), last_error = $3
    WHERE account_id = $1 AND id = $2`,
};

/** Writes the outcome only for the sender that has the lease: another one may have claimed it since. */
const settle: Statement = {
  name: "alerts.settle",
  text: `
    UPDATE alert_messages SET error = $4::text, sent_at = CASE WHEN $4::text IS NULL THEN clock_timestamp() END,
      next_attempt_at = clock_timestamp() + $5::int * interval '1 millisecond',
      failed_at = CASE WHEN $4::text IS NOT NULL AND $5::int IS NULL THEN clock_timestamp() END
    WHERE account_id = $1 AND id = $2 AND attempts = $3 AND next_attempt_at IS NOT NULL`,
};

export type AlertVerdict = "sent" | "retry" | "failed";

/** @param failure why the attempt failed; null: it succeeded. A permanent one is not tried again. */
export async function settleAlert(
  database: Database,
  { accountId, id, subscriptionId, attempt, content }: ClaimedAlert,
  failure: { readonly text: string; readonly isPermanent: boolean } | null,
): Promise<AlertVerdict> {
  const isTest = content.reason === "test";
  const delayMs = failure === null || failure.isPermanent || isTest ? null : alertRetryDelayMs(attempt);
  await database.transaction(async (sql) => {
    // The subscription is locked before its messages, as where it is edited.
    if (failure === null) await sql.execute(recordSuccess, [accountId, subscriptionId]);
    else await sql.execute(recordError, [accountId, subscriptionId, failure.text]);
    await sql.execute(settle, [accountId, id, attempt, failure?.text ?? null, delayMs]);
  });
  if (failure === null) return "sent";
  return delayMs === null ? "failed" : "retry";
}

const listToMailboxes: Statement = {
  name: "alerts.list-mailbox-messages",
  text: `
    SELECT m.id FROM alert_subscriptions a
    JOIN alert_messages m ON m.account_id = a.account_id AND m.subscription_id = a.id
    WHERE a.account_id = $1 AND a.mailbox IS NOT NULL
    ORDER BY m.id DESC LIMIT $2`,
};

/** The ids of the newest messages of an account to mailboxes that are no member's. */
export const listMailboxMessages = async (sql: Sql, accountId: string, limit: number): Promise<readonly string[]> =>
  (await sql.rows<{ id: string }>(listToMailboxes, [accountId, limit])).map(({ id }) => id);

const removeOld: Statement = {
  name: "alerts.remove-old-messages",
  text: `
    DELETE FROM alert_messages WHERE (account_id, id) IN (
      SELECT account_id, id FROM alert_messages WHERE created_at < clock_timestamp() - $1 * interval '1 day'
      ORDER BY created_at LIMIT $2)`,
};

const removalBatchMax = 1_000;

/** Removes the log of old messages, and those that could not be sent for so long. @returns whether more may be left. */
export const removeOldAlertMessages = async (sql: Sql, retentionDays: number): Promise<boolean> =>
  (await sql.execute(removeOld, [retentionDays, removalBatchMax])) === removalBatchMax;
