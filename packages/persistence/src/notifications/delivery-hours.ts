import { hourMs } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** Maximum number of notifications counted in one hour of a webhook; the newest count. */
export const countedInHourMax = 100;

/** Delivery results of a webhook's notifications created in one hour. */
export interface DeliveryHour {
  readonly webhookId: string;
  /** 0 is the oldest. */
  readonly hour: number;
  readonly received: number;
  readonly failed: number;
  /** Pending deliveries. */
  readonly waiting: number;
  /** The hour may have more notifications than were counted. */
  readonly isCapped: boolean;
}

/**
 * Counts deliveries by hour. For each hour of each webhook it reads a limited number of rows of one index. Hours
 * without a notification have no row.
 */
const countByHour: Statement = {
  name: "notifications.delivery-hours",
  text: `
    SELECT w.id AS "webhookId", (h.ordinal - 1)::int AS hour,
      (count(*) FILTER (WHERE d.delivery_status IS NULL))::int AS received,
      (count(*) FILTER (WHERE d.delivery_status = 'failed'))::int AS failed,
      (count(*) FILTER (WHERE d.delivery_status = 'pending'))::int AS waiting,
      count(*) >= ${countedInHourMax} AS "isCapped"
    FROM unnest($2::uuid[]) AS w(id)
    CROSS JOIN unnest($3::uuid[], $4::uuid[]) WITH ORDINALITY AS h(from_id, to_id, ordinal)
    CROSS JOIN LATERAL (
      SELECT n.id FROM webhook_notifications n
      WHERE n.account_id = $1 AND n.webhook_id = w.id AND n.id >= h.from_id AND n.id < h.to_id
      ORDER BY n.id DESC LIMIT ${countedInHourMax}) AS n
    LEFT JOIN webhook_deliveries d ON d.account_id = $1 AND d.notification_id = n.id
    GROUP BY w.id, h.ordinal ORDER BY w.id, h.ordinal`,
};

/** The smallest id of this time (epoch milliseconds), because ids start with their time of creation. */
export function firstIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The last `hours` before `nowMs` of the given webhooks. */
export function readDeliveryHours(
  sql: AccountSql,
  accountId: string,
  webhookIds: readonly string[],
  { nowMs, hours }: { readonly nowMs: number; readonly hours: number },
): Promise<DeliveryHour[]> {
  const borders = Array.from({ length: hours + 1 }, (_, index) => firstIdAt(nowMs - (hours - index) * hourMs + 1));
  return sql.rows<DeliveryHour>(countByHour, [accountId, webhookIds, borders.slice(0, -1), borders.slice(1)]);
}
