import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";
import type { SubjectClaim } from "./claim-subjects.ts";
import { type SubjectState, subjectStateColumns } from "./subject-state.ts";

/** A subject that polls a shipment and has no waiting request, locked for the rest of the transaction. */
export interface TrackedSubject extends SubjectState {
  readonly id: string;
  /** Fencing token of the claim. */
  readonly fencing: number;
  /** When the tracking of its shipment was last resumed. */
  readonly resumedAt: Instant | null;
}

/** Skips locked rows, so that a transaction that locks many subjects cannot deadlock. */
const lock: Statement = {
  name: "tracking.lock-subjects",
  text: `
    SELECT s.id, s.fencing, ${subjectStateColumns} FROM tracking_subjects s
    WHERE s.lease_owner IS NOT NULL AND (s.id, s.fencing) IN (SELECT * FROM unnest($1::uuid[], $2::bigint[]))
    FOR UPDATE SKIP LOCKED`,
};

/**
 * Must agree with `findLiveRequests` and `findTrackedShipment`. A separate statement, because it must see commits
 * before the lock.
 */
const tracked: Statement = {
  name: "tracking.of-subjects",
  text: `
    SELECT h.id, min(s.line_tracking_resumed_at) AS "resumedAt"
    FROM unnest($1::uuid[], $2::uuid[]) AS h(id, account_id)
    JOIN shipments s ON s.account_id = h.account_id AND s.subject_id = h.id
    WHERE NOT EXISTS (SELECT FROM tracking_requests r
      WHERE r.account_id = h.account_id AND r.subject_id = h.id AND r.status IN ('pending', 'awaiting_manifest'))
    GROUP BY h.id HAVING count(*) = 1 AND bool_and(s.line_tracking_stopped_at IS NULL)`,
};

/**
 * Locks the claimed subjects that only poll a shipment. Omits a subject when its lease was lost, its row is locked, a
 * request waits for it, or it polls no shipment; `lockSubject` distinguishes these.
 */
export async function lockTrackedSubjects(sql: Sql, claims: readonly SubjectClaim[]): Promise<TrackedSubject[]> {
  const ids = claims.map(({ id }) => id);
  const fencings = claims.map(({ fencing }) => fencing);
  const locked = await sql.rows<Omit<TrackedSubject, "resumedAt">>(lock, [ids, fencings]);
  if (locked.length === 0) return [];
  const accounts = new Map(claims.map(({ id, accountId }) => [id, accountId]));
  const lockedIds = locked.map(({ id }) => id);
  const values = [lockedIds, lockedIds.map((id) => accounts.get(id))];
  const shipments = await sql.rows<Pick<TrackedSubject, "id" | "resumedAt">>(tracked, values);
  const resumed = new Map(shipments.map(({ id, resumedAt }) => [id, resumedAt]));
  return locked.flatMap((subject): TrackedSubject[] => {
    const resumedAt = resumed.get(subject.id);
    return resumedAt === undefined ? [] : [{ ...subject, resumedAt }];
  });
}

/** The changes of a locked subject after an unchanged reply. */
export interface UnchangedSubject {
  readonly id: string;
  readonly unchangedPolls: number;
  readonly nextPollAt: Instant;
}

const settle: Statement = {
  name: "tracking.settle-unchanged",
  text: `
    UPDATE tracking_subjects s SET lease_owner = NULL, lease_until = NULL, last_attempted_at = $1,
      last_succeeded_at = $1, last_found_at = $1, consecutive_failures = 0, retry_at = NULL,
      not_found_since = NULL, not_found_polls = 0,
      unchanged_polls = u.unchanged_polls, next_poll_at = u.next_poll_at
    FROM unnest($2::uuid[], $3::int[], $4::timestamptz[]) AS u(id, unchanged_polls, next_poll_at)
    WHERE s.id = u.id`,
};

/** Records unchanged replies at `now` and releases the leases. The subjects must be locked. */
export async function settleUnchanged(sql: Sql, now: Instant, subjects: readonly UnchangedSubject[]): Promise<void> {
  if (subjects.length === 0) return;
  await sql.execute(settle, [
    now,
    subjects.map(({ id }) => id),
    subjects.map(({ unchangedPolls }) => unchangedPolls),
    subjects.map(({ nextPollAt }) => nextPollAt),
  ]);
}
