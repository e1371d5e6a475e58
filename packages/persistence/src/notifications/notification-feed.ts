import type { Page, PageRequest } from "@svc/domain/lists";
import type { Notification } from "@svc/domain/notifications";
import { type ListSource, listRows } from "../lists/list-rows.ts";
import type { AccountSql } from "../sql.ts";
import { isOfLiveWebhook } from "../webhooks/webhook-notices.ts";
import { notificationColumns, notificationJoins } from "./notification-reader.ts";

/** A notification with its position in the feed of its webhook. */
export interface FeedNotification extends Notification {
  /** Increases along the feed; equal for notifications of one transaction. */
  readonly position: string;
  /** The `included` array as JSON text, a snapshot at the time of the event. */
  readonly included: string;
}

/**
 * Transactions commit in another order than they create ids. So the feed is ordered by transaction and ends before the
 * oldest running one: a consumer that continues from a position misses nothing (docs/adr/0013).
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

/** The notifications of a webhook in order of delivery. */
export interface NotificationFeed {
  /** Empty for a deleted or unknown webhook. */
  list(accountId: string, webhookId: string, page: PageRequest<"delivery_order">): Promise<Page<FeedNotification>>;
}

export function createNotificationFeed(sql: AccountSql): NotificationFeed {
  return {
    list: (accountId, webhookId, page) =>
      listRows<FeedNotification>(
        sql,
        source,
        accountId,
        [{ key: "webhook", sql: isOfLiveWebhook, value: webhookId, isNarrow: true }],
        page,
      ),
  };
}
