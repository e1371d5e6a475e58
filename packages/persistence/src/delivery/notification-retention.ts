import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import { nilUuid } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";

/** Position of a scan over the old notifications. */
export interface RetentionPosition {
  readonly accountId: string;
  readonly notificationId: string;
}

export interface RemovedNotifications {
  readonly notifications: number;
  readonly notices: number;
  /** Position of the next step; null at the end of the scan, or when another process does the work. */
  readonly position: RetentionPosition | null;
}

const batchMax = 1_000;

/**
 * One process at a time, with a short lock timeout. Commits do not wait for the disk, because rows that a crash
 * restores are deleted by the next run.
 */
const lock: Statement = {
  name: "retention.lock",
  text: `
    SELECT set_config('lock_timeout', '2000', true), set_config('synchronous_commit', 'off', true),
           pg_try_advisory_xact_lock(${advisoryLocks.notificationRetention}) AS acquired`,
};

/**
 * Ids start with the time of creation by a clock that may differ from the database's. So ids select the old rows with a
 * margin of a day, and the column decides.
 */
const isOld = (row: string): string => `
  ${row}.created_at < now() - $1 * interval '1 day' AND ${row}.id < (lpad(to_hex(
    (extract(epoch FROM now() - ($1 - 1) * interval '1 day') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

/** Newer notifications go with their partition. A resend locks the notification too. */
const findOld: Statement = {
  name: "retention.find",
  text: `
    SELECT old.account_id, old.id
      FROM accounts a CROSS JOIN LATERAL (
        SELECT n.account_id, n.id FROM webhook_notifications n
         WHERE n.account_id = a.id AND n.id > CASE WHEN a.id = $2 THEN $3::uuid ELSE '${nilUuid}' END AND ${isOld("n")}
           AND n.id < (SELECT notifications_deleted_by_row($1::int))
           AND NOT EXISTS (
             SELECT FROM webhook_deliveries d
              WHERE d.account_id = n.account_id AND d.notification_id = n.id AND d.delivery_status = 'pending')
         ORDER BY n.id LIMIT $4 FOR UPDATE OF n SKIP LOCKED) old
     WHERE a.id >= $2 ORDER BY a.id, old.id LIMIT $4`,
};

/** Of weeks that ended longer ago than the retention. */
const lockFailed: Statement = {
  name: "retention.lock-failed",
  text: "SELECT account_id, id FROM lock_failed_notifications($1, $2)",
};

/** Each of these statements sees earlier commits, so a notification that became pending again is kept. */
const removeDeliveries: Statement = {
  name: "retention.remove-deliveries",
  text: `
    DELETE FROM webhook_deliveries d WHERE (d.account_id, d.notification_id) IN (
      SELECT failed.account_id, failed.notification_id
        FROM unnest($1::uuid[], $2::uuid[]) AS old (account_id, notification_id)
        JOIN webhook_deliveries failed USING (account_id, notification_id)
       WHERE failed.delivery_status = 'failed' AND failed.claim_id IS NULL FOR UPDATE OF failed SKIP LOCKED)`,
};

const removeNotifications: Statement = {
  name: "retention.remove-notifications",
  text: `
    DELETE FROM webhook_notifications n USING unnest($1::uuid[], $2::uuid[]) AS old (account_id, id)
     WHERE n.account_id = old.account_id AND n.id = old.id
       AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.account_id = n.account_id AND d.notification_id = n.id)
    RETURNING n.account_id, n.event_id`,
};

/** An event is deleted with the last of its notifications. */
const removeEvents: Statement = {
  name: "retention.remove-events",
  text: `
    DELETE FROM notification_events e USING unnest($1::uuid[], $2::uuid[]) AS candidate (account_id, id)
     WHERE e.account_id = candidate.account_id AND e.id = candidate.id
       AND NOT EXISTS (SELECT FROM webhook_notifications n WHERE n.account_id = e.account_id AND n.event_id = e.id)`,
};

const removeNotices: Statement = {
  name: "retention.remove-notices",
  text: `
    DELETE FROM webhook_notices WHERE (account_id, id) IN (
      SELECT old.account_id, old.id
        FROM accounts a CROSS JOIN LATERAL (
          SELECT n.account_id, n.id FROM webhook_notices n WHERE n.account_id = a.id AND ${isOld("n")}
           ORDER BY n.id LIMIT $2) old LIMIT $2)`,
};

async function removeBatch(sql: Sql, old: readonly { account_id: string; id: string }[]): Promise<number> {
  const ids = [old.map((row) => row.account_id), old.map((row) => row.id)];
  await sql.execute(removeDeliveries, ids);
  const removed = await sql.rows<{ account_id: string; event_id: string }>(removeNotifications, ids);
  const events = [removed.map((row) => row.account_id), removed.map((row) => row.event_id)];
  await sql.execute(removeEvents, events);
  return removed.length;
}

/**
 * Deletes, in one step, rows older than `retentionDays`: notifications that were delivered or have failed, with their
 * deliveries and events, if no partition of them will be dropped (notification-partitions.ts), and notices. Pending
 * deliveries are kept, however old. A step is a short transaction over at
 * most a thousand rows that skips locked rows; the steps of a scan continue by position.
 * @param after null starts a scan.
 */
export async function removeOldNotifications(
  database: Database,
  retentionDays: number,
  after: RetentionPosition | null,
  batch = batchMax,
): Promise<RemovedNotifications> {
  const removed = await withTryLock(database, lock, async (sql) => {
    const { accountId, notificationId } = after ?? { accountId: nilUuid, notificationId: nilUuid };
    const found = [retentionDays, accountId, notificationId, batch];
    const old = await sql.rows<{ account_id: string; id: string }>(findOld, found);
    const notifications = old.length > 0 ? await removeBatch(sql, old) : 0;
    const notices = await sql.execute(removeNotices, [retentionDays, batch]);
    const last = old.at(-1);
    const hasMore = old.length === batch || notices === batch;
    const position = last ? { accountId: last.account_id, notificationId: last.id } : after;
    return { notifications, notices, position: hasMore ? (position ?? { accountId, notificationId }) : null };
  });
  return removed ?? { notifications: 0, notices: 0, position: null };
}

/**
 * Deletes, in one short transaction, failed notifications of weeks that ended longer ago than the retention, so that
 * dropping a week deletes few deliveries under its lock.
 * @returns whether there are more.
 */
export async function removeFailedOfOldWeeks(
  database: Database,
  retentionDays: number,
  batch = batchMax,
): Promise<boolean> {
  const hasMore = await withTryLock(database, lock, async (sql) => {
    const failed = await sql.rows<{ account_id: string; id: string }>(lockFailed, [retentionDays, batch]);
    const removed = failed.length > 0 ? await removeBatch(sql, failed) : 0;
    return removed === batch;
  });
  return hasMore ?? false;
}
