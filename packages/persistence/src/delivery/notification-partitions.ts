import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";

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
 * Creates the partitions of the coming weeks for notifications and their events. Call it before the old ones are
 * dropped, which may fail or take long.
 * @returns how many were created.
 */
export function createNotificationPartitions(database: Database, retentionDays: number): Promise<number> {
  return runUnderLock(database, (sql) => sql.rows<{ count: number }>(create, [retentionDays]));
}

/**
 * Drops the oldest partition whose week ended more than `retentionDays` ago and has no pending delivery
 * (docs/adr/0041), in a transaction of its own, which locks the table only briefly. A partition has a whole week, so a
 * notification is kept up to eight days longer.
 * @returns whether there was one; call it again then.
 */
export async function dropNotificationPartition(database: Database, retentionDays: number): Promise<boolean> {
  const dropped = await runUnderLock(database, (sql) => sql.rows<{ count: number }>(drop, [retentionDays]));
  return dropped > 0;
}

/**
 * Renews the statistics after partitions were created or dropped. Autovacuum keeps those of partitions only, but the
 * planner needs those of the whole table for joins.
 */
export async function analyzeNotificationPartitions(database: Database): Promise<void> {
  await database.pool.query("ANALYZE ONLY webhook_notifications, notification_events");
}

/** Counts the rows of each partitioned table without a partition of their week, up to 100,000. Usually none. */
export function countDefaultPartitionRows(sql: Sql): Promise<{ table: string; rows: number }[]> {
  return sql.rows(countMisplaced, []);
}
