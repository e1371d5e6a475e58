import { attemptsMax, slowResponseMs } from "@svc/domain/webhooks";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import { type Claim, type ClaimKey, keyColumns } from "./claim.ts";

/** Skips locked rows, so that it never waits and cannot deadlock. */
const renewQueued: Statement = {
  name: "delivery.renew-queued",
  text: `
    UPDATE webhook_claims c SET lease_until = now() + $3 * interval '1 millisecond'
      FROM (
        SELECT c.account_id, c.id FROM unnest($1::uuid[], $2::uuid[]) AS claim (account_id, id)
          JOIN webhook_claims c USING (account_id, id)
         WHERE c.started_at IS NULL FOR UPDATE OF c SKIP LOCKED) claim
     WHERE c.account_id = claim.account_id AND c.id = claim.id
    RETURNING c.id`,
};

const stillQueued: Statement = {
  name: "delivery.still-queued",
  text: `
    SELECT c.id FROM unnest($1::uuid[], $2::uuid[]) AS claim (account_id, id)
      JOIN webhook_claims c USING (account_id, id) WHERE c.started_at IS NULL`,
};

/**
 * Settled deliveries leave their claim and no longer count against the concurrency of its webhook. A webhook whose
 * requests take long is marked slow now and not at their timeout, because until then it would use capacity of
 * responsive endpoints.
 */
const renewInFlight: Statement = {
  name: "delivery.renew-in-flight",
  text: `
    WITH renewed AS (
      UPDATE webhook_claims c
         SET lease_until = now() + $2 * interval '1 millisecond', notification_ids = claim.unsettled
        FROM (
          SELECT c.account_id, c.id, claim.unsettled
            FROM json_to_recordset($1::json) AS claim (account_id uuid, id uuid, unsettled uuid[])
            JOIN webhook_claims c USING (account_id, id)
           WHERE c.started_at IS NOT NULL FOR UPDATE OF c SKIP LOCKED) claim
       WHERE c.account_id = claim.account_id AND c.id = claim.id
      RETURNING c.account_id, c.id, c.webhook_id, c.started_at),
    slowed AS (
      UPDATE webhooks w SET slow = true
        FROM (
          SELECT w.account_id, w.id FROM webhooks w
           WHERE NOT w.slow AND (w.account_id, w.id) IN (
             SELECT account_id, webhook_id FROM renewed WHERE started_at < now() - $3 * interval '1 millisecond')
             FOR NO KEY UPDATE OF w SKIP LOCKED) late
       WHERE w.account_id = late.account_id AND w.id = late.id)
    SELECT id FROM renewed`,
};

/** Assignments to a delivery `d` back to pending: a resend that was requested in between restarts the schedule. */
export const returnToPending = `claim_id = NULL, resend_requested = false,
           prior_attempts = CASE WHEN d.resend_requested THEN d.attempt_count ELSE d.prior_attempts END`;

/** queued → pending. A claim in flight belongs to the worker that started it. */
const release: Statement = {
  name: "delivery.release",
  text: `
    WITH released AS (
      DELETE FROM webhook_claims c USING unnest($1::uuid[], $2::uuid[]) AS claim (account_id, id)
       WHERE c.account_id = claim.account_id AND c.id = claim.id AND c.started_at IS NULL
      RETURNING c.account_id, c.id, c.notification_ids)
    UPDATE webhook_deliveries d SET ${returnToPending}
      FROM released CROSS JOIN unnest(released.notification_ids) AS claimed (id)
     WHERE d.account_id = released.account_id AND d.notification_id = claimed.id AND d.claim_id = released.id`,
};

const findExpired: Statement = {
  name: "delivery.find-expired-leases",
  text: `
    SELECT account_id, id, notification_ids FROM webhook_claims WHERE lease_until < now()
      LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/**
 * queued → pending; in_flight → retrying or failed. A request that was in flight may or may not have reached its
 * receiver: its attempt is logged as `unknown`, and the delivery keeps its due time, ahead of later ones, unless that
 * was the last attempt of its schedule.
 */
const reclaim: Statement = {
  name: "delivery.reclaim",
  text: `
    WITH expired AS (
      DELETE FROM webhook_claims c USING unnest($1::uuid[], $2::uuid[]) AS claim (account_id, id)
       WHERE c.account_id = claim.account_id AND c.id = claim.id
      RETURNING c.account_id, c.id, c.started_at),
    reclaimed AS (
      SELECT d.*, expired.started_at, delivery.attempt_id,
             d.attempt_count + CASE WHEN expired.started_at IS NULL THEN 0 ELSE 1 END AS attempts,
             expired.started_at IS NULL OR d.resend_requested OR d.attempt_count + 1 - d.prior_attempts < $6 AS retries
        FROM unnest($3::uuid[], $4::uuid[], $5::uuid[]) AS delivery (claim_id, notification_id, attempt_id)
        JOIN expired ON expired.id = delivery.claim_id
        JOIN webhook_deliveries d ON d.account_id = expired.account_id AND d.notification_id = delivery.notification_id
                                 AND d.claim_id = expired.id
         FOR NO KEY UPDATE OF d),
    logged AS (
      INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome,
                                    error_class, error_detail, url, request_headers, next_attempt_at)
      SELECT lost.account_id, lost.attempt_id, lost.notification_id, lost.webhook_id, lost.attempts, lost.started_at,
             'unknown', 'worker_lost', 'The worker ended before it could record the outcome of the request.',
             COALESCE(w.url, ''), '{}', CASE WHEN lost.attempts - lost.prior_attempts < $6 THEN now() END
        FROM reclaimed lost LEFT JOIN webhooks w ON w.account_id = lost.account_id AND w.id = lost.webhook_id
       WHERE lost.started_at IS NOT NULL
      ON CONFLICT DO NOTHING)
    UPDATE webhook_deliveries d
       SET claim_id = NULL, attempt_count = reclaimed.attempts, resend_requested = false,
           delivery_status = CASE WHEN reclaimed.retries THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN reclaimed.retries THEN d.next_attempt_at END,
           prior_attempts = CASE WHEN d.resend_requested THEN reclaimed.attempts ELSE d.prior_attempts END
      FROM reclaimed
     WHERE d.account_id = reclaimed.account_id AND d.notification_id = reclaimed.notification_id
       AND d.claim_id = reclaimed.claim_id
    RETURNING reclaimed.started_at IS NOT NULL AS "wasInFlight"`,
};

const reclaimedMax = 500;

/** Extends the leases of queued claims. @returns the ids of those that are still queued. */
export async function renewQueuedClaims(
  sql: Sql,
  claims: readonly ClaimKey[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<{ id: string }>(renewQueued, [...keyColumns(claims), leaseMs]);
  return new Set(rows.map((row) => row.id));
}

/** @returns the ids of those that are still queued. */
export async function findQueuedClaims(sql: Sql, claims: readonly ClaimKey[]): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<{ id: string }>(stillQueued, keyColumns(claims));
  return new Set(rows.map((row) => row.id));
}

/**
 * Extends the leases of claims in flight, given with their unsettled deliveries, and marks their webhooks slow when
 * due.
 */
export async function renewInFlightClaims(
  sql: Sql,
  claims: readonly (ClaimKey & Pick<Claim, "notificationIds">)[],
  leaseMs: number,
): Promise<void> {
  const records = claims.map(({ accountId, claimId, notificationIds }) => ({
    account_id: accountId,
    id: claimId,
    unsettled: notificationIds,
  }));
  await sql.execute(renewInFlight, [JSON.stringify(records), leaseMs, slowResponseMs]);
}

/** Ends queued claims; their deliveries are due as before. */
export async function releaseClaims(sql: Sql, claims: readonly ClaimKey[]): Promise<void> {
  await sql.execute(release, keyColumns(claims));
}

interface ExpiredRow {
  account_id: string;
  id: string;
  notification_ids: string[];
}

export interface ReclaimedLeases {
  /** Number of deliveries that were queued. */
  readonly queued: number;
  /** Number of deliveries that were in flight, with an unknown outcome. */
  readonly inFlight: number;
  /** Whether more leases may have expired. */
  readonly hasMore: boolean;
}

/** Makes the deliveries of up to 500 claims whose lease has expired due again. */
export function reclaimExpiredLeases(database: Database): Promise<ReclaimedLeases> {
  return database.transaction(async (sql) => {
    const expired = await sql.rows<ExpiredRow>(findExpired, [reclaimedMax]);
    if (expired.length === 0) return { queued: 0, inFlight: 0, hasMore: false };
    const deliveries = expired.flatMap(({ id, notification_ids }) =>
      notification_ids.map((notificationId) => ({ claimId: id, notificationId })),
    );
    const reclaimed = await sql.rows<{ wasInFlight: boolean }>(reclaim, [
      expired.map((row) => row.account_id),
      expired.map((row) => row.id),
      deliveries.map(({ claimId }) => claimId),
      deliveries.map(({ notificationId }) => notificationId),
      deliveries.map(() => uuidV7.next()),
      attemptsMax,
    ]);
    const inFlight = reclaimed.filter(({ wasInFlight }) => wasInFlight).length;
    return { queued: reclaimed.length - inFlight, inFlight, hasMore: expired.length === reclaimedMax };
  });
}
