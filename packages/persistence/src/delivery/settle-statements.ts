import type { BoundStatement, Statement } from "../sql.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { type ClaimKey, keyColumns } from "./claim.ts";

/*
 * The transitions out of `in_flight`. Each changes a delivery only for the holder of its claim, so that a late
 * outcome of a claim that was lost changes nothing, and each may be repeated.
 */

/**
 * Inserts every attempt, and replaces an `unknown` one when its outcome arrives late. The time of the next attempt is
 * that of the delivery after its transition, so that a resend, a new URL or a deleted webhook counts.
 */
const log: Statement = {
  name: "delivery.log-attempts",
  text: `
    INSERT INTO webhook_attempts AS a (
      account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome, http_status,
      error_class, error_detail, url, request_headers, response_headers, response_body, next_attempt_at)
    SELECT account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome,
           http_status, error_class, error_detail, url, request_headers, response_headers, response_body,
           CASE WHEN outcome = 'failed' THEN (
             SELECT d.next_attempt_at FROM webhook_deliveries d
              WHERE d.account_id = attempt.account_id AND d.notification_id = attempt.notification_id
                AND d.claim_id IS NULL) END
      FROM json_to_recordset($1::json) AS attempt (
        account_id uuid, id uuid, notification_id uuid, webhook_id uuid, attempt_number int, started_at timestamptz,
        duration_ms int, outcome text, http_status int, error_class text, error_detail text, url text,
        request_headers json, response_headers json, response_body text)
        ON CONFLICT (account_id, notification_id, attempt_number, started_at) DO UPDATE SET
           duration_ms = excluded.duration_ms, outcome = excluded.outcome, http_status = excluded.http_status,
           error_class = excluded.error_class, error_detail = excluded.error_detail, url = excluded.url,
           request_headers = excluded.request_headers, response_headers = excluded.response_headers,
           response_body = excluded.response_body, next_attempt_at = excluded.next_attempt_at
     WHERE a.outcome = 'unknown'`,
};

const complete: Statement = {
  name: "delivery.complete",
  text: `
    DELETE FROM webhook_deliveries d
     USING unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS received (account_id, claim_id, notification_id)
     WHERE d.account_id = received.account_id AND d.notification_id = received.notification_id
       AND d.claim_id = received.claim_id`,
};

/** A resend that was requested meanwhile is due at once, with a new retry schedule. */
const retry: Statement = {
  name: "delivery.retry",
  text: `
    UPDATE webhook_deliveries d
       SET claim_id = NULL, attempt_count = retry.attempt_number, resend_requested = false, delivery_status = 'pending',
           next_attempt_at = now() + CASE WHEN d.resend_requested THEN 0
             ELSE retry.delay_ms END * interval '1 millisecond',
           prior_attempts = CASE WHEN d.resend_requested OR retry.restarts THEN retry.attempt_number
             ELSE d.prior_attempts END
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::float8[], $6::boolean[])
        AS retry (account_id, claim_id, notification_id, attempt_number, delay_ms, restarts)
     WHERE d.account_id = retry.account_id AND d.notification_id = retry.notification_id
       AND d.claim_id = retry.claim_id`,
};

/** A resend that was requested meanwhile makes it due at once, unless its webhook is deleted. */
const fail: Statement = {
  name: "delivery.fail",
  text: `
    UPDATE webhook_deliveries d
       SET claim_id = NULL, attempt_count = failed.attempt_number, resend_requested = false,
           delivery_status = CASE WHEN resend THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN resend THEN now() END,
           prior_attempts = CASE WHEN resend THEN failed.attempt_number ELSE d.prior_attempts END
      FROM (
        SELECT failed.*, d.resend_requested AND NOT failed.is_deleted AS resend
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int[], $5::boolean[])
            AS failed (account_id, claim_id, notification_id, attempt_number, is_deleted)
          JOIN webhook_deliveries d USING (account_id, notification_id, claim_id) FOR NO KEY UPDATE OF d) failed
     WHERE d.account_id = failed.account_id AND d.notification_id = failed.notification_id
       AND d.claim_id = failed.claim_id`,
};

const close: Statement = {
  name: "delivery.close-claims",
  text: `
    DELETE FROM webhook_claims c USING unnest($1::uuid[], $2::uuid[]) AS finished (account_id, id)
     WHERE c.account_id = finished.account_id AND c.id = finished.id`,
};

type ClaimedDelivery = ClaimKey & { readonly notificationId: string };

const deliveryColumns = (deliveries: readonly ClaimedDelivery[]) => [
  ...keyColumns(deliveries),
  deliveries.map(({ notificationId }) => notificationId),
];

/** Null when there is nothing to write. */
const unlessEmpty = (
  items: readonly unknown[],
  statement: Statement,
  values: readonly unknown[],
): BoundStatement | null => (items.length === 0 ? null : { statement, values });

/** PostgreSQL's text type cannot contain NUL. */
const storable = (text: string | null): string | null => text?.replaceAll("\u0000", "\uFFFD") ?? null;

const attemptRecord = (outcome: AttemptOutcome): object => ({
  account_id: outcome.accountId,
  id: outcome.attemptId,
  notification_id: outcome.notificationId,
  webhook_id: outcome.webhookId,
  attempt_number: outcome.attemptNumber,
  started_at: outcome.startedAt,
  duration_ms: outcome.durationMs,
  outcome: outcome.verdict.kind === "succeeded" ? "succeeded" : "failed",
  http_status: outcome.httpStatus,
  error_class: outcome.errorClass,
  error_detail: storable(outcome.errorDetail),
  url: outcome.url,
  request_headers: outcome.requestHeaders,
  response_headers: outcome.responseHeaders,
  response_body: storable(outcome.responseBody),
});

/** To be executed after the transitions of the deliveries. */
export const logAttempts = (outcomes: readonly AttemptOutcome[]): BoundStatement => ({
  statement: log,
  values: [JSON.stringify(outcomes.map(attemptRecord))],
});

/** in_flight → delivered */
export const completeDeliveries = (deliveries: readonly ClaimedDelivery[]): BoundStatement | null =>
  unlessEmpty(deliveries, complete, deliveryColumns(deliveries));

type Retry = ClaimedDelivery & { attemptNumber: number; delayMs: number; restartsSchedule: boolean };

/** in_flight → retrying */
export const retryDeliveries = (retries: readonly Retry[]): BoundStatement | null =>
  unlessEmpty(retries, retry, [
    ...deliveryColumns(retries),
    retries.map(({ attemptNumber }) => attemptNumber),
    retries.map(({ delayMs }) => delayMs),
    retries.map(({ restartsSchedule }) => restartsSchedule),
  ]);

type Failure = ClaimedDelivery & { attemptNumber: number; isDeleted: boolean };

/** in_flight → failed */
export const failDeliveries = (failures: readonly Failure[]): BoundStatement | null =>
  unlessEmpty(failures, fail, [
    ...deliveryColumns(failures),
    failures.map(({ attemptNumber }) => attemptNumber),
    failures.map(({ isDeleted }) => isDeleted),
  ]);

/** Ends claims whose deliveries are all settled. */
export const closeClaims = (claims: readonly ClaimKey[]): BoundStatement | null =>
  unlessEmpty(claims, close, keyColumns(claims));
