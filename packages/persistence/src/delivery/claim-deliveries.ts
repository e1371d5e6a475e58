import type { DeliveryLane } from "@svc/domain/webhooks";
import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import { nilUuid } from "../ids.ts";
import type { Statement } from "../sql.ts";
import type { Claim } from "./claim.ts";
import { claimLane, type LaneRow } from "./claim-lane.ts";
import { chargeRateLimits } from "./rate-limits.ts";
import { dueBy, isUnheldPending } from "./unheld-deliveries.ts";

/** The webhook after which the next round continues. */
export interface ClaimCursor {
  readonly accountId: string;
  readonly webhookId: string;
}

export interface ClaimRequest {
  /** Null starts a round at the first webhook. */
  readonly after: ClaimCursor | null;
  /** Maximum number of deliveries to claim, for each lane. */
  readonly budget: Readonly<Record<DeliveryLane, number>>;
  /** Maximum number of concurrently claimed deliveries of one webhook over all workers, whatever its concurrency. */
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  readonly leaseMs: number;
  /** Reads the earliest due deliveries first: cheaper where few of many waiting webhooks have something due. */
  readonly readsDueFirst?: boolean;
}

export interface ClaimRound {
  readonly claims: readonly Claim[];
  /** Null when the round has passed the last webhook. */
  readonly cursor: ClaimCursor | null;
  /** Whether more deliveries were due than the limits admitted. */
  readonly isLimited: boolean;
  /** Whether some were skipped in favour of other accounts; another round may claim them at once. */
  readonly hasMore: boolean;
  /** Milliseconds until a rate limit admits more due deliveries; null when none holds any back. */
  readonly admittedInMs: number | null;
  /** Number of visited webhooks with pending deliveries and nothing to claim; null when the scan did not visit all. */
  readonly skipped: number | null;
}

/** One row without a webhook when there is none. */
type FoundRow = { readonly skipped: number | null } & (LaneRow | { readonly account_id: null });

/**
 * Maximum number of webhooks in one round; more than an account may have, so that at most one account is split between
 * rounds.
 */
const webhooksMax = 500;
const cancelledMax = 1_000;
/** Number of due deliveries from which those of one webhook could hide all others. */
const dueFirstMax = 2_000;

/**
 * Advisory lock: one claimer at a time over all workers, because each webhook's concurrency is counted before it is
 * used. The timeout releases the lock of a stopped process. A claim lost in a crash of PostgreSQL is made again, so its
 * commit does not wait for the disk.
 */
const lock: Statement = {
  name: "delivery.lock-claims",
  text: `SELECT set_config('idle_in_transaction_session_timeout', '5000', true),
    set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock(${advisoryLocks.deliveryClaims})`,
};

/**
 * Loose index scan from webhook to webhook, so that a backlog of a million rows costs one step. Selecting the first due
 * delivery, and not EXISTS, keeps the planner from collecting the due deliveries of all webhooks at once. When fewer
 * than $4 deliveries are due in total, their webhooks are those that the scan would find, except deleted ones without
 * due deliveries.
 */
const waitingWebhooks: Statement = {
  name: "delivery.waiting-webhooks",
  text: `
    WITH RECURSIVE first_due AS MATERIALIZED (
      SELECT account_id, webhook_id FROM webhook_deliveries
       WHERE next_attempt_at <= ${dueBy} AND NOT held AND claim_id IS NULL ORDER BY next_attempt_at LIMIT $4),
    all_due AS MATERIALIZED (SELECT count(*) < $4 AS known FROM first_due),
    waiting AS (
      (SELECT account_id, webhook_id FROM webhook_deliveries
        WHERE NOT (SELECT known FROM all_due) AND next_attempt_at IS NOT NULL AND NOT held
          AND (account_id, webhook_id) > ($1::uuid, $2::uuid)
        ORDER BY account_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM waiting CROSS JOIN LATERAL (
          SELECT d.account_id, d.webhook_id FROM webhook_deliveries d
           WHERE ${isUnheldPending("d")}
             AND (d.account_id, d.webhook_id) > (waiting.account_id, waiting.webhook_id)
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following),
    candidate AS (
      SELECT account_id, webhook_id FROM waiting
      UNION ALL
      (SELECT DISTINCT account_id, webhook_id FROM first_due
        WHERE (SELECT known FROM all_due) AND (account_id, webhook_id) > ($1::uuid, $2::uuid)
          ORDER BY account_id, webhook_id)),
    due AS (
      SELECT candidate.account_id, candidate.webhook_id, w.deleted_at IS NOT NULL OR w.id IS NULL AS deleted,
             w.slow, w.consecutive_failures > 0 AS failing, w.concurrency, w.rate_limit, w.rate_limit_tat
        FROM candidate LEFT JOIN webhooks w ON w.account_id = candidate.account_id AND w.id = candidate.webhook_id
       WHERE (w.id IS NULL OR w.deleted_at IS NOT NULL OR w.active AND NOT w.paused AND (
         SELECT true FROM webhook_deliveries d
          WHERE d.account_id = candidate.account_id AND d.webhook_id = candidate.webhook_id
            AND d.next_attempt_at <= ${dueBy} AND NOT d.held AND d.claim_id IS NULL
          ORDER BY d.recovered, d.next_attempt_at LIMIT 1))
         AND (SELECT a.suspended_at FROM accounts a WHERE a.id = candidate.account_id) IS NULL
       LIMIT $3)
    SELECT due.*, clock_timestamp()::timestamptz(3) AS now,
           (SELECT COALESCE(sum(cardinality(c.notification_ids)), 0)::int FROM webhook_claims c
             WHERE c.account_id = due.account_id AND c.webhook_id = due.webhook_id) AS claimed,
           skipped
      FROM (SELECT CASE WHEN (SELECT count(*) FROM due) < $3
                     THEN (SELECT count(*) FROM candidate) - (SELECT count(*) FROM due) END AS skipped) seen
      LEFT JOIN due ON true
     ORDER BY due.account_id, due.webhook_id`,
};

/** pending → failed, for a deleted webhook. */
const cancel: Statement = {
  name: "delivery.cancel",
  text: `
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL
     WHERE (d.account_id, d.notification_id) IN (
       SELECT p.account_id, p.notification_id FROM webhook_deliveries p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND ${isUnheldPending("p")} AND p.claim_id IS NULL
        LIMIT $3 FOR UPDATE SKIP LOCKED)`,
};

/**
 * pending → queued: claims due deliveries, webhook by webhook in a fixed order that continues where the last round
 * stopped, so that no backlog starves another webhook, with fair shares by account. Fails the pending deliveries of
 * deleted webhooks. The database's clock alone decides what is due.
 */
export function claimDeliveries(database: Database, request: ClaimRequest): Promise<ClaimRound> {
  return database.transaction(async (sql) => {
    const { accountId, webhookId } = request.after ?? { accountId: nilUuid, webhookId: nilUuid };
    const dueFirstLimit = request.readsDueFirst === true ? dueFirstMax : 0;
    // One round trip, so that the lock is held for a shorter time; the second statement starts under the lock and sees
    // everything committed before.
    const [, found] = await Promise.all([
      sql.rows(lock, []),
      sql.rows<FoundRow>(waitingWebhooks, [accountId, webhookId, webhooksMax, dueFirstLimit]),
    ]);
    const rows = found.filter((row) => row.account_id !== null);
    for (const row of rows.filter(({ deleted }) => deleted)) {
      await sql.execute(cancel, [row.account_id, row.webhook_id, cancelledMax]);
    }
    const lanes = [await claimLane(sql, "fast", rows, request), await claimLane(sql, "slow", rows, request)];
    const claims = lanes.flatMap((lane) => lane.claims);
    const counts = new Map<string, number>();
    for (const { webhookId, notificationIds } of claims) {
      counts.set(webhookId, (counts.get(webhookId) ?? 0) + notificationIds.length);
    }
    const due = rows.filter(({ deleted }) => !deleted);
    const stops = lanes.flatMap(({ stoppedAt }) => (stoppedAt === null ? [] : [stoppedAt]));
    const lastOfFullRound = rows.length === webhooksMax ? rows.at(-1) : undefined;
    const last = stops.length > 0 ? rows[Math.min(...stops)] : lastOfFullRound;
    return {
      isLimited: lanes.some(({ isLimited }) => isLimited),
      claims,
      hasMore: lanes.some(({ hasMore }) => hasMore),
      admittedInMs: await chargeRateLimits(sql, due, counts),
      skipped: found[0]?.skipped ?? null,
      cursor: last ? { accountId: last.account_id, webhookId: last.webhook_id } : null,
    };
  });
}
