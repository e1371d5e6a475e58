import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";
import type { PartitionChanges } from "./partition-changes.ts";

/** Dropping a partition may delete many failed deliveries, and creating one may move many rows. */
const timeoutMs = 600_000;
/** After the server's own timeout, whose error arrives first. */
const clientTimeoutMs = timeoutMs + 10_000;

/**
 * One process at a time; another one skips the run. With the lock timeout the run is skipped rather than delaying
 * deliveries. The server ends the statement soon after its process, so that it holds no lock for longer.
 */
const lock: Statement = {
  name: "notifications.lock-parts",
  text: `
    SELECT set_config('lock_timeout', '2000', true), set_config('statement_timeout', '${timeoutMs}', true),
           set_config('client_connection_check_interval', '1000', true),
           pg_try_advisory_xact_lock(${advisoryLocks.notificationPartitions}) AS acquired`,
};

/**
 * Partitions of this week and the next four, so that missed runs do no harm, and of weeks within the retention that
 * lack one, whose rows are in the default partition.
 */
const create: Statement = {
  name: "notifications.create-parts",
  clientTimeoutMs,
  text: `
    SELECT count(*) FILTER (WHERE create_notification_part(parent::regclass, week::date))::int AS count
      FROM unnest(ARRAY['webhook_notifications', 'notification_events']) AS parent,
           generate_series(date_trunc('week', (now() - $1 * interval '1 day') AT TIME ZONE 'UTC'),
                           now() AT TIME ZONE 'UTC' + interval '4 weeks', interval '1 week') AS week`,
};

const drop: Statement = {
  name: "notifications.drop-parts",
  text: "SELECT drop_notification_parts($1) AS count",
  clientTimeoutMs,
};

/** Autovacuum keeps the statistics of partitions only. The planner needs those of the whole table for joins. */
const analyze = "ANALYZE ONLY webhook_notifications, notification_events";

const countMisplaced: Statement = {
  name: "delivery.default-partition-rows",
  text: `
    SELECT 'webhook_attempts' AS table, count(*)::int AS rows
      FROM (SELECT FROM webhook_attempts_parts.others LIMIT 100000) AS attempts
    UNION ALL
    SELECT 'webhook_notifications', count(*)::int
      FROM (SELECT FROM notification_parts.webhook_notifications_others LIMIT 100000) AS notifications
    UNION ALL
    SELECT 'notification_events', count(*)::int
      FROM (SELECT FROM notification_parts.notification_events_others LIMIT 100000) AS events`,
};

/** Zero when another process does the work. */
async function runUnderLock(database: Database, work: (sql: Sql) => Promise<{ count: number }[]>): Promise<number> {
  const [result] = (await withTryLock(database, lock, work)) ?? [];
  return result?.count ?? 0;
}

/**
 * Creates the partitions of the coming weeks for notifications and their events, and drops those of weeks that ended
 * more than `retentionDays` ago, unless a delivery of the week is pending (docs/adr/0041). A partition has a whole
 * week, so a notification is kept up to eight days longer. Each partition is dropped in a transaction of its own, which
 * locks the table only briefly; a lock that prevents dropping does not prevent creating.
 */
export async function maintainNotificationPartitions(
  database: Database,
  retentionDays: number,
  signal?: AbortSignal,
): Promise<PartitionChanges> {
  const created = await runUnderLock(database, (sql) => sql.rows<{ count: number }>(create, [retentionDays]));
  let dropped = 0;
  for (let count = 1; count > 0 && !signal?.aborted; dropped += count)
    count = await runUnderLock(database, (sql) => sql.rows<{ count: number }>(drop, [retentionDays]));
  if (created + dropped > 0) await database.pool.query(analyze);
  return { created, dropped };
}

/** Counts the rows of each partitioned table without a partition of their week, up to 100,000. Usually none. */
export function countDefaultPartitionRows(sql: Sql): Promise<{ table: string; rows: number }[]> {
  return sql.rows(countMisplaced, []);
}
