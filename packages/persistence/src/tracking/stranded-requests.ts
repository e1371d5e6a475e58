import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

const requeue: Statement = {
  name: "tracking.requeue-stranded",
  wakes: "svc_tracking",
  text: `
    WITH stranded AS (
      SELECT s.id FROM tracking_requests r JOIN tracking_subjects s ON s.id = r.subject_id
      WHERE r.status IN ('pending', 'awaiting_manifest') AND s.next_poll_at IS NULL
        AND (s.lease_until IS NULL OR s.lease_until < now())
        AND NOT EXISTS (SELECT FROM accounts a WHERE a.id = s.account_id AND a.suspended_at IS NOT NULL)
      LIMIT $2 FOR UPDATE OF s SKIP LOCKED)
    UPDATE tracking_subjects s SET next_poll_at = $1 FROM stranded WHERE s.id = stranded.id`,
};

/**
 * Makes subjects due that a request waits for and that have no scheduled poll. None should exist, because creating a
 * request schedules its poll.
 * @returns their number, at most `limit`.
 */
export function requeueStrandedSubjects(sql: Sql, now: Instant, limit: number): Promise<number> {
  return sql.execute(requeue, [now, limit]);
}
