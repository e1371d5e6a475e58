import type { Sql, Statement } from "../sql.ts";
import { mustResume } from "./held-deliveries.ts";
import { isUnheldPending, webhooksWithBacklog } from "./unheld-deliveries.ts";

/** What the relay has to do, and when. */
export interface RelaySurvey {
  /** A delivery is due, though perhaps only for endpoints at their limit. */
  readonly isDue: boolean;
  readonly hasExpiredLease: boolean;
  /** A webhook with held deliveries was resumed. */
  readonly mustResume: boolean;
  /** Milliseconds until the next delivery is due or the next lease expires; null when there is neither. */
  readonly nextChangeInMs: number | null;
}

export interface DeliveryBacklog {
  /** Notifications that are due or wait for a retry, counted up to `backlogCountMax`. */
  readonly pending: number;
  /** Age of the oldest due delivery that has not started, queued ones included; 0 when there is none. */
  readonly oldestDueSeconds: number;
  /** Number of paused or disabled webhooks with pending deliveries. */
  readonly heldWebhooks: number;
}

const backlogCountMax = 100_000;

/**
 * Reads when deliveries are due. Under load the first EXISTS would read past all claimed deliveries, so it is skipped
 * when the result is known.
 */
const survey: Statement = {
  name: "delivery.schedule",
  text: `
    SELECT CASE WHEN $1 THEN true ELSE EXISTS (
             SELECT FROM webhook_deliveries WHERE next_attempt_at <= now() AND NOT held
               AND claim_id IS NULL) END AS "isDue",
           EXISTS (SELECT FROM webhooks w WHERE ${mustResume("w")}) AS "mustResume",
           COALESCE(first_expiry.lease_until < now(), false) AS "hasExpiredLease",
           ceil(extract(epoch FROM LEAST(
             CASE WHEN first_expiry.lease_until >= now() THEN first_expiry.lease_until END,
             (SELECT min(next_attempt_at) FROM webhook_deliveries WHERE next_attempt_at > now()
               AND NOT held)) - now()) * 1000
           )::float8 AS "nextChangeInMs"
      FROM (SELECT min(lease_until) AS lease_until FROM webhook_claims) first_expiry`,
};

/**
 * Finds the oldest due delivery of each webhook by a loose index scan, because deliveries of paused and disabled
 * webhooks are no delay. Queued deliveries count until they start.
 */
const backlog: Statement = {
  name: "delivery.backlog",
  text: `
    WITH RECURSIVE ${webhooksWithBacklog},
    state AS (
      SELECT w.active AND NOT w.paused AS runs, w.has_held, (
               SELECT min(first.next_attempt_at) FROM unnest(ARRAY[false, true]) AS kind (recovered)
                CROSS JOIN LATERAL (
                  SELECT d.next_attempt_at FROM webhook_deliveries d
                   WHERE d.account_id = found.account_id AND d.webhook_id = found.webhook_id
                     AND d.recovered = kind.recovered AND d.next_attempt_at <= now() AND NOT d.held
                     AND (d.claim_id IS NULL OR EXISTS (
                       SELECT FROM webhook_claims c WHERE c.account_id = d.account_id AND c.id = d.claim_id
                         AND c.started_at IS NULL))
                   ORDER BY d.next_attempt_at LIMIT 1) first) AS due_since
        FROM webhooks_with_backlog found
        JOIN webhooks w ON w.account_id = found.account_id AND w.id = found.webhook_id
       WHERE w.deleted_at IS NULL)
    SELECT (SELECT count(*)::int FROM (
              (SELECT FROM webhook_deliveries d WHERE ${isUnheldPending("d")} LIMIT ${backlogCountMax})
              UNION ALL (SELECT FROM webhook_deliveries WHERE held LIMIT ${backlogCountMax})
                LIMIT ${backlogCountMax}) counted) AS pending,
           COALESCE(extract(epoch FROM now() - min(due_since) FILTER (WHERE runs)), 0)::float8 AS oldest_due_seconds,
           (count(*) FILTER (WHERE NOT runs AND NOT has_held))::int
             + (SELECT count(*)::int FROM webhooks w WHERE w.has_held AND NOT (${mustResume("w")})) AS held_webhooks
      FROM state`,
};

/** @param isKnownDue whether something is certainly due. */
export async function readRelaySurvey(
  sql: Sql,
  { isKnownDue }: { readonly isKnownDue: boolean },
): Promise<RelaySurvey> {
  const [row] = await sql.rows<RelaySurvey>(survey, [isKnownDue]);
  return row ?? { isDue: isKnownDue, hasExpiredLease: false, mustResume: false, nextChangeInMs: null };
}

export async function readDeliveryBacklog(sql: Sql): Promise<DeliveryBacklog> {
  type Row = { pending: number; oldest_due_seconds: number; held_webhooks: number };
  const [row] = await sql.rows<Row>(backlog, []);
  return {
    pending: row?.pending ?? 0,
    oldestDueSeconds: row?.oldest_due_seconds ?? 0,
    heldWebhooks: row?.held_webhooks ?? 0,
  };
}
