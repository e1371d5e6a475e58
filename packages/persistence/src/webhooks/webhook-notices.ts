import type { Page, PageRequest } from "@svc/domain/lists";
import type { WebhookNotice } from "@svc/domain/webhooks";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import { withNames } from "../named-parameters.ts";
import type { AccountSql } from "../sql.ts";
import { findSubscriptions, writeNotificationEvents } from "../tracking/notification-writer.ts";

const source: ListSource = {
  name: "notices",
  table: "webhook_notices",
  alias: "n",
  scope: "n.account_id = $1",
  columns: `n.id, n.webhook_id AS "webhookId", n.url, n.kind, n.reason, n.failing_since AS "failingSince",
    n.consecutive_failures AS "consecutiveFailures", n.http_status AS "httpStatus", n.error_class AS "errorClass",
    n.created_at AS "createdAt"`,
  joins: "",
  sortKeys: { created_at: { column: "n.created_at", type: "timestamptz" } },
};

/** Notices to an account about the health of its endpoints. */
export interface WebhookNotices {
  /** Empty for a deleted or unknown webhook. */
  list(accountId: string, webhookId: string, page: PageRequest<"created_at">): Promise<Page<WebhookNotice>>;
}

/** Condition on rows `n`: their webhook has this id and is not deleted. */
export const isOfLiveWebhook = (place: string): string =>
  `n.webhook_id = ${place}::uuid AND EXISTS (
    SELECT FROM webhooks w WHERE w.account_id = $1 AND w.id = ${place}::uuid AND w.deleted_at IS NULL)`;

export function createWebhookNotices(sql: AccountSql): WebhookNotices {
  return {
    list: (accountId, webhookId, page) =>
      listRows<WebhookNotice>(
        sql,
        source,
        accountId,
        [{ key: "webhook", sql: isOfLiveWebhook, value: webhookId, isNarrow: true }],
        page,
      ),
  };
}

const insert = withNames(
  {
    name: "notices.insert",
    text: `
    WITH noted AS (
      UPDATE webhooks SET last_notice = :kind, last_notice_at = :createdAt
      WHERE account_id = :accountId AND id = :webhookId)
    INSERT INTO webhook_notices (account_id, id, webhook_id, url, kind, reason, failing_since, consecutive_failures,
      http_status, error_class, created_at)
    VALUES (:accountId, :id, :webhookId, :url, :kind, :reason, :failingSince, :consecutiveFailures,
      :httpStatus, :errorClass, :createdAt)`,
  },
  [
    "id",
    "webhookId",
    "url",
    "kind",
    "reason",
    "failingSince",
    "consecutiveFailures",
    "httpStatus",
    "errorClass",
    "createdAt",
  ],
);

/** The `included` array of a notice's notification, as JSON text. */
export type DescribeNotice = (notice: WebhookNotice) => string;

/**
 * Stores the notice and notifies the account's other webhooks that subscribe to its kind. Call it in the transaction of
 * the cause.
 */
export async function recordNotice(
  sql: AccountSql,
  accountId: string,
  notice: WebhookNotice,
  describe: DescribeNotice,
): Promise<void> {
  const { id, webhookId, kind, createdAt } = notice;
  await sql.execute(insert, insert.values({ ...notice, accountId }));
  const subscriptions = await findSubscriptions(sql, accountId);
  const event = `webhook.${kind}` as const;
  const others = subscriptions.webhookIdsFor(event).filter((other) => other !== webhookId);
  const content = { event, referenceType: "webhook_notice", referenceId: id, included: describe(notice) } as const;
  await writeNotificationEvents(
    sql,
    accountId,
    [content],
    { ...subscriptions, webhookIdsFor: () => others },
    createdAt,
  );
}
