import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

/** In one statement, so that nobody waits for long. */
const stepMax = 2_000;
/** A webhook that receives may have this many times as much waiting: what was recovered for it is on its way. */
const receivingTimes = 10;

/** One process at a time. Each step takes it anew and counts under it, so that no two of them fail the same excess. */
const lock: Statement = {
  name: "delivery.lock-backlogs",
  text: "SELECT pg_try_advisory_xact_lock(7201120064) AS ours",
};

/** Webhooks with more waiting than the limit. Hops over the index, as claims do. */
const overfull: Statement = {
  name: "delivery.overfull",
  text: `
    WITH RECURSIVE waiting AS (
      (SELECT account_id, webhook_id FROM webhook_deliveries
        WHERE next_attempt_at IS NOT NULL ORDER BY account_id, webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM waiting CROSS JOIN LATERAL (
          SELECT d.account_id, d.webhook_id FROM webhook_deliveries d
           WHERE d.next_attempt_at IS NOT NULL
             AND (d.account_id, d.webhook_id) > (waiting.account_id, waiting.webhook_id)
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following),
    limited AS (
      SELECT waiting.*, $1::bigint * CASE WHEN w.active AND NOT w.paused AND w.last_success_at > now() - interval '10 minutes'
                                          THEN ${receivingTimes} ELSE 1 END AS limit_of_it
        FROM waiting LEFT JOIN webhooks w ON w.account_id = waiting.account_id AND w.id = waiting.webhook_id)
    SELECT limited.account_id, limited.webhook_id, limited.limit_of_it
      FROM limited CROSS JOIN LATERAL (
        SELECT FROM webhook_deliveries d
         WHERE d.account_id = limited.account_id AND d.webhook_id = limited.webhook_id AND d.next_attempt_at IS NOT NULL
        OFFSET limited.limit_of_it LIMIT 1) beyond`,
};

/** The oldest first, and what was recovered before what is new. */
const giveUp: Statement = {
  name: "delivery.give-up",
  text: `
    WITH excess AS (
      SELECT count(*) AS count FROM (
        SELECT FROM webhook_deliveries d
         WHERE d.account_id = $1 AND d.webhook_id = $2 AND d.next_attempt_at IS NOT NULL OFFSET $3 LIMIT $4) beyond)
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL, recovered = false
     WHERE (d.account_id, d.notification_id) IN (
       SELECT p.account_id, p.notification_id FROM webhook_deliveries p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND p.next_attempt_at IS NOT NULL AND p.claim_id IS NULL
        ORDER BY p.recovered DESC, p.next_attempt_at LIMIT (SELECT count FROM excess) FOR UPDATE SKIP LOCKED)`,
};

export interface Overflow {
  readonly accountId: string;
  readonly webhookId: string;
  /** Notifications that are not tried any more. They are listed as failed, and can be recovered. */
  readonly failed: number;
}

interface OverfullRow {
  account_id: string;
  webhook_id: string;
  limit_of_it: number;
}

/** @returns null while another process does this. */
function whenOurs<T>(database: Database, work: (sql: Sql) => Promise<T>): Promise<T | null> {
  return database.transaction(async (sql) => {
    const [held] = await sql.rows<{ ours: boolean }>(lock, []);
    return held?.ours ? work(sql) : null;
  });
}

/**
 * Lets no webhook have more than `limit` notifications waiting, as one would that is paused and forgotten
 * (docs/contract/decisions.md 5, Isolation), or ten times as many while it receives. What is being sent meanwhile is
 * left alone. Several workers may do it at once: one goes on and the others leave it to that one.
 */
export async function limitBacklogs(database: Database, limit: number): Promise<readonly Overflow[]> {
  const overflows: Overflow[] = [];
  const found = await whenOurs(database, (sql) => sql.rows<OverfullRow>(overfull, [limit]));
  for (const { account_id: accountId, webhook_id: webhookId, limit_of_it: limitOfIt } of found ?? []) {
    let failed = 0;
    for (let count: number | null = 1; count !== null && count > 0; ) {
      count = await whenOurs(database, (sql) => sql.execute(giveUp, [accountId, webhookId, limitOfIt, stepMax]));
      failed += count ?? 0;
    }
    if (failed > 0) overflows.push({ accountId, webhookId, failed });
  }
  return overflows;
}
