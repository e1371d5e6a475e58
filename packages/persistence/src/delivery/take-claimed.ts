import type { Instant, ReferenceType, WebhookEventName, WebhookHeader } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A claimed notification whose request may now be sent, with all that it needs. */
export interface TakenDelivery {
  readonly accountId: string;
  readonly notificationId: string;
  readonly webhookId: string;
  readonly claimId: string;
  /** From 1. */
  readonly attemptNumber: number;
  /** Which attempt of its retry schedule this is, from 1; the schedule begins anew when it is asked to be delivered again. */
  readonly scheduleAttempt: number;
  /** By the database's clock. */
  readonly startedAt: Instant;
  readonly event: WebhookEventName;
  readonly referenceType: ReferenceType;
  readonly referenceId: string;
  readonly included: string;
  readonly createdAt: Instant;
  readonly url: string;
  readonly headers: readonly WebhookHeader[];
  readonly sealedSecret: Uint8Array;
  /** Those that still sign after a rotation, the latest first. */
  readonly previousSealedSecrets: readonly Uint8Array[];
}

export interface TakeRequest {
  readonly webhookId: string;
  readonly claimId: string;
  readonly notificationIds: readonly string[];
  readonly leaseMs: number;
}

interface TakenRow {
  id: string;
  attempt_count: number;
  attempts_before: number;
  attempt_started_at: Instant;
  event: WebhookEventName;
  reference_type: ReferenceType;
  reference_id: string;
  included: string;
  created_at: Instant;
  url: string;
  headers: WebhookHeader[];
  sealed_secret: Buffer;
  previous_sealed_secrets: Buffer[];
}

const take: Statement = {
  name: "delivery.take",
  text: `
    WITH taken AS (
      UPDATE webhook_notifications n
         SET attempt_count = n.attempt_count + 1, attempt_started_at = now(),
             lease_until = now() + $5 * interval '1 millisecond'
        FROM webhooks w
       WHERE n.account_id = $1 AND n.id = ANY($3::uuid[]) AND n.webhook_id = $2
         AND n.claim_id = $4 AND n.attempt_started_at IS NULL
         AND w.account_id = $1 AND w.id = $2 AND w.active AND w.deleted_at IS NULL
      RETURNING n.id, n.event_id, n.event, n.attempt_count, n.attempts_before, n.attempt_started_at, n.created_at, w.url,
                w.headers, w.sealed_secret,
                ARRAY(SELECT previous.secret
                        FROM unnest(w.previous_sealed_secrets, w.previous_secrets_until)
                             WITH ORDINALITY AS previous (secret, until, place)
                       WHERE previous.until > now() ORDER BY previous.place) AS previous_sealed_secrets)
    SELECT taken.*, e.reference_type, e.reference_id, e.included
      FROM taken JOIN notification_events e ON e.account_id = $1 AND e.id = taken.event_id`,
};

/**
 * Begins the attempts of a claim: counts them and starts their leases. A row is given once only, however often a queue
 * repeats the job, and not at all when the claim has been lost or the webhook was switched off meanwhile.
 */
export async function takeClaimed(sql: Sql, accountId: string, request: TakeRequest): Promise<TakenDelivery[]> {
  const { webhookId, claimId, notificationIds, leaseMs } = request;
  const rows = await sql.rows<TakenRow>(take, [accountId, webhookId, notificationIds, claimId, leaseMs]);
  return rows.map((row) => ({
    accountId,
    notificationId: row.id,
    webhookId,
    claimId,
    attemptNumber: row.attempt_count,
    scheduleAttempt: row.attempt_count - row.attempts_before,
    startedAt: row.attempt_started_at,
    event: row.event,
    referenceType: row.reference_type,
    referenceId: row.reference_id,
    included: row.included,
    createdAt: row.created_at,
    url: row.url,
    headers: row.headers,
    sealedSecret: row.sealed_secret,
    previousSealedSecrets: row.previous_sealed_secrets,
  }));
}
