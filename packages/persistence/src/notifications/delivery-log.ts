import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import { type Attempt, attemptFields } from "@svc/domain/notifications";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { selectList } from "../records/select-list.ts";
import type { AccountSql, Statement } from "../sql.ts";

const source: ListSource = {
  name: "attempts",
  table: "webhook_attempts",
  alias: "a",
  scope: "a.account_id = $1",
  columns: selectList(Object.keys(attemptFields), "a"),
  joins: "",
  sortKeys: { attempt_number: { column: "a.attempt_number", type: "int" } },
};

/** Attempts start after the notification was created, so the partitions of earlier weeks are not read. */
const notificationSql = (p: string): string =>
  `a.notification_id = ${p}::uuid AND a.started_at >= (
    SELECT n.created_at FROM webhook_notifications n WHERE n.account_id = $1 AND n.id = ${p}::uuid)`;

/**
 * Attempt numbers continue. A delivered notification has no delivery row, so its attempts are counted. A delivery row
 * that disappears before the new one is inserted was settled concurrently by an attempt that the count does not see
 * yet.
 */
const attemptCountSql = (n: string): string => `GREATEST(
  (SELECT d.attempt_count + 1 FROM webhook_deliveries d WHERE d.account_id = $1 AND d.notification_id = ${n}.id),
  (SELECT max(a.attempt_number) FROM webhook_attempts a
    WHERE a.account_id = $1 AND a.notification_id = ${n}.id AND a.started_at >= ${n}.created_at), 0)`;

/**
 * An attempt in flight may already be the requested one; if it fails, the next one is due at once. The lock on the
 * notification prevents retention from deleting it.
 */
const redeliver: Statement = {
  name: "notifications.redeliver",
  wakes: "svc_webhooks",
  text: `
    WITH selected AS (
      SELECT n.*, w.id IS NOT NULL AS "hasWebhook" FROM webhook_notifications n
      LEFT JOIN webhooks w ON w.account_id = n.account_id AND w.id = n.webhook_id AND w.deleted_at IS NULL
      WHERE n.account_id = $1 AND n.id = $2 FOR KEY SHARE OF n),
    due AS (
      INSERT INTO webhook_deliveries AS d (account_id, notification_id, webhook_id, event_id, attempt_count,
        prior_attempts, next_attempt_at, created_at)
      SELECT $1, selected.id, selected.webhook_id, selected.event_id, attempts, attempts, now(), selected.created_at
      FROM selected CROSS JOIN LATERAL (SELECT ${attemptCountSql("selected")} AS attempts) AS counted
        WHERE selected."hasWebhook"
      ON CONFLICT (account_id, notification_id) DO UPDATE SET resend_requested = d.claim_id IS NOT NULL,
        recovered = false, held = false,
        delivery_status = 'pending', next_attempt_at = CASE WHEN d.claim_id IS NULL THEN now()
          ELSE d.next_attempt_at END,
        prior_attempts = CASE WHEN d.claim_id IS NULL THEN d.attempt_count ELSE d.prior_attempts END)
    SELECT "hasWebhook" FROM selected`,
};

/**
 * One statement, so that all notifications or none become due. Rows are locked in one order, so that two such
 * statements cannot deadlock. New deliveries of the webhook are claimed before recovered ones.
 */
const recoverUnreceived: Statement = {
  name: "notifications.recover-failed",
  wakes: "svc_webhooks",
  text: `
    WITH webhook AS (SELECT id FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL),
    selected AS (
      SELECT d.notification_id FROM webhook JOIN webhook_deliveries d ON d.account_id = $1 AND d.webhook_id = webhook.id
      WHERE d.created_at >= $3 AND d.created_at <= COALESCE($4, now()) AND d.delivery_status = 'failed'
        AND d.claim_id IS NULL
      ORDER BY d.notification_id FOR NO KEY UPDATE OF d),
    due AS (
      UPDATE webhook_deliveries d SET delivery_status = 'pending', next_attempt_at = now(),
        prior_attempts = d.attempt_count, recovered = true
      FROM selected WHERE d.account_id = $1 AND d.notification_id = selected.notification_id
      RETURNING d.notification_id),
    counted AS (SELECT count(*) AS recovered FROM due)
    SELECT recovered FROM webhook, counted`,
};

/**
 * Recovers as the statement above does; delivered notifications get a new delivery, too. Claimed deliveries are
 * skipped, so that settling them does not wait for this statement.
 */
const recoverAll: Statement = {
  name: "notifications.recover-all",
  wakes: "svc_webhooks",
  text: `
    WITH webhook AS (SELECT id FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL),
    selected AS (
      SELECT n.* FROM webhook JOIN webhook_notifications n ON n.account_id = $1 AND n.webhook_id = webhook.id
      WHERE n.created_at >= $3 AND n.created_at <= COALESCE($4, now()) ORDER BY n.id
      FOR KEY SHARE OF n),
    free AS (
      SELECT d.notification_id FROM selected JOIN webhook_deliveries d ON d.account_id = $1
        AND d.notification_id = selected.id
      WHERE d.claim_id IS NULL ORDER BY d.notification_id FOR NO KEY UPDATE OF d SKIP LOCKED),
    waiting AS (
      UPDATE webhook_deliveries d SET delivery_status = 'pending', next_attempt_at = now(),
        prior_attempts = d.attempt_count, recovered = true, held = false
      FROM free WHERE d.account_id = $1 AND d.notification_id = free.notification_id
      RETURNING d.notification_id),
    received AS (
      INSERT INTO webhook_deliveries AS d (account_id, notification_id, webhook_id, event_id, attempt_count,
        prior_attempts, recovered, next_attempt_at, created_at)
      SELECT $1, selected.id, selected.webhook_id, selected.event_id, attempts, attempts, true, now(),
        selected.created_at
      FROM selected CROSS JOIN LATERAL (SELECT ${attemptCountSql("selected")} AS attempts) AS counted
      WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.account_id = $1 AND d.notification_id = selected.id)
      ORDER BY selected.id ON CONFLICT DO NOTHING
      RETURNING d.notification_id)
    SELECT (SELECT count(*) FROM waiting) + (SELECT count(*) FROM received) AS recovered FROM webhook`,
};

export interface RecoverOptions {
  readonly since: Instant;
  /** Null for now. */
  readonly until: Instant | null;
  /** Only failed notifications, or also delivered ones and those that wait for a retry. */
  readonly only: "failed" | "all";
}

export interface DeliveryLog {
  /** Attempts, latest first. */
  listAttempts(accountId: string, notificationId: string, page: PageRequest<"attempt_number">): Promise<Page<Attempt>>;
  /**
   * Resends one notification under the same id with a new retry schedule. False when its webhook was deleted; null when
   * there is no such notification.
   */
  redeliver(accountId: string, notificationId: string): Promise<boolean | null>;
  /** Resends the notifications of a period. Resolves to their number; null when there is no such webhook. */
  recover(accountId: string, webhookId: string, options: RecoverOptions): Promise<number | null>;
}

export function createDeliveryLog(sql: AccountSql): DeliveryLog {
  return {
    listAttempts: (accountId, notificationId, page) =>
      listRows<Attempt>(
        sql,
        source,
        accountId,
        [{ key: "notification", sql: notificationSql, value: notificationId, isNarrow: true }],
        page,
      ),
    async redeliver(accountId, notificationId) {
      const [row] = await sql.rows<{ hasWebhook: boolean }>(redeliver, [accountId, notificationId]);
      return row?.hasWebhook ?? null;
    },
    async recover(accountId, webhookId, { since, until, only }) {
      const statement = only === "failed" ? recoverUnreceived : recoverAll;
      const [row] = await sql.rows<{ recovered: number }>(statement, [accountId, webhookId, since, until]);
      return row?.recovered ?? null;
    },
  };
}
