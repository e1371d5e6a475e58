import type { Sql, Statement } from "../sql.ts";

/** What the relay has to do next. */
export interface DeliveryOutlook {
  /** Something is due now, though perhaps only for webhooks at their limit or switched off. */
  readonly due: boolean;
  /** A lease has ended. */
  readonly leaseEnded: boolean;
  /** Milliseconds until the next one that is not due yet; null when there is none. */
  readonly nextDueInMs: number | null;
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
    SELECT EXISTS (SELECT FROM webhook_notifications
                    WHERE delivery_status = 'pending' AND claim_id IS NULL AND next_attempt_at <= now()) AS due,
           EXISTS (SELECT FROM webhook_notifications
                    WHERE claim_id IS NOT NULL AND lease_until < now()) AS lease_ended,
           ceil(extract(epoch FROM (
             SELECT min(next_attempt_at) FROM webhook_notifications
              WHERE delivery_status = 'pending' AND claim_id IS NULL AND next_attempt_at > now()) - now()) * 1000
           )::float8 AS next_due_in_ms`,
};

const backlog: Statement = {
  name: "delivery.backlog",
  text: `
    SELECT (SELECT count(*)::int FROM (
              SELECT FROM webhook_notifications WHERE delivery_status = 'pending' LIMIT ${backlogCountMax}) counted) AS pending,
           COALESCE(extract(epoch FROM now() - (
             SELECT min(n.next_attempt_at) FROM webhook_notifications n
              WHERE n.delivery_status = 'pending' AND n.claim_id IS NULL AND n.next_attempt_at <= now())), 0)::float8
             AS oldest_due_seconds`,
};

export async function deliveryOutlook(sql: Sql): Promise<DeliveryOutlook> {
  const [row] = await sql.rows<{ due: boolean; lease_ended: boolean; next_due_in_ms: number | null }>(outlook, []);
  return {
    due: row?.due ?? false,
    leaseEnded: row?.lease_ended ?? false,
    nextDueInMs: row?.next_due_in_ms ?? null,
  };
}

export async function deliveryBacklog(sql: Sql): Promise<DeliveryBacklog> {
  const [row] = await sql.rows<{ pending: number; oldest_due_seconds: number }>(backlog, []);
  return { pending: row?.pending ?? 0, oldestDueSeconds: row?.oldest_due_seconds ?? 0 };
}
