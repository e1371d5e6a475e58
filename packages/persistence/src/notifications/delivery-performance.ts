import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";
import { firstIdAt } from "./delivery-hours.ts";

/**
 * Number of the newest and of the oldest notifications of one interval whose attempts are counted. In a backlog only
 * the oldest ones were attempted.
 */
export const countedAtEachEnd = 100;

/** Number of deliveries of one webhook that wait for a retry and are counted whenever they were created. */
const countedRetries = 100;
const failingWebhooks = 20;

interface PerformanceMetrics {
  readonly attempts: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Milliseconds until the response or the timeout; null without an attempt that ended. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
  /** There may be more attempts than were counted. */
  readonly isCapped: boolean;
}

/** Attempts that started in each interval, and in all of them. */
export interface DeliveryPerformance {
  readonly total: PerformanceMetrics;
  /** The oldest is first. */
  readonly intervals: readonly PerformanceMetrics[];
  /** When the last attempt ended, to the minute, also if it is not counted; null: there was none. */
  readonly lastAttemptAt: Instant | null;
}

const percentile = (share: number, name: string): string =>
  `round(percentile_cont(${share}) WITHIN GROUP (ORDER BY c.duration_ms))::int AS "${name}"`;

const startedInPeriod = "a.started_at >= ($4::timestamptz[])[1] AND a.started_at < ($4::timestamptz[])[$5::int]";

/** Both ends of an index range: as many index entries, however many there are between them. */
const rangeEndsSql = (key: string, column: string, rows: string): string => `
  (SELECT ${key} ${rows} ORDER BY ${column} DESC LIMIT ${countedAtEachEnd})
  UNION (SELECT ${key} ${rows} ORDER BY ${column} LIMIT ${countedAtEachEnd})`;

/** Attempts have no index by webhook, and notifications none by whether they were attempted. */
const webhookEnds = rangeEndsSql(
  "n.id",
  "n.id",
  `FROM webhook_notifications n
   WHERE n.account_id = $1 AND n.webhook_id = $6::uuid AND n.id >= h.from_id AND n.id < h.to_id`,
);
const accountEnds = rangeEndsSql(
  "a.notification_id AS id, a.attempt_number",
  "a.notification_id",
  `FROM webhook_attempts a
   WHERE a.account_id = $1 AND a.notification_id >= h.from_id AND a.notification_id < h.to_id AND ${startedInPeriod}`,
);

/**
 * Reads a limited number of rows of one index for each interval, and their attempts by primary key, so that the time
 * does not depend on how many notifications the account has. Deliveries that wait for a retry are read too: those of a
 * long backlog may have been created before the period.
 */
const performance = (name: string, { ends, webhook }: { ends: string; webhook: string }): Statement => ({
  name,
  text: `
    WITH sampled AS MATERIALIZED (
      SELECT h.ordinal::int, ARRAY(SELECT id FROM (${ends}) AS ends) AS ids
      FROM unnest($2::uuid[], $3::uuid[]) WITH ORDINALITY AS h(from_id, to_id, ordinal)),
    retrying AS (
      SELECT d.notification_id AS id
      FROM (SELECT w.id FROM webhooks w WHERE w.account_id = $1 ${webhook} AND w.consecutive_failures > 0
        AND w.deleted_at IS NULL LIMIT ${failingWebhooks}) AS failing
      CROSS JOIN LATERAL (
        SELECT d.notification_id FROM webhook_deliveries d
        WHERE d.account_id = $1 AND d.webhook_id = failing.id AND NOT d.recovered AND NOT d.held
          AND d.next_attempt_at > now() ORDER BY d.next_attempt_at DESC LIMIT ${countedRetries}) AS d),
    counted AS (
      SELECT width_bucket(a.started_at, $4::timestamptz[]) AS ordinal, a.outcome, a.duration_ms
      FROM (SELECT unnest(ids) AS id FROM sampled UNION SELECT id FROM retrying) AS n
      JOIN webhook_attempts a ON a.account_id = $1 AND a.notification_id = n.id AND ${startedInPeriod})
    SELECT s.ordinal, count(c.outcome)::int AS attempts,
      (count(*) FILTER (WHERE c.outcome = 'succeeded'))::int AS succeeded,
      (count(*) FILTER (WHERE c.outcome = 'failed'))::int AS failed,
      ${percentile(0.5, "p50Ms")}, ${percentile(0.95, "p95Ms")}, ${percentile(0.99, "p99Ms")},
      bool_or(cardinality(s.ids) >= ${2 * countedAtEachEnd}) AS "isCapped",
      (SELECT max(GREATEST(w.last_success_at, w.last_failure_at)) FROM webhooks w
        WHERE w.account_id = $1 ${webhook}) AS "lastAttemptAt"
    FROM sampled s LEFT JOIN counted c ON c.ordinal = s.ordinal
    GROUP BY GROUPING SETS ((s.ordinal), ()) ORDER BY s.ordinal NULLS FIRST`,
});

const accountPerformance = performance("notifications.delivery-performance", { ends: accountEnds, webhook: "" });
const webhookPerformance = performance("notifications.delivery-performance-of-webhook", {
  ends: webhookEnds,
  webhook: "AND w.id = $6::uuid",
});

type Row = PerformanceMetrics & Pick<DeliveryPerformance, "lastAttemptAt"> & { readonly ordinal: number | null };

/** The last `count` intervals before `endMs` (epoch milliseconds), of one webhook or of all. */
export async function readDeliveryPerformance(
  sql: AccountSql,
  accountId: string,
  webhookId: string | null,
  { endMs, intervalMs, count }: { readonly endMs: number; readonly intervalMs: number; readonly count: number },
): Promise<DeliveryPerformance> {
  const borders = Array.from({ length: count + 1 }, (_, index) => endMs - (count - index) * intervalMs);
  const ids = borders.map(firstIdAt);
  const times = borders.map((ms) => new Date(ms).toISOString());
  const range = [ids.slice(0, -1), ids.slice(1), times, times.length];
  const rows = await (webhookId === null
    ? sql.rows<Row>(accountPerformance, [accountId, ...range])
    : sql.rows<Row>(webhookPerformance, [accountId, ...range, webhookId]));
  const [first, ...intervals] = rows.map(({ ordinal: _, lastAttemptAt: __, ...figures }) => figures);
  if (!first) throw new RangeError("A period has at least one interval.");
  return { total: first, intervals, lastAttemptAt: rows[0]?.lastAttemptAt ?? null };
}
