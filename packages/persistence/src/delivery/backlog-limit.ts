import { advisoryLocks } from "../advisory-locks.ts";
import type { Database } from "../database.ts";
import type { Statement } from "../sql.ts";
import { withTryLock } from "../try-lock.ts";
import { isUnheldPending, webhooksWithBacklog } from "./unheld-deliveries.ts";

/** Deliveries failed by one statement, so that no other transaction waits for long. */
const stepMax = 2_000;
/**
 * Multiple of the limit for a webhook that receives deliveries, because recovered notifications are being sent to it.
 */
const receivingTimes = 10;

/**
 * One process at a time. Each step takes the lock and counts under it, so that two processes do not fail the same
 * excess.
 */
const lock: Statement = {
  name: "delivery.lock-backlogs",
  text: `SELECT pg_try_advisory_xact_lock(${advisoryLocks.backlogLimit}) AS acquired`,
};

/** Webhooks whose unheld or held backlog exceeds the limit; each is limited separately. */
const overfull: Statement = {
  name: "delivery.overfull",
  text: `
    WITH RECURSIVE ${webhooksWithBacklog},
    unheld AS (
      SELECT found.*,
             $1::bigint * CASE
               WHEN w.active AND NOT w.paused AND w.last_success_at > now() - interval '10 minutes'
               THEN ${receivingTimes} ELSE 1 END AS webhook_limit
        FROM webhooks_with_backlog found
        LEFT JOIN webhooks w ON w.account_id = found.account_id AND w.id = found.webhook_id)
    SELECT unheld.account_id, unheld.webhook_id, unheld.webhook_limit, false AS is_held
      FROM unheld CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries d
         WHERE d.account_id = unheld.account_id AND d.webhook_id = unheld.webhook_id AND ${isUnheldPending("d")}
        OFFSET unheld.webhook_limit LIMIT 1) beyond
    UNION ALL
    SELECT w.account_id, w.id, $1::bigint, true
      FROM webhooks w CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries d WHERE d.account_id = w.account_id AND d.webhook_id = w.id AND d.held
        OFFSET $1 LIMIT 1) beyond
     WHERE w.has_held`,
};

/** pending or held → failed: the oldest first, and recovered deliveries before new ones. */
const failOldest = (name: string, isInBacklog: (d: string) => string): Statement => ({
  name,
  text: `
    WITH excess AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries d
         WHERE d.account_id = $1 AND d.webhook_id = $2 AND ${isInBacklog("d")} OFFSET $3 LIMIT $4) beyond)
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL, recovered = false, held = false
     WHERE (d.account_id, d.notification_id) IN (
       SELECT p.account_id, p.notification_id FROM webhook_deliveries p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND ${isInBacklog("p")} AND p.claim_id IS NULL
        ORDER BY p.recovered DESC, p.next_attempt_at LIMIT (SELECT count FROM excess) FOR UPDATE SKIP LOCKED)`,
});
const failOldestUnheld = failOldest("delivery.fail-oldest", isUnheldPending);
const failOldestHeld = failOldest("delivery.fail-oldest-held", (d) => `${d}.held`);

export interface Overflow {
  readonly accountId: string;
  readonly webhookId: string;
  /** Number of notifications that are not retried any more. They are listed as failed and can be recovered. */
  readonly failed: number;
}

interface OverfullRow {
  account_id: string;
  webhook_id: string;
  webhook_limit: number;
  is_held: boolean;
}

/**
 * Limits the pending notifications of a webhook to `limit`, or to ten times as many while it receives deliveries, so
 * that a paused webhook has no endless backlog (docs/contract/decisions.md 5, Isolation). Claimed deliveries are not
 * affected. Of several workers that call it, one does the work.
 * `onStep` reports progress. The signal aborts at shutdown: the batch in progress ends.
 */
export async function limitBacklogs(
  database: Database,
  limit: number,
  { onStep, signal }: { readonly onStep?: (() => void) | undefined; readonly signal?: AbortSignal } = {},
): Promise<readonly Overflow[]> {
  const overflows: Overflow[] = [];
  const found = await withTryLock(database, lock, (sql) => sql.rows<OverfullRow>(overfull, [limit]));
  for (const { account_id: accountId, webhook_id: webhookId, webhook_limit: webhookLimit, is_held } of found ?? []) {
    let failed = 0;
    for (let count: number | null = 1; count !== null && count > 0 && !signal?.aborted; ) {
      count = await withTryLock(database, lock, (sql) =>
        sql.execute(is_held ? failOldestHeld : failOldestUnheld, [accountId, webhookId, webhookLimit, stepMax]),
      );
      failed += count ?? 0;
      onStep?.();
    }
    if (failed > 0) overflows.push({ accountId, webhookId, failed });
  }
  return overflows;
}
