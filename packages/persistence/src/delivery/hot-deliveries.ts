/** Due times are rounded to milliseconds, so that "now" may be stored as up to half a millisecond later. */
export const dueBy = "now() + interval '1 millisecond'";

/** Condition of the partial indexes of pending deliveries: neither settled nor held. */
export const isHot = (d: string): string => `${d}.next_attempt_at IS NOT NULL AND NOT ${d}.held`;

/**
 * A recursive CTE that finds each webhook with hot deliveries by a loose index scan: one step for each webhook,
 * whatever its backlog.
 */
export const webhooksWithBacklog = `
    waiting AS (
      (SELECT d.account_id, d.webhook_id FROM webhook_deliveries d WHERE ${isHot("d")}
        ORDER BY d.account_id, d.webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM waiting CROSS JOIN LATERAL (
          SELECT d.account_id, d.webhook_id FROM webhook_deliveries d
           WHERE ${isHot("d")} AND (d.account_id, d.webhook_id) > (waiting.account_id, waiting.webhook_id)
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following)`;
