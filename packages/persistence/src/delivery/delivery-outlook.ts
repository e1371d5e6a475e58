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
  /** Age of the longest due one; 0 when nothing is due. */
  readonly oldestDueSeconds: number;
}

const backlogCountMax = 100_000;

const outlook: Statement = {
  name: "delivery.outlook",
  text: `
    SELECT EXISTS (SELECT FROM webhook_deliveries WHERE next_attempt_at <= now() AND claim_id IS NULL) AS due,
           COALESCE(first_end.lease_until < now(), false) AS lease_ended,
           ceil(extract(epoch FROM LEAST(
             CASE WHEN first_end.lease_until >= now() THEN first_end.lease_until END,
             (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at > now())) - now()) * 1000
           )::float8 AS next_change_in_ms
      FROM (SELECT min(lease_until) AS lease_until FROM webhook_claims) first_end`,
};

const backlog: Statement = {
  name: "delivery.backlog",
  text: `
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM webhook_deliveries WHERE next_attempt_at IS NOT NULL LIMIT ${backlogCountMax}) counted) AS pending,
           COALESCE(extract(epoch FROM now() - (
             SELECT min(next_attempt_at) FROM webhook_deliveries
              WHERE next_attempt_at <= now() AND claim_id IS NULL)), 0)::float8 AS oldest_due_seconds`,
};

export async function deliveryOutlook(sql: Sql): Promise<DeliveryOutlook> {
  const [row] = await sql.rows<{ due: boolean; lease_ended: boolean; next_change_in_ms: number | null }>(outlook, []);
  return {
    due: row?.due ?? false,
    leaseEnded: row?.lease_ended ?? false,
    nextChangeInMs: row?.next_change_in_ms ?? null,
  };
}

export async function deliveryBacklog(sql: Sql): Promise<DeliveryBacklog> {
  const [row] = await sql.rows<{ pending: number; oldest_due_seconds: number }>(backlog, []);
  return { pending: row?.pending ?? 0, oldestDueSeconds: row?.oldest_due_seconds ?? 0 };
}
