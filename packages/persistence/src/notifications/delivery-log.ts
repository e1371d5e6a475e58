import type { DeliveryStatus, Instant, Page, PageRequest } from "@svc/domain";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** One request to a subscriber, as it was logged. */
export interface AttemptRecord {
  readonly id: string;
  readonly attemptNumber: number;
  readonly startedAt: Instant;
  readonly durationMs: number | null;
  readonly outcome: "succeeded" | "failed" | "unknown";
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  /** The first 4 KiB. */
  readonly responseBody: string | null;
  readonly nextAttemptAt: Instant | null;
}

const source: ListSource = {
  name: "attempts",
  table: "webhook_attempts",
  alias: "a",
  scope: "a.account_id = $1",
  columns: `a.id, a.attempt_number AS "attemptNumber", a.started_at AS "startedAt", a.duration_ms AS "durationMs",
    a.outcome, a.http_status AS "httpStatus", a.error_class AS "errorClass", a.error_detail AS "errorDetail", a.url,
    a.request_headers AS "requestHeaders", a.response_headers AS "responseHeaders", a.response_body AS "responseBody",
    a.next_attempt_at AS "nextAttemptAt"`,
  joins: "",
  sortKeys: { attempt_number: { column: "a.attempt_number", type: "int" } },
};

/** What is being sent at this moment stays as it is: it is a delivery already. */
const redeliver: Statement = {
  name: "notifications.redeliver",
  text: `
    WITH asked AS (
      SELECT n.id, w.id IS NOT NULL AS "hasWebhook" FROM webhook_notifications n
      LEFT JOIN webhooks w ON w.account_id = n.account_id AND w.id = n.webhook_id AND w.deleted_at IS NULL
      WHERE n.account_id = $1 AND n.id = $2),
    due AS (
      UPDATE webhook_notifications n
      SET delivery_status = 'pending', next_attempt_at = now(), delivered_at = NULL, attempts_before = n.attempt_count,
        recovered = false
      FROM asked WHERE n.account_id = $1 AND n.id = asked.id AND asked."hasWebhook" AND n.claim_id IS NULL
      RETURNING n.id)
    SELECT "hasWebhook", (SELECT pg_notify('svc_webhooks', '')::text FROM due) FROM asked`,
};

/**
 * One statement however many there are: all of them or none become due. They are locked in one order, so that two such
 * statements cannot wait for each other. What is new for the webhook goes before them.
 */
const recover: Statement = {
  name: "notifications.recover",
  text: `
    WITH webhook AS (SELECT id FROM webhooks WHERE account_id = $1 AND id = $2 AND deleted_at IS NULL),
    asked AS (
      SELECT n.id FROM webhook JOIN webhook_notifications n ON n.account_id = $1 AND n.webhook_id = webhook.id
      WHERE n.created_at >= $3 AND n.created_at <= COALESCE($4, now()) AND n.delivery_status = ANY($5::text[])
        AND n.claim_id IS NULL
      ORDER BY n.id FOR NO KEY UPDATE OF n),
    due AS (
      UPDATE webhook_notifications n
      SET delivery_status = 'pending', next_attempt_at = now(), delivered_at = NULL, attempts_before = n.attempt_count,
        recovered = true
      FROM asked WHERE n.account_id = $1 AND n.id = asked.id
      RETURNING n.id),
    counted AS (SELECT count(*) AS recovered FROM due)
    SELECT recovered, CASE WHEN recovered > 0 THEN pg_notify('svc_webhooks', '')::text END FROM webhook, counted`,
};

const recoveredStatuses = {
  failed: ["failed"],
  all: ["failed", "succeeded", "pending"],
} as const satisfies Record<string, readonly DeliveryStatus[]>;

export interface RecoverOptions {
  readonly since: Instant;
  /** Null: until now. */
  readonly until: Instant | null;
  /** Only what failed, or also what was delivered and what waits for a retry. */
  readonly only: "failed" | "all";
}

export interface DeliveryLog {
  /** The latest first. */
  listAttempts(
    accountId: string,
    notificationId: string,
    page: PageRequest<"attempt_number">,
  ): Promise<Page<AttemptRecord>>;
  /**
   * Has one notification delivered again, under the same id and with all its retries. False: its webhook was deleted, so
   * there is nobody to deliver it to. Null: there is no such notification.
   */
  redeliver(accountId: string, notificationId: string): Promise<boolean | null>;
  /** The same for the notifications of a time. Answers how many; null when there is no such webhook. */
  recover(accountId: string, webhookId: string, options: RecoverOptions): Promise<number | null>;
}

export function createDeliveryLog(sql: AccountSql): DeliveryLog {
  return {
    listAttempts: (accountId, notificationId, page) =>
      listRows<AttemptRecord>(
        sql,
        source,
        accountId,
        [{ key: "notification", sql: (p) => `a.notification_id = ${p}::uuid`, value: notificationId }],
        page,
      ),
    async redeliver(accountId, notificationId) {
      const [row] = await sql.rows<{ hasWebhook: boolean }>(redeliver, [accountId, notificationId]);
      return row?.hasWebhook ?? null;
    },
    async recover(accountId, webhookId, { since, until, only }) {
      const values = [accountId, webhookId, since, until, recoveredStatuses[only]] as const;
      const [row] = await sql.rows<{ recovered: number }>(recover, values);
      return row?.recovered ?? null;
    },
  };
}
