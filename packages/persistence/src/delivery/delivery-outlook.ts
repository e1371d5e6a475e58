import type { Sql, Statement } from "../sql.ts";

/** What the relay has to do next. */
export interface DeliveryOutlook {
  /** Something is due now, though perhaps only for webhooks at their limit or switched off. */
  readonly due: boolean;
  /** A lease has ended. */
  readonly leaseEnded: boolean;
  /** Milliseconds until the next one is due or the next lease ends; null when there is neither. */
  readonly nextChangeInMs: number | null;
}

export interface DeliveryBacklog {
  /** Notifications that are due or wait for a retry, counted up to `backlogCountMax`. */
  readonly pending: number;
  /** Age of the longest due one that may be sent and is not, be it that it waits in the queue; 0 when there is none. */
  readonly oldestDueSeconds: number;
  /** Webhooks that are paused or switched off while something waits for them. */
  readonly heldWebhooks: number;
}

const backlogCountMax = 100_000;

/** Whether something is due is not asked when it is known: under load that passes by all that is being sent. */
const outlook: Statement = {
  name: "delivery.outlook",
  text: `
    SELECT CASE WHEN $1 THEN true ELSE EXISTS (
             SELECT FROM webhook_deliveries WHERE next_attempt_at <= now() AND claim_id IS NULL) END AS due,
           COALESCE(first_end.lease_until < now(), false) AS lease_ended,
           ceil(extract(epoch FROM LEAST(
             CASE WHEN first_end.lease_until >= now() THEN first_end.lease_until END,
             (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at > now())) - now()) * 1000
           )::float8 AS next_change_in_ms
      FROM (SELECT min(lease_until) AS lease_until FROM webhook_claims) first_end`,
};

/** What waits for those that are paused or switched off is no delay, so the oldest is asked of each webhook. Claimed ones wait until they are begun. */
const backlog: Statement = {
  name: "delivery.backlog",
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
    state AS (
      SELECT w.active AND NOT w.paused AS runs, (
               SELECT min(first.next_attempt_at) FROM unnest(ARRAY[false, true]) AS kind (recovered)
                CROSS JOIN LATERAL (
                  SELECT d.next_attempt_at FROM webhook_deliveries d
                   WHERE d.account_id = waiting.account_id AND d.webhook_id = waiting.webhook_id
                     AND d.recovered = kind.recovered AND d.next_attempt_at <= now()
                     AND (d.claim_id IS NULL OR EXISTS (
                       SELECT FROM webhook_claims c WHERE c.account_id = d.account_id AND c.id = d.claim_id AND c.begun_at IS NULL))
                   ORDER BY d.next_attempt_at LIMIT 1) first) AS due_since
        FROM waiting JOIN webhooks w ON w.account_id = waiting.account_id AND w.id = waiting.webhook_id
       WHERE w.deleted_at IS NULL)
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${backlogCountMax}) counted) AS pending,
           COALESCE(extract(epoch FROM now() - min(due_since) FILTER (WHERE runs)), 0)::float8 AS oldest_due_seconds,
           (count(*) FILTER (WHERE NOT runs))::int AS held_webhooks
      FROM state`,
};

/** `isDue`: the caller knows that something is. */
export async function deliveryOutlook(sql: Sql, isDue: boolean): Promise<DeliveryOutlook> {
  type Row = { due: boolean; lease_ended: boolean; next_change_in_ms: number | null };
  const [row] = await sql.rows<Row>(outlook, [isDue]);
  return {
    due: row?.due ?? false,
    leaseEnded: row?.lease_ended ?? false,
    nextChangeInMs: row?.next_change_in_ms ?? null,
  };
}

export async function deliveryBacklog(sql: Sql): Promise<DeliveryBacklog> {
  type Row = { pending: number; oldest_due_seconds: number; held_webhooks: number };
  const [row] = await sql.rows<Row>(backlog, []);
  return {
    pending: row?.pending ?? 0,
    oldestDueSeconds: row?.oldest_due_seconds ?? 0,
    heldWebhooks: row?.held_webhooks ?? 0,
  };
}
