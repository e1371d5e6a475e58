import type { FailedReason, Instant, TrackingRequest, TrackingRequestStatus } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";
import type { SubjectClaim } from "./claim-subjects.ts";

/** What was learnt about a subject so far. Times are on the tracking clock. */
export interface SubjectState {
  readonly lastAttemptedAt: Instant | null;
  /** The carrier last gave an answer that could be used, also that it does not know the number. */
  readonly lastSucceededAt: Instant | null;
  readonly lastChangedAt: Instant | null;
  readonly lastFoundAt: Instant | null;
  readonly consecutiveFailures: number;
  readonly unchangedPolls: number;
  /** SHA-256 of the last usable reply. */
  readonly contentHash: Uint8Array | null;
  /** Since when a fact is missing from the replies that is not withdrawn yet. */
  readonly factsMissingSince: Instant | null;
  readonly createdAt: Instant;
}

const lock: Statement = {
  name: "tracking.lock-subject",
  text: `
    SELECT last_attempted_at AS "lastAttemptedAt", last_succeeded_at AS "lastSucceededAt", last_changed_at AS "lastChangedAt",
      last_found_at AS "lastFoundAt", consecutive_failures AS "consecutiveFailures", unchanged_polls AS "unchangedPolls",
      content_hash AS "contentHash", facts_missing_since AS "factsMissingSince", created_at AS "createdAt"
    FROM tracking_subjects WHERE account_id = $1 AND id = $2 AND fencing = $3
    FOR UPDATE`,
};

/**
 * Holds the subject for the rest of the transaction. Null: another worker has taken it over, and nothing may be written.
 * Whatever is read after it is not older than the lock, so a request that was just added is seen.
 */
export async function lockSubject(sql: Sql, claim: SubjectClaim): Promise<SubjectState | null> {
  return (await sql.rows<SubjectState>(lock, [claim.accountId, claim.id, claim.fencing]))[0] ?? null;
}

/** The outcome of a poll as the subject keeps it; an absent member stays as it is. */
export interface SubjectOutcome {
  readonly lastAttemptedAt: Instant;
  readonly nextPollAt: Instant | null;
  readonly consecutiveFailures: number;
  readonly unchangedPolls: number;
  readonly lastSucceededAt?: Instant;
  readonly lastChangedAt?: Instant;
  readonly lastFoundAt?: Instant;
  readonly contentHash?: Uint8Array;
  readonly factsMissingSince?: Instant | null;
}

const settle: Statement = {
  name: "tracking.settle-subject",
  text: `
    UPDATE tracking_subjects SET lease_owner = NULL, lease_until = NULL, last_attempted_at = $4, next_poll_at = $5,
      consecutive_failures = $6, unchanged_polls = $7, last_succeeded_at = COALESCE($8, last_succeeded_at),
      last_changed_at = COALESCE($9, last_changed_at), last_found_at = COALESCE($10, last_found_at),
      content_hash = COALESCE($11, content_hash),
      facts_missing_since = CASE WHEN $12 THEN $13::timestamptz ELSE facts_missing_since END
    WHERE account_id = $1 AND id = $2 AND fencing = $3`,
};

/** Writes the outcome and gives the lease back. */
export async function settleSubject(sql: Sql, claim: SubjectClaim, outcome: SubjectOutcome): Promise<void> {
  await sql.execute(settle, [
    claim.accountId,
    claim.id,
    claim.fencing,
    outcome.lastAttemptedAt,
    outcome.nextPollAt,
    outcome.consecutiveFailures,
    outcome.unchangedPolls,
    outcome.lastSucceededAt ?? null,
    outcome.lastChangedAt ?? null,
    outcome.lastFoundAt ?? null,
    outcome.contentHash ?? null,
    outcome.factsMissingSince !== undefined,
    outcome.factsMissingSince ?? null,
  ]);
}

const stopPolling: Statement = {
  name: "tracking.stop-polling",
  text: "UPDATE tracking_subjects SET next_poll_at = NULL WHERE account_id = $1 AND id = $2 AND next_poll_at IS NOT NULL",
};

/** For a subject whose shipment is polled under another number from now on. */
export async function stopPollingSubject(sql: Sql, accountId: string, subjectId: string): Promise<void> {
  await sql.execute(stopPolling, [accountId, subjectId]);
}

/** A request that still waits for something of its subject. */
export interface LiveRequest extends TrackingRequest {
  readonly awaitingManifestSince: Instant | null;
}

const requestColumns = `r.id, r.request_type AS "requestType", r.request_number AS "requestNumber",
  r.normalized_number AS "normalizedNumber", r.scac, r.ref_numbers AS "refNumbers", r.shipment_tags AS "shipmentTags",
  r.customer_id AS "customerId", r.status, r.failed_reason AS "failedReason", r.is_retrying AS "isRetrying",
  r.retry_count AS "retryCount", r.awaiting_manifest_since AS "awaitingManifestSince", r.shipment_id AS "shipmentId",
  r.row_version AS "rowVersion", r.created_at AS "createdAt", r.updated_at AS "updatedAt"`;

const liveRequests: Statement = {
  name: "tracking.live-requests",
  text: `
    SELECT ${requestColumns} FROM tracking_requests r
    WHERE r.account_id = $1 AND r.subject_id = $2 AND r.status IN ('pending', 'awaiting_manifest', 'created')
    ORDER BY r.created_at, r.id FOR NO KEY UPDATE`,
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

const changeRequests: Statement = {
  name: "tracking.change-requests",
  text: `
    UPDATE tracking_requests r SET status = c.status, failed_reason = c."failedReason", is_retrying = c."isRetrying",
      retry_count = c."retryCount", awaiting_manifest_since = c."awaitingManifestSince", shipment_id = c."shipmentId",
      row_version = r.row_version + 1, updated_at = $2
    FROM jsonb_to_recordset($3::jsonb) AS c(id uuid, status text, "failedReason" text, "isRetrying" bool,
      "retryCount" int, "awaitingManifestSince" timestamptz, "shipmentId" uuid)
    WHERE r.account_id = $1 AND r.id = c.id
    RETURNING ${requestColumns}`,
};

/** @returns the requests as they are now. */
export async function writeRequests(
  sql: Sql,
  accountId: string,
  changes: readonly RequestChange[],
  now: Instant,
): Promise<LiveRequest[]> {
  return changes.length === 0 ? [] : sql.rows<LiveRequest>(changeRequests, [accountId, now, JSON.stringify(changes)]);
}
