import type { Instant, ReferenceType, WebhookEventName, WebhookHeader } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";
import type { StoredHeaders } from "../webhooks/sealed-headers.ts";
import type { HeldClaim } from "./delivery-leases.ts";

/** Where the deliveries of a claim go, and with what. */
export interface DeliveryTarget extends StoredHeaders {
  readonly url: string;
  readonly sealedSecret: Uint8Array;
  /** Those that still sign after a rotation, the latest first. */
  readonly previousSealedSecrets: readonly Uint8Array[];
}

/** "failing" until a success has been settled, also after somebody switched it on again. */
export type EndpointClass = "healthy" | "slow" | "failing";

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
  /** W3C trace context of what caused it. */
  readonly traceparent: string | null;
  readonly createdAt: Instant;
  readonly target: DeliveryTarget;
  /** As it was when the attempt began. */
  readonly endpointClass: EndpointClass;
  /** How many are taken with its claim. */
  readonly claimSize: number;
}

interface TakenRow {
  account_id: string;
  claim_id: string;
  notification_id: string;
  attempt_count: number;
  attempts_before: number;
  event: WebhookEventName;
  reference_type: ReferenceType;
  reference_id: string;
  included: string;
  traceparent: string | null;
  created_at: Instant;
}

/** Of the claim and its webhook; in the first row of each claim only, because they are the same in all. */
interface FirstRow extends TakenRow {
  webhook_id: string;
  begun_at: Instant;
  url: string;
  endpoint_class: EndpointClass;
  headers: WebhookHeader[];
  sealed_headers: Buffer | null;
  sealed_secret: Buffer;
  previous_sealed_secrets: Buffer[];
}

/**
 * Without a name, so that it is planned each time: a plan made while these tables are empty, as they often are, would be kept
 * while they fill, and cost ten times as much until the next visit of the vacuum.
 */
const take: Statement = {
  name: "",
  text: `
    WITH begun AS (
      UPDATE webhook_claims c SET begun_at = now(), lease_until = now() + $3 * interval '1 millisecond'
        FROM unnest($1::uuid[], $2::uuid[]) AS held (account_id, id)
        JOIN LATERAL (
          SELECT w.* FROM webhook_claims waiting JOIN webhooks w ON w.account_id = held.account_id AND w.id = waiting.webhook_id
           WHERE waiting.account_id = held.account_id AND waiting.id = held.id LIMIT 1) w ON true
       WHERE c.account_id = held.account_id AND c.id = held.id AND c.begun_at IS NULL
         AND w.active AND NOT w.paused AND w.deleted_at IS NULL
      RETURNING c.account_id, c.id, c.webhook_id, c.notification_ids, c.begun_at, w.url, w.headers, w.sealed_headers, w.sealed_secret,
                CASE WHEN w.consecutive_failures > 0 OR w.last_notice IN ('failing', 'deactivated') THEN 'failing' WHEN w.slow THEN 'slow' ELSE 'healthy' END AS endpoint_class,
                ARRAY(SELECT previous.secret
                        FROM unnest(w.previous_sealed_secrets, w.previous_secrets_until)
                             WITH ORDINALITY AS previous (secret, until, place)
                       WHERE previous.until > now() ORDER BY previous.place) AS previous_sealed_secrets),
    taken AS (
      SELECT row_number() OVER () AS number, begun.id IS DISTINCT FROM lag(begun.id) OVER () AS is_first,
             d.account_id, begun.id AS claim_id, d.notification_id, d.attempt_count, d.attempts_before, d.created_at,
             e.event, e.reference_type, e.reference_id, e.included, e.traceparent
        FROM begun CROSS JOIN unnest(begun.notification_ids) AS held (id)
       CROSS JOIN LATERAL (
         SELECT * FROM webhook_deliveries d WHERE d.account_id = begun.account_id AND d.notification_id = held.id LIMIT 1) d
        JOIN notification_events e ON e.account_id = d.account_id AND e.id = d.event_id
       WHERE d.claim_id = begun.id)
    SELECT taken.*, begun.webhook_id, begun.begun_at, begun.url, begun.endpoint_class, begun.headers, begun.sealed_headers,
           begun.sealed_secret, begun.previous_sealed_secrets
      FROM taken LEFT JOIN begun ON taken.is_first AND begun.id = taken.claim_id
     ORDER BY taken.number`,
};

function takenOf([first, ...others]: readonly [FirstRow, ...TakenRow[]]): TakenDelivery[] {
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
    scheduleAttempt: row.attempt_count + 1 - row.attempts_before,
    startedAt: first.begun_at,
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
 * Begins the attempts of claims and starts their leases. A claim is given once only, however often a queue repeats the job,
 * and not at all when it has been lost or the webhook was switched off or paused meanwhile.
 */
export async function takeClaimed(sql: Sql, claims: readonly HeldClaim[], leaseMs: number): Promise<TakenDelivery[]> {
  // In one order everywhere, so that two processes which were given the same jobs cannot wait for each other.
  const inOrder = claims.toSorted((one, other) => (one.claimId < other.claimId ? -1 : 1));
  const rows = await sql.rows<TakenRow>(take, [
    inOrder.map(({ accountId }) => accountId),
    inOrder.map(({ claimId }) => claimId),
    leaseMs,
  ]);
  const byClaim = Map.groupBy(rows, (row) => row.claim_id);
  return [...byClaim.values()].flatMap((ofClaim) => takenOf(ofClaim as [FirstRow, ...TakenRow[]]));
}
