import type { Instant } from "@svc/domain";
import type { Page, PageRequest } from "@svc/domain/lists";
import type { DeliveryStatus, Notification } from "@svc/domain/notifications";
import type { WebhookEventName } from "@svc/domain/webhooks";
import { smallestIdAt } from "../ids.ts";
import { type Condition, type ListSource, listRows } from "../lists/list-rows.ts";
import { type AccountSql, firstRow, type Statement } from "../sql.ts";

export const notificationColumns = `
  n.id, n.webhook_id AS "webhookId", n.event, COALESCE(d.delivery_status, 'succeeded') AS "deliveryStatus",
  e.reference_type AS "referenceType", e.reference_id AS "referenceId", n.created_at AS "createdAt"`;

/** A delivery row exists until its notification is delivered. */
export const notificationJoins = `
  JOIN notification_events e ON e.account_id = n.account_id AND e.id = n.event_id
  LEFT JOIN webhook_deliveries d ON d.account_id = n.account_id AND d.notification_id = n.id`;

const findOne: Statement = {
  name: "notifications.find",
  text: `SELECT ${notificationColumns} FROM webhook_notifications n ${notificationJoins} WHERE n.account_id = $1 AND n.id = $2`,
};

const frozenIncluded: Statement = {
  name: "notifications.included",
  text: `
    SELECT n.id, e.included FROM webhook_notifications n
    JOIN notification_events e ON e.account_id = n.account_id AND e.id = n.event_id
    WHERE n.account_id = $1 AND n.id = ANY($2::uuid[])`,
};

const listSource: ListSource = {
  name: "notifications",
  table: "webhook_notifications",
  alias: "n",
  scope: "n.account_id = $1",
  columns: notificationColumns,
  joins: notificationJoins,
  // Ids are ordered by time, so the id alone is the order of creation; the tie-break compares it with itself.
  sortKeys: { created_at: { column: "n.id", type: "uuid" } },
};

/** Several values of one filter match any of them; several filters must all match. */
export interface NotificationFilters {
  readonly deliveryStatus?: readonly DeliveryStatus[];
  readonly event?: readonly WebhookEventName[];
  /** Webhook ids. */
  readonly webhook?: readonly string[];
  readonly createdAfter?: Instant;
}

/** Most notifications are delivered, so each is checked for the absence of a delivery row. */
const received: Condition["sql"] = (p) => `NOT EXISTS (
  SELECT FROM webhook_deliveries f
  WHERE f.account_id = $1 AND f.notification_id = n.id AND f.delivery_status <> ALL(${p}::text[]))`;

/** Few notifications are not delivered, so they are found through their delivery rows. */
const notReceived: Condition["sql"] = (p) => `n.id IN (
  SELECT f.notification_id FROM webhook_deliveries f WHERE f.account_id = $1
    AND f.delivery_status = ANY(${p}::text[]))`;

/**
 * Maximum difference between the clock of a process that creates ids and the database's clock, which sets `created_at`.
 */
const clocksApartMs = 300_000;

type ConditionBuilders = {
  readonly [Key in keyof NotificationFilters]-?: (value: Exclude<NotificationFilters[Key], undefined>) => Condition[];
};

const conditionBuilders: ConditionBuilders = {
  deliveryStatus: (value) => [
    value.includes("succeeded")
      ? { key: "received", sql: received, value }
      : { key: "deliveryStatus", sql: notReceived, value },
  ],
  event: (value) => [{ key: "event", sql: (p) => `n.event = ANY(${p}::text[])`, value }],
  webhook: (value) => [{ key: "webhook", sql: (p) => `n.webhook_id = ANY(${p}::uuid[])`, value }],
  // Ids are ordered by time, so they select candidates without an index on the time.
  createdAfter: (value) => [
    { key: "id", sql: (p) => `n.id >= ${p}::uuid`, value: smallestIdAt(Date.parse(value) - clocksApartMs) },
    { key: "createdAfter", sql: (p) => `n.created_at > ${p}::timestamptz`, value },
  ],
};

export interface NotificationReader {
  find(accountId: string, id: string): Promise<Notification | null>;
  list(accountId: string, filters: NotificationFilters, page: PageRequest<"created_at">): Promise<Page<Notification>>;
  /** Reads `included` arrays as JSON text by notification id: snapshots at the time of the event. */
  included(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

export function createNotificationReader(sql: AccountSql): NotificationReader {
  return {
    find: (accountId, id) => firstRow(sql.rows<Notification>(findOne, [accountId, id])),
    list(accountId, filters, page) {
      const conditions = (Object.keys(conditionBuilders) as (keyof NotificationFilters)[]).flatMap((key) => {
        const value = filters[key];
        return value === undefined ? [] : conditionBuilders[key](value as never);
      });
      return listRows<Notification>(sql, listSource, accountId, conditions, page);
    },
    async included(accountId, ids) {
      const rows = await sql.rows<{ id: string; included: string }>(frozenIncluded, [accountId, ids]);
      return new Map(rows.map((row) => [row.id, row.included]));
    },
  };
}
