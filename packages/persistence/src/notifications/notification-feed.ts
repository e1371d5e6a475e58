import type { Notification, Page, PageRequest } from "@svc/domain";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";
import { notificationColumns, notificationJoins } from "./notification-reader.ts";

/** A notification with its place in the feed of its webhook. */
export interface FeedNotification extends Notification {
  /** Grows along the feed; equal for what one transaction made. */
  readonly position: string;
  /** The `included` array as JSON text, as it was frozen when the event happened. */
  readonly included: string;
}

/**
 * Transactions become visible in another order than they made their ids. So the feed is in the order of the transactions,
 * and ends before the oldest one that is still running: whoever reads on from a place misses nothing (docs/adr/0013).
 */
const source: ListSource = {
  name: "feed",
  table: "webhook_notifications",
  alias: "n",
  scope: "n.account_id = $1 AND n.transaction_id < pg_snapshot_xmin(pg_current_snapshot())::text::bigint",
  columns: `${notificationColumns}, n.transaction_id::text AS position, e.included`,
  joins: notificationJoins,
  sortKeys: { delivery_order: { column: "n.transaction_id", type: "bigint" } },
};

/** What a webhook was or will be told, in the order in which it is. */
export interface NotificationFeed {
  /** Nothing of a webhook that is deleted or not there. */
  list(accountId: string, webhookId: string, page: PageRequest<"delivery_order">): Promise<Page<FeedNotification>>;
}

export function createNotificationFeed(sql: AccountSql): NotificationFeed {
  const ofLiveWebhook = (p: string): string =>
    `n.webhook_id = ${p}::uuid AND EXISTS (
      SELECT FROM webhooks w WHERE w.account_id = $1 AND w.id = ${p}::uuid AND w.deleted_at IS NULL)`;
  return {
    list: (accountId, webhookId, page) =>
      listRows<FeedNotification>(
        sql,
        source,
        accountId,
        [{ key: "webhook", sql: ofLiveWebhook, value: webhookId, isNarrow: true }],
        page,
      ),
  };
}
