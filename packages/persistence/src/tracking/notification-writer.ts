import type { Instant } from "@svc/domain";
import type { ReferenceType } from "@svc/domain/notifications";
import { isOffered, isSubscribed, type WebhookEventName } from "@svc/domain/webhooks";
import { uuidV7 } from "../ids.ts";
import type { AccountSql, Statement } from "../sql.ts";

/** An event that subscribers are notified of. */
export interface NotificationEvent {
  readonly event: WebhookEventName;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  /** The `included` array as JSON text: a snapshot of the records at the time of the event. */
  readonly included: string;
}

/** The subscriptions of an account's active webhooks. */
export interface Subscriptions {
  /** Whether a webhook subscribes to the event; other events need not be composed. */
  hasSubscriber(event: WebhookEventName): boolean;
  webhookIdsFor(event: WebhookEventName): readonly string[];
}

const activeWebhooks: Statement = {
  name: "notifications.active-webhooks",
  text: `
    SELECT w.id, w.events, COALESCE(a.features, '{}') AS features
    FROM webhooks w LEFT JOIN accounts a ON a.id = w.account_id
    WHERE w.account_id = $1 AND w.active AND w.deleted_at IS NULL ORDER BY w.id`,
};

interface ActiveWebhook {
  readonly id: string;
  readonly events: readonly string[];
  /** Features of its account. */
  readonly features: readonly string[];
}

export async function findSubscriptions(sql: AccountSql, accountId: string): Promise<Subscriptions> {
  const webhooks = await sql.rows<ActiveWebhook>(activeWebhooks, [accountId]);
  const webhookIdsFor = (event: WebhookEventName): readonly string[] =>
    webhooks
      .filter(({ events, features }) => isSubscribed(events, event) && isOffered(event, features))
      .map(({ id }) => id);
  return { webhookIdsFor, hasSubscriber: (event) => webhookIdsFor(event).length > 0 };
}

const insert: Statement = {
  name: "notifications.insert",
  wakes: "svc_webhooks",
  text: `
    WITH input AS (
      SELECT * FROM jsonb_to_recordset($3::jsonb) AS n(id uuid, event text, "referenceType" text, "referenceId" uuid,
        included text, notifications jsonb)
    ), events AS (
      INSERT INTO notification_events (account_id, id, event, reference_type, reference_id, included, traceparent,
        created_at)
      SELECT $1, id, event, "referenceType", "referenceId", included, $4, $2 FROM input
    ), notifications AS (
      INSERT INTO webhook_notifications (account_id, id, webhook_id, event_id, event, created_at)
      SELECT $1, w.id, w."webhookId", input.id, input.event, now()
      FROM input CROSS JOIN LATERAL jsonb_to_recordset(input.notifications) AS w(id uuid, "webhookId" uuid)
    )
    INSERT INTO webhook_deliveries (account_id, notification_id, webhook_id, event_id, next_attempt_at, created_at)
    SELECT $1, w.id, w."webhookId", input.id, now(), now()
    FROM input CROSS JOIN LATERAL jsonb_to_recordset(input.notifications) AS w(id uuid, "webhookId" uuid)`,
};

/**
 * Stores the events, with a notification and a pending delivery for each webhook that subscribes to them. Wakes the
 * webhook workers when the transaction commits. An event without a subscriber is not stored.
 * @param now on the tracking clock.
 * @param traceparent W3C trace context of the cause, which the deliveries continue.
 */
export async function writeNotificationEvents(
  sql: AccountSql,
  accountId: string,
  events: readonly NotificationEvent[],
  subscriptions: Subscriptions,
  now: Instant,
  traceparent: string | null = null,
): Promise<void> {
  const rows = events.flatMap((item) => {
    const webhookIds = subscriptions.webhookIdsFor(item.event);
    if (webhookIds.length === 0) return [];
    const notifications = webhookIds.map((webhookId) => ({ id: uuidV7.next(), webhookId }));
    return [{ id: uuidV7.next(), ...item, notifications }];
  });
  if (rows.length > 0) await sql.execute(insert, [accountId, now, JSON.stringify(rows), traceparent]);
}
