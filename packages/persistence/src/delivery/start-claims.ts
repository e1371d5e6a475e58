import { compareText, type Instant } from "@svc/domain";
import type { ReferenceType } from "@svc/domain/notifications";
import type { WebhookEventName, WebhookHeader } from "@svc/domain/webhooks";
import type { Sql, Statement } from "../sql.ts";
import type { DeliveryAttempt, DeliveryTarget, EndpointClass } from "./attempt.ts";
import { type ClaimKey, keyColumns } from "./claim.ts";

interface AttemptRow {
  account_id: string;
  claim_id: string;
  notification_id: string;
  attempt_count: number;
  prior_attempts: number;
  event: WebhookEventName;
  reference_type: ReferenceType;
  reference_id: string;
  included: string;
  traceparent: string | null;
  created_at: Instant;
}

/** The columns of the claim and its webhook are the same in all rows of a claim, so only the first has them. */
interface FirstRow extends AttemptRow {
  webhook_id: string;
  started_at: Instant;
  url: string;
  endpoint_class: EndpointClass;
  headers: WebhookHeader[];
  sealed_headers: Buffer | null;
  sealed_secret: Buffer;
  previous_sealed_secrets: Buffer[];
}

/**
 * Unnamed, so that it is planned each time: a plan made while these tables are empty, as they often are, would be
 * kept while they fill, and cost ten times as much until the next vacuum.
 */
const start: Statement = {
  name: "",
  text: `
    WITH started AS (
      UPDATE webhook_claims c SET started_at = now(), lease_until = now() + $3 * interval '1 millisecond'
      FROM unnest($1::uuid[], $2::uuid[]) AS requested (account_id, id)
      JOIN LATERAL (
        SELECT w.* FROM webhook_claims queued
        JOIN webhooks w ON w.account_id = requested.account_id AND w.id = queued.webhook_id
        WHERE queued.account_id = requested.account_id AND queued.id = requested.id
        LIMIT 1) w ON true
      WHERE c.account_id = requested.account_id AND c.id = requested.id AND c.started_at IS NULL
        AND w.active AND NOT w.paused AND w.deleted_at IS NULL
      RETURNING c.account_id, c.id, c.webhook_id, c.notification_ids, c.started_at,
        w.url, w.headers, w.sealed_headers, w.sealed_secret,
        CASE
          WHEN w.consecutive_failures > 0 OR w.last_notice IN ('failing', 'deactivated') THEN 'failing'
          WHEN w.slow THEN 'slow'
          ELSE 'healthy'
        END AS endpoint_class,
        ARRAY(
          SELECT previous.secret
          FROM unnest(w.previous_sealed_secrets, w.previous_secrets_until)
            WITH ORDINALITY AS previous (secret, until, place)
          WHERE previous.until > now()
          ORDER BY previous.place) AS previous_sealed_secrets),
    attempt AS (
      SELECT row_number() OVER () AS number, started.id IS DISTINCT FROM lag(started.id) OVER () AS is_first,
        d.account_id, started.id AS claim_id, d.notification_id, d.attempt_count, d.prior_attempts, d.created_at,
        e.event, e.reference_type, e.reference_id, e.included, e.traceparent
      FROM started CROSS JOIN unnest(started.notification_ids) AS claimed (id)
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_deliveries d
        WHERE d.account_id = started.account_id AND d.notification_id = claimed.id
        LIMIT 1) d
      JOIN notification_events e ON e.account_id = d.account_id AND e.id = d.event_id
      WHERE d.claim_id = started.id)
    SELECT attempt.*, started.webhook_id, started.started_at, started.url, started.endpoint_class, started.headers,
      started.sealed_headers, started.sealed_secret, started.previous_sealed_secrets
    FROM attempt LEFT JOIN started ON attempt.is_first AND started.id = attempt.claim_id
    ORDER BY attempt.number`,
};

function toAttempts([first, ...others]: readonly [FirstRow, ...AttemptRow[]]): DeliveryAttempt[] {
  const target: DeliveryTarget = {
    url: first.url,
    sealedHeaders: first.sealed_headers,
    plainHeaders: first.headers,
    sealedSecret: first.sealed_secret,
    previousSealedSecrets: first.previous_sealed_secrets,
  };
  const rows = [first, ...others];
  return rows.map((row) => ({
    accountId: row.account_id,
    notificationId: row.notification_id,
    webhookId: first.webhook_id,
    claimId: row.claim_id,
    attemptNumber: row.attempt_count + 1,
    scheduleAttempt: row.attempt_count + 1 - row.prior_attempts,
    startedAt: first.started_at,
    event: row.event,
    referenceType: row.reference_type,
    referenceId: row.reference_id,
    included: row.included,
    traceparent: row.traceparent,
    createdAt: row.created_at,
    target,
    endpointClass: first.endpoint_class,
    claimSize: rows.length,
  }));
}

/**
 * queued → in_flight: starts the attempts of claims and their leases. A claim starts only once, however often the queue
 * repeats its job, and not at all when it was lost or its webhook has been disabled or paused since.
 */
export async function startClaims(sql: Sql, claims: readonly ClaimKey[], leaseMs: number): Promise<DeliveryAttempt[]> {
  // The order is the same everywhere: two processes with the same jobs cannot deadlock.
  const inOrder = claims.toSorted((one, other) => compareText(one.claimId, other.claimId));
  const rows = await sql.rows<AttemptRow>(start, [...keyColumns(inOrder), leaseMs]);
  const byClaim = Map.groupBy(rows, (row) => row.claim_id);
  return [...byClaim.values()].flatMap((claimRows) => toAttempts(claimRows as [FirstRow, ...AttemptRow[]]));
}
