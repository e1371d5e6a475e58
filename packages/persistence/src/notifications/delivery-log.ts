import type { Instant, Page, PageRequest } from "@svc/domain";
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
    WITH due AS (
      UPDATE webhook_notifications n SET delivery_status = 'pending', next_attempt_at = now(), delivered_at = NULL
      FROM webhooks w
      WHERE n.account_id = $1 AND n.id = $2 AND n.claim_id IS NULL
        AND w.account_id = n.account_id AND w.id = n.webhook_id AND w.deleted_at IS NULL
      RETURNING n.id)
    SELECT pg_notify('svc_webhooks', '') FROM due`,
};

/** At most `$6` at once, so that the statement stays short; the caller asks again until nothing is left. */
const recover: Statement = {
  name: "notifications.recover",
  text: `
    WITH due AS (
      UPDATE webhook_notifications n SET delivery_status = 'pending', next_attempt_at = now(), delivered_at = NULL
      WHERE n.account_id = $1 AND n.id IN (
        SELECT id FROM webhook_notifications
        WHERE account_id = $1 AND webhook_id = $2 AND created_at >= $3 AND created_at <= COALESCE($4, now()) AND claim_id IS NULL
          AND delivery_status = ANY($5::text[]) AND id > $7::uuid
        ORDER BY id LIMIT $6)
      RETURNING n.id)
    SELECT count(*) AS count, max(id::text) AS last, CASE WHEN count(*) > 0 THEN pg_notify('svc_webhooks', '')::text END FROM due`,
};

const recoverAtOnce = 1_000;
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

export interface RecoverOptions {
  readonly since: Instant;
  /** Null: until now. */
  readonly until: Instant | null;
  /** Only what failed, or what was delivered as well. */
  readonly only: "failed" | "all";
}

export interface DeliveryLog {
  /** The latest first. */
  listAttempts(
    accountId: string,
    notificationId: string,
    page: PageRequest<"attempt_number">,
  ): Promise<Page<AttemptRecord>>;
  /** Has one notification delivered again, under the same id. False: its webhook is gone, or it is being sent right now. */
  redeliver(accountId: string, notificationId: string): Promise<boolean>;
  /** Has the notifications of a time delivered again. Answers how many. */
  recover(accountId: string, webhookId: string, options: RecoverOptions): Promise<number>;
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
      return (await sql.rows(redeliver, [accountId, notificationId])).length > 0;
    },
    async recover(accountId, webhookId, { since, until, only }) {
      const statuses = only === "failed" ? ["failed"] : ["failed", "succeeded"];
      let total = 0;
      for (let after = beforeAllIds; ; ) {
        const values = [accountId, webhookId, since, until, statuses, recoverAtOnce, after] as const;
        const [row] = await sql.rows<{ count: number; last: string | null }>(recover, values);
        total += row?.count ?? 0;
        if (!row?.last || row.count < recoverAtOnce) return total;
        after = row.last;
      }
    },
  };
}
