/** Due times are rounded to milliseconds, so that "now" may be stored as up to half a millisecond later. */
export const dueBy = "now() + interval '1 millisecond'";

/** Condition of the partial indexes of pending deliveries: neither settled nor held. */
export const isUnheldPending = (d: string): string => `${d}.next_attempt_at IS NOT NULL AND NOT ${d}.held`;

/**
 * The recursive CTE `webhooks_with_backlog`: each webhook with pending deliveries that are not held, found by a loose
 * index scan with one step for each webhook, whatever its backlog.
 */
export const webhooksWithBacklog = `
    webhooks_with_backlog AS (
      (SELECT d.account_id, d.webhook_id FROM webhook_deliveries d WHERE ${isUnheldPending("d")}
        ORDER BY d.account_id, d.webhook_id LIMIT 1)
      UNION ALL
      SELECT following.account_id, following.webhook_id
        FROM webhooks_with_backlog previous CROSS JOIN LATERAL (
          SELECT d.account_id, d.webhook_id FROM webhook_deliveries d
           WHERE ${isUnheldPending("d")} AND (d.account_id, d.webhook_id) > (previous.account_id, previous.webhook_id)
           ORDER BY d.account_id, d.webhook_id LIMIT 1) following)`;
