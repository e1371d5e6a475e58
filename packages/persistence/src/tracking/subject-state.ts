import type { Instant } from "@svc/domain";
import type { TrackingProgress } from "@svc/domain/tracking";
import type { FailedReason, TrackingRequest, TrackingRequestStatus } from "@svc/domain/tracking-requests";
import { uuidV7 } from "../ids.ts";
import { toJsonColumns } from "../records/column-names.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import type { SubjectClaim } from "./claim-subjects.ts";

/** The polling state of a subject. Times are on the tracking clock. */
export interface SubjectState {
  /** Null when it is not polled. */
  readonly nextPollAt: Instant | null;
  readonly lastAttemptedAt: Instant | null;
  /** Time of the last usable response, including one that the number is unknown. */
  readonly lastSucceededAt: Instant | null;
  readonly lastChangedAt: Instant | null;
  readonly lastFoundAt: Instant | null;
  readonly consecutiveFailures: number;
  /**
   * When the retry schedule polls the subject, which was brought forward because its carrier returned. A failure before
   * then uses up no try. Null: it was not brought forward.
   */
  readonly retryAt: Instant | null;
  /** Number of consecutive usable responses without a change. */
  readonly unchangedPolls: number;
  /** Time since when the carrier reports the number as unknown or without containers; null otherwise. */
  readonly notFoundSince: Instant | null;
  readonly notFoundPolls: number;
  /** Progress of the shipment; null before its first facts. */
  readonly progress: TrackingProgress | null;
  /** SHA-256 of the last usable reply. */
  readonly contentHash: Uint8Array | null;
  /** Time from which an unchanged reply has an effect. */
  readonly recheckAt: Instant | null;
  readonly createdAt: Instant;
}

/** Columns over `tracking_subjects`. */
export const subjectStateColumns = `next_poll_at AS "nextPollAt", last_attempted_at AS "lastAttemptedAt",
last_succeeded_at AS "lastSucceededAt",
  last_changed_at AS "lastChangedAt", last_found_at AS "lastFoundAt", consecutive_failures AS "consecutiveFailures",
  retry_at AS "retryAt",
  unchanged_polls AS "unchangedPolls", not_found_since AS "notFoundSince", not_found_polls AS "notFoundPolls", progress,
  content_hash AS "contentHash", recheck_at AS "recheckAt", created_at AS "createdAt"`;

const lock: Statement = {
  name: "tracking.lock-subject",
  text: `
    SELECT ${subjectStateColumns} FROM tracking_subjects WHERE account_id = $1 AND id = $2 AND fencing = $3
      AND lease_owner IS NOT NULL
    FOR UPDATE`,
};

/**
 * Locks the subject for the rest of the transaction. Null when another worker has claimed it or the claim was settled;
 * nothing may be written then. Statements after the lock see requests that were just added.
 */
export function lockSubject(sql: Sql, claim: SubjectClaim): Promise<SubjectState | null> {
  return firstRow(sql.rows<SubjectState>(lock, [claim.accountId, claim.id, claim.fencing]));
}

/** Changes of a subject by a poll; absent members are not changed. */
export type SubjectChange = Partial<Omit<SubjectState, "createdAt">> & {
  readonly lastAttemptedAt: Instant | null;
  /** Null to stop polling. */
  readonly nextPollAt: Instant | null;
};

const settle: Statement = {
  name: "tracking.settle-subject",
  text: `
    UPDATE tracking_subjects s SET lease_owner = NULL, lease_until = NULL, last_attempted_at = r.last_attempted_at,
      next_poll_at = r.next_poll_at, last_succeeded_at = r.last_succeeded_at, last_changed_at = r.last_changed_at,
      last_found_at = r.last_found_at, consecutive_failures = r.consecutive_failures, retry_at = r.retry_at,
      unchanged_polls = r.unchanged_polls, not_found_since = r.not_found_since, not_found_polls = r.not_found_polls,
      progress = r.progress, recheck_at = r.recheck_at, content_hash = COALESCE($5, s.content_hash)
    FROM tracking_subjects x CROSS JOIN LATERAL jsonb_populate_record(x, $4::jsonb) r
    WHERE x.account_id = $1 AND x.id = $2 AND x.fencing = $3 AND s.id = x.id`,
};

/** Writes the changes of the poll and releases the lease. */
export async function settleSubject(sql: Sql, claim: SubjectClaim, change: SubjectChange): Promise<void> {
  const { contentHash, ...rest } = change;
  const patch = JSON.stringify(toJsonColumns(rest));
  await sql.execute(settle, [claim.accountId, claim.id, claim.fencing, patch, contentHash ?? null]);
}

const stopPolling: Statement = {
  name: "tracking.stop-polling",
  text: "UPDATE tracking_subjects SET next_poll_at = NULL WHERE account_id = $1 AND id = $2 AND next_poll_at IS NOT NULL",
};

/** Stops a subject whose shipment is polled by another number. */
export async function stopPollingSubject(sql: Sql, accountId: string, subjectId: string): Promise<void> {
  await sql.execute(stopPolling, [accountId, subjectId]);
}

const retire: Statement = {
  name: "tracking.retire-subject",
  wakes: "svc_tracking",
  text: `
    WITH retired AS (
      UPDATE tracking_subjects SET retired_at = $4, next_poll_at = NULL WHERE account_id = $1 AND id = $2 RETURNING *),
    superseded AS (
      UPDATE shipments SET superseded_at = $4 WHERE account_id = $1 AND subject_id = $2)
    UPDATE tracking_requests SET subject_id = $3
    WHERE account_id = $1 AND subject_id = $2 AND status IN ('pending', 'awaiting_manifest')`,
};

const succeed: Statement = {
  name: "tracking.insert-next-subject",
  text: `
    INSERT INTO tracking_subjects (id, account_id, scac, connection_id, kind, number, next_poll_at, created_at)
    SELECT $3, account_id, scac, connection_id, kind, number, $4, $4 FROM tracking_subjects
    WHERE account_id = $1 AND id = $2`,
};

/**
 * Moves the number and its waiting requests to a new subject that is due now. The old subject, its observations and its
 * shipment are not changed.
 * @returns the id of the new subject.
 */
export async function startNextSubject(sql: Sql, accountId: string, subjectId: string, now: Instant): Promise<string> {
  const nextId = uuidV7.next();
  const values = [accountId, subjectId, nextId, now];
  await sql.execute(retire, values);
  await sql.execute(succeed, values);
  return nextId;
}

/** A request that depends on polls of its subject. */
export interface LiveRequest extends TrackingRequest {
  readonly awaitingManifestSince: Instant | null;
}

/** Columns over `tracking_requests r`. */
export const liveRequestColumns = `r.id, r.request_type AS "requestType", r.request_number AS "requestNumber",
  r.normalized_number AS "normalizedNumber", r.scac, r.ref_numbers AS "refNumbers", r.shipment_tags AS "shipmentTags",
  r.customer_id AS "customerId", r.status, r.failed_reason AS "failedReason", r.is_retrying AS "isRetrying",
  r.retry_count AS "retryCount", r.created_by_user_id AS "createdByUserId",
  r.awaiting_manifest_since AS "awaitingManifestSince", r.shipment_id AS "shipmentId", r.row_version AS "rowVersion",
  r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const liveRequests: Statement = {
  name: "tracking.live-requests",
  text: `
    SELECT ${liveRequestColumns} FROM tracking_requests r
    WHERE r.account_id = $1 AND r.subject_id = $2 AND r.status IN ('pending', 'awaiting_manifest', 'created')
    ORDER BY r.created_at, r.id`,
};

/** The requests of a subject that are pending, awaiting their manifest or created, the oldest first. */
export function findLiveRequests(sql: Sql, accountId: string, subjectId: string): Promise<LiveRequest[]> {
  return sql.rows<LiveRequest>(liveRequests, [accountId, subjectId]);
}

export interface RequestChange {
  readonly id: string;
  readonly status: TrackingRequestStatus;
  readonly failedReason: FailedReason | null;
  readonly isRetrying: boolean;
  readonly retryCount: number;
  readonly awaitingManifestSince: Instant | null;
  readonly shipmentId: string | null;
}

/** The planner expects 100 records of JSON, and without the ids it would read all requests of the account for them. */
const changeRequests: Statement = {
  name: "tracking.change-requests",
  text: `
    UPDATE tracking_requests r SET status = c.status, failed_reason = c."failedReason", is_retrying = c."isRetrying",
      retry_count = c."retryCount", awaiting_manifest_since = c."awaitingManifestSince", shipment_id = c."shipmentId",
      row_version = r.row_version + 1, updated_at = $2
    FROM jsonb_to_recordset($3::jsonb) AS c(id uuid, status text, "failedReason" text, "isRetrying" bool,
      "retryCount" int, "awaitingManifestSince" timestamptz, "shipmentId" uuid)
    WHERE r.account_id = $1 AND r.id = ANY($4::uuid[]) AND r.id = c.id
    RETURNING ${liveRequestColumns}`,
};

/** @returns the requests as they are now. */
export async function writeRequests(
  sql: Sql,
  accountId: string,
  changes: readonly RequestChange[],
  now: Instant,
): Promise<LiveRequest[]> {
  if (changes.length === 0) return [];
  const ids = changes.map(({ id }) => id);
  return sql.rows<LiveRequest>(changeRequests, [accountId, now, JSON.stringify(changes), ids]);
}
