import type { Sql, Statement } from "../sql.ts";

/** In one statement, so that nobody waits for long. */
const stepMax = 1_000;

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
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following)
    SELECT waiting.account_id, waiting.webhook_id, counted.count - $1 AS excess
      FROM waiting CROSS JOIN LATERAL (
        SELECT count(*)::int AS count FROM webhook_deliveries d
         WHERE d.account_id = waiting.account_id AND d.webhook_id = waiting.webhook_id AND d.next_attempt_at IS NOT NULL) counted
     WHERE counted.count > $1`,
};

/** The oldest first, and what was recovered before what is new. */
const giveUp: Statement = {
  name: "delivery.give-up",
  text: `
    UPDATE webhook_deliveries d SET delivery_status = 'failed', next_attempt_at = NULL, recovered = false
     WHERE (d.account_id, d.notification_id) IN (
       SELECT p.account_id, p.notification_id FROM webhook_deliveries p
        WHERE p.account_id = $1 AND p.webhook_id = $2 AND p.next_attempt_at IS NOT NULL AND p.claim_id IS NULL
        ORDER BY p.recovered DESC, p.next_attempt_at LIMIT $3 FOR UPDATE SKIP LOCKED)`,
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
  excess: number;
}

/**
 * Lets no webhook have more than `limit` notifications waiting, as one would that is paused and forgotten (contract-decisions.md 5,
 * Isolation). What is being sent meanwhile is left alone. Several workers may do it at once.
 */
export async function limitBacklogs(sql: Sql, limit: number): Promise<readonly Overflow[]> {
  const overflows: Overflow[] = [];
  for (const { account_id: accountId, webhook_id: webhookId, excess } of await sql.rows<OverfullRow>(overfull, [
    limit,
  ])) {
    let failed = 0;
    for (let count = 1; count > 0 && failed < excess; failed += count) {
      count = await sql.execute(giveUp, [accountId, webhookId, Math.min(excess - failed, stepMax)]);
    }
    if (failed > 0) overflows.push({ accountId, webhookId, failed });
  }
  return overflows;
}
