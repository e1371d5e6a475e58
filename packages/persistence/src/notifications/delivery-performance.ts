import type { AccountSql, Statement } from "../sql.ts";
import { firstIdOf } from "./delivery-hours.ts";

/** Maximum number of notifications of one interval whose attempts are counted; the newest count. */
export const countedInIntervalAtMost = 200;

/** Attempts of the notifications that were created in one interval, or in all of them. */
export interface DeliveryPerformance {
  /** 0 is the oldest; null: all intervals together. */
  readonly interval: number | null;
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Milliseconds until the response or the timeout; null without an attempt that ended. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  /** An interval may have more notifications than were counted. */
  readonly isCapped: boolean;
}

const percentile = (share: number, name: string): string =>
  `round(percentile_cont(${share}) WITHIN GROUP (ORDER BY a.duration_ms))::int AS "${name}"`;

/**
 * Reads a limited number of rows of one index for each interval, and their attempts by primary key, so that the time
 * does not depend on how many notifications the account has.
 */
const performance = (name: string, ofWebhook: string): Statement => ({
  name,
  text: `
    SELECT (h.ordinal - 1)::int AS interval, count(a.id)::int AS attempts,
      (count(*) FILTER (WHERE a.outcome = 'succeeded'))::int AS succeeded,
      (count(*) FILTER (WHERE a.outcome = 'failed'))::int AS failed,
      ${percentile(0.5, "p50Ms")}, ${percentile(0.95, "p95Ms")}, ${percentile(0.99, "p99Ms")},
      COALESCE(bool_or(n.position >= ${countedInIntervalAtMost}), false) AS "isCapped"
    FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS h(from_id, to_id, ordinal)
    CROSS JOIN LATERAL (
      SELECT n.id, row_number() OVER () AS position FROM webhook_notifications n
      WHERE n.account_id = $1 AND n.id >= h.from_id AND n.id < h.to_id ${ofWebhook}
      ORDER BY n.id DESC LIMIT ${countedInIntervalAtMost}) AS n
    LEFT JOIN webhook_attempts a ON a.account_id = $1 AND a.notification_id = n.id AND a.started_at >= $4::timestamptz
    GROUP BY GROUPING SETS ((h.ordinal), ()) ORDER BY h.ordinal NULLS LAST`,
});

const ofAll = performance("notifications.delivery-performance", "");
const ofOne = performance("notifications.delivery-performance-of-webhook", "AND n.webhook_id = $5::uuid");

/**
 * The last `count` intervals before `endMs` (epoch milliseconds), of one webhook or of all. Intervals without a
 * notification have no row; the last row is the total.
 */
export function readDeliveryPerformance(
  sql: AccountSql,
  accountId: string,
  webhookId: string | null,
  { endMs, intervalMs, count }: { readonly endMs: number; readonly intervalMs: number; readonly count: number },
): Promise<DeliveryPerformance[]> {
  const startMs = endMs - count * intervalMs;
  const borders = Array.from({ length: count + 1 }, (_, index) => firstIdOf(startMs + index * intervalMs));
  const range = [borders.slice(0, -1), borders.slice(1), new Date(startMs).toISOString()];
  return webhookId === null
    ? sql.rows<DeliveryPerformance>(ofAll, [accountId, ...range])
    : sql.rows<DeliveryPerformance>(ofOne, [accountId, ...range, webhookId]);
}
