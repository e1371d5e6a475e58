import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";

/**
 * One process at a time; another one skips the run. With the lock timeout the run is skipped rather than delaying
 * deliveries.
 */
const lock: Statement = {
  name: "attempts.lock-parts",
  text: `
    SELECT set_config('lock_timeout', '2000', true),
           pg_try_advisory_xact_lock(${advisoryLocks.attemptPartitions}) AS acquired`,
};

/** Partitions of this week and the next four, so that missed runs do no harm. */
const create: Statement = {
  name: "attempts.create-parts",
  text: `
    SELECT count(*) FILTER (WHERE create_webhook_attempts_part(week::date))::int AS count
      FROM generate_series(date_trunc('week', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '4 weeks',
                           interval '1 week') AS week`,
};

const drop: Statement = { name: "attempts.drop-parts", text: "SELECT drop_webhook_attempts_parts($1) AS count" };

/** Numbers of weekly partitions. */
interface PartitionChanges {
  readonly created: number;
  readonly dropped: number;
}

/**
 * Creates the partitions of the coming weeks for attempts, and drops those of weeks that ended more than
 * `retentionDays` ago. A partition has a whole week, so an attempt is kept up to seven days longer.
 */
export async function maintainAttemptPartitions(database: Database, retentionDays: number): Promise<PartitionChanges> {
  const parts = await withTryLock(database, lock, async (sql) => {
    const [created] = await sql.rows<{ count: number }>(create, []);
    const [dropped] = await sql.rows<{ count: number }>(drop, [retentionDays]);
    return { created: created?.count ?? 0, dropped: dropped?.count ?? 0 };
  });
  return parts ?? { created: 0, dropped: 0 };
}
