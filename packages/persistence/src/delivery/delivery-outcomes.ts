import {
  type DeactivationReason,
  type DeliveryVerdict,
  healthAfter,
  type Instant,
  isSlowAnswer,
  mustDeactivate,
  type NoticeKind,
  noticeAfter,
  type WebhookHealth,
  type WebhookNotice,
} from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
import { type DescribeNotice, giveNotice } from "../webhooks/webhook-notices.ts";
import { claimSizes } from "./claim-deliveries.ts";
import type { HeldClaim } from "./delivery-leases.ts";
import type { EndpointClass } from "./take-claimed.ts";

/** What came of one attempt. */
export interface DeliveryOutcome {
  readonly accountId: string;
  readonly notificationId: string;
  readonly webhookId: string;
  readonly claimId: string;
  readonly attemptId: string;
  readonly attemptNumber: number;
  readonly startedAt: Instant;
  readonly durationMs: number;
  readonly verdict: DeliveryVerdict;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  readonly errorClass: string | null;
  readonly errorDetail: string | null;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>> | null;
  readonly responseBody: string | null;
  /** As it was when the attempt began. */
  readonly endpointClass: EndpointClass;
  /** How many were taken with its claim. */
  readonly claimSize: number;
}

/** A webhook that was switched off together with these outcomes. */
export interface Deactivation {
  readonly accountId: string;
  readonly webhookId: string;
  readonly reason: DeactivationReason;
}

/**
 * Logs the attempts and settles their deliveries. A delivery changes only for the holder of its claim; the log takes every
 * attempt, and replaces "unknown" when the truth arrives late. What is gone from an address that the webhook no longer has is tried at
 * the present one at once; what a deleted webhook was told in vain is not tried again. Webhooks without a failure are refreshed here too, but only
 * when that says something new, so that a busy webhook's row is not rewritten by each delivery. One that answers may have as many
 * more at once as it answered, but only when its claim was at least half of what it may have, or of a whole claim: one that has
 * enough with less is not rewritten for it. In the slow lane all claims are of one, and how many there may be has another limit.
 */
const settle: Statement = {
  name: "delivery.settle",
  text: `
    WITH outcome AS (
      SELECT * FROM json_to_recordset($1::json) AS outcome (
        account_id uuid, notification_id uuid, webhook_id uuid, claim_id uuid, attempt_id uuid, attempt_number int,
        started_at timestamptz, duration_ms int, outcome text, delivery_status text, gone boolean, delay_ms bigint, http_status int,
        error_class text, error_detail text, url text, request_headers json, response_headers json,
        response_body text)),
    received AS (
      DELETE FROM webhook_deliveries d USING outcome
       WHERE d.account_id = outcome.account_id AND d.notification_id = outcome.notification_id
         AND d.claim_id = outcome.claim_id AND outcome.delivery_status = 'succeeded'),
    unwelcome AS (
      SELECT outcome.*, w.id IS NULL OR w.deleted_at IS NOT NULL AS nobodys,
             COALESCE(outcome.gone AND w.deleted_at IS NULL AND w.url <> outcome.url, false) AS moved
        FROM outcome LEFT JOIN webhooks w ON w.account_id = outcome.account_id AND w.id = outcome.webhook_id
       WHERE outcome.delivery_status <> 'succeeded'),
    kept AS (
      UPDATE webhook_deliveries d
         SET claim_id = NULL, attempt_count = ended.attempt_number, again = false,
             delivery_status = CASE WHEN ended.nobodys THEN 'failed' WHEN ended.moved OR d.again THEN 'pending' ELSE ended.delivery_status END,
             next_attempt_at = CASE WHEN ended.nobodys THEN NULL WHEN ended.moved OR d.again THEN now()
                                    ELSE now() + ended.delay_ms * interval '1 millisecond' END,
             attempts_before = CASE WHEN ended.moved OR d.again THEN ended.attempt_number ELSE d.attempts_before END
        FROM unwelcome ended
       WHERE d.account_id = ended.account_id AND d.notification_id = ended.notification_id AND d.claim_id = ended.claim_id),
    finished AS (
      DELETE FROM webhook_claims c USING unnest($3::uuid[], $4::uuid[]) AS finished (account_id, id)
       WHERE c.account_id = finished.account_id AND c.id = finished.id),
    refreshed AS (
      UPDATE webhooks w
         SET consecutive_failures = 0, failing_since = NULL, last_success_at = now(),
             slow = fine.slow, concurrency = fine.concurrency
        FROM (
          SELECT w.account_id, w.id, COALESCE(fine.slow, w.slow) AS slow,
                 CASE WHEN used.up THEN LEAST(w.concurrency + fine.answered, $5) ELSE w.concurrency END AS concurrency
            FROM json_to_recordset($2::json) AS fine (account_id uuid, id uuid, slow boolean, answered int, claim_size int)
            JOIN webhooks w USING (account_id, id)
           CROSS JOIN LATERAL (
             SELECT w.concurrency < $5 AND (w.slow OR fine.claim_size * 2 >= LEAST(w.concurrency, $6))) used (up)
           WHERE w.consecutive_failures > 0 OR w.last_success_at IS NULL
              OR w.last_success_at < now() - interval '1 minute' OR w.slow <> COALESCE(fine.slow, w.slow) OR used.up
           ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w) fine
       WHERE w.account_id = fine.account_id AND w.id = fine.id)
    INSERT INTO webhook_attempts AS a (
      account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome, http_status,
      error_class, error_detail, url, request_headers, response_headers, response_body, next_attempt_at)
    SELECT account_id, attempt_id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome,
           http_status, error_class, error_detail, url, request_headers, response_headers, response_body,
           now() + delay_ms * interval '1 millisecond'
      FROM outcome
        ON CONFLICT (account_id, notification_id, attempt_number, started_at) DO UPDATE SET
           duration_ms = excluded.duration_ms, outcome = excluded.outcome, http_status = excluded.http_status,
           error_class = excluded.error_class, error_detail = excluded.error_detail, url = excluded.url,
           request_headers = excluded.request_headers, response_headers = excluded.response_headers,
           response_body = excluded.response_body
     WHERE a.outcome = 'unknown'`,
};

const lockWebhooks: Statement = {
  name: "delivery.lock-webhooks",
  text: `
    SELECT w.account_id, w.id, w.active, w.consecutive_failures, w.failing_since, w.last_success_at,
           w.url, w.warnings, w.last_notice, now() AS now
      FROM webhooks w JOIN unnest($1::uuid[], $2::uuid[]) AS failing (account_id, id)
        ON w.account_id = failing.account_id AND w.id = failing.id
     ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w`,
};

/** One statement for all webhooks of a group. With a reason a webhook is switched off. */
const updateHealth: Statement = {
  name: "delivery.update-health",
  text: `
    UPDATE webhooks w
       SET consecutive_failures = health.failures, failing_since = health.failing_since, last_success_at = health.last_success_at,
           slow = COALESCE(health.slow, w.slow), warnings = health.warnings,
           concurrency = CASE WHEN health.failures > 0 THEN GREATEST(w.concurrency / 2, 1) ELSE LEAST(w.concurrency + 1, $2) END,
           last_failure_at = CASE WHEN health.failed THEN now() ELSE w.last_failure_at END,
           last_failure_status = CASE WHEN health.failed THEN health.failure_status ELSE w.last_failure_status END,
           last_failure_class = CASE WHEN health.failed THEN health.failure_class ELSE w.last_failure_class END,
           active = w.active AND health.reason IS NULL,
           deactivated_at = CASE WHEN health.reason IS NULL THEN w.deactivated_at ELSE now() END,
           deactivated_reason = COALESCE(health.reason, w.deactivated_reason),
           updated_at = CASE WHEN health.reason IS NULL THEN w.updated_at ELSE now() END,
           row_version = CASE WHEN health.reason IS NULL THEN w.row_version ELSE w.row_version + 1 END
      FROM json_to_recordset($1::json) AS health (
        account_id uuid, id uuid, failures int, failing_since timestamptz, last_success_at timestamptz, slow boolean,
        warnings int, failed boolean, failure_status int, failure_class text, reason text)
     WHERE w.account_id = health.account_id AND w.id = health.id`,
};

interface HealthRow {
  account_id: string;
  id: string;
  active: boolean;
  consecutive_failures: number;
  failing_since: Instant | null;
  last_success_at: Instant | null;
  url: string;
  warnings: number;
  last_notice: NoticeKind | null;
  now: Instant;
}

/** Deliveries to one webhook at the same time, once it has shown that it keeps up. */
const concurrencyMax = 50;

const statusAfter = { succeeded: "succeeded", retry: "pending", exhausted: "failed", gone: "failed" } as const;

/** PostgreSQL's text holds no NUL. */
const storable = (text: string | null): string | null => text?.replaceAll("\u0000", "\uFFFD") ?? null;

function record(outcome: DeliveryOutcome): object {
  const { verdict } = outcome;
  return {
    account_id: outcome.accountId,
    notification_id: outcome.notificationId,
    webhook_id: outcome.webhookId,
    claim_id: outcome.claimId,
    attempt_id: outcome.attemptId,
    attempt_number: outcome.attemptNumber,
    started_at: outcome.startedAt,
    duration_ms: outcome.durationMs,
    outcome: verdict.outcome === "succeeded" ? "succeeded" : "failed",
    delivery_status: statusAfter[verdict.outcome],
    gone: verdict.outcome === "gone",
    delay_ms: verdict.outcome === "retry" ? verdict.delayMs : null,
    http_status: outcome.httpStatus,
    error_class: outcome.errorClass,
    error_detail: storable(outcome.errorDetail),
    url: outcome.url,
    request_headers: outcome.requestHeaders,
    response_headers: outcome.responseHeaders,
    response_body: storable(outcome.responseBody),
  };
}

function slowness(outcomes: readonly DeliveryOutcome[]): boolean | null {
  const totalMs = outcomes.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return isSlowAnswer(totalMs / outcomes.length);
}

const succeeded = ({ verdict }: DeliveryOutcome): boolean => verdict.outcome === "succeeded";

/** Neither what came of a request to an address that it no longer has, nor what never became a request, is its endpoint's doing. */
const saysSomethingOf = (webhook: HealthRow, { url, errorClass }: DeliveryOutcome): boolean =>
  url === webhook.url && errorClass !== "not_signed";

interface Judged {
  readonly row: HealthRow;
  readonly outcomes: readonly DeliveryOutcome[];
  readonly health: WebhookHealth;
  readonly warnings: number;
  readonly notice: NoticeKind | null;
  /** Null: it stays as it is. */
  readonly reason: DeactivationReason | null;
}

/** What is known of a webhook's endpoint after these attempts, what its account is to be told, and whether it stops. */
function judge(row: HealthRow, outcomes: readonly DeliveryOutcome[]): Judged {
  const health = outcomes.reduce((before, outcome) => healthAfter(before, succeeded(outcome), row.now), {
    consecutiveFailures: row.consecutive_failures,
    failingSince: row.failing_since,
    lastSuccessAt: row.last_success_at,
  });
  const gone = outcomes.some(({ verdict }) => verdict.outcome === "gone");
  const deactivated = row.active && (gone || mustDeactivate(health, row.now));
  const told = { warnings: row.warnings, lastNotice: row.last_notice };
  const { notice, warnings } = noticeAfter(health, told, { deactivated, now: row.now });
  return { row, outcomes, health, warnings, notice, reason: deactivated ? (gone ? "gone" : "failing") : null };
}

function healthRecord({ row, outcomes, health, warnings, reason }: Judged): object {
  const failure = outcomes.findLast((outcome) => !succeeded(outcome));
  return {
    account_id: row.account_id,
    id: row.id,
    failures: health.consecutiveFailures,
    failing_since: health.failingSince,
    last_success_at: health.lastSuccessAt,
    slow: slowness(outcomes),
    warnings,
    failed: failure !== undefined,
    failure_status: failure?.httpStatus ?? null,
    failure_class: failure?.errorClass ?? null,
    reason,
  };
}

function noticeOf({ row, outcomes, health, reason }: Judged, kind: NoticeKind): WebhookNotice {
  const last = outcomes.at(-1);
  return {
    id: uuidV7.next(),
    webhookId: row.id,
    url: row.url,
    kind,
    reason,
    failingSince: health.failingSince,
    consecutiveFailures: health.consecutiveFailures,
    httpStatus: last?.httpStatus ?? null,
    errorClass: last?.errorClass ?? null,
    createdAt: row.now,
  };
}

/** Of webhooks that fail, or did when these attempts began. */
async function settleWatched(
  sql: Sql,
  rows: readonly HealthRow[],
  watched: ReadonlyMap<string, readonly DeliveryOutcome[]>,
  describe: DescribeNotice,
): Promise<Deactivation[]> {
  const judged = rows.flatMap((row) => {
    const outcomes = (watched.get(row.id) ?? []).filter((outcome) => saysSomethingOf(row, outcome));
    return outcomes.length === 0 ? [] : [judge(row, outcomes)];
  });
  if (judged.length > 0) {
    await sql.execute(updateHealth, [JSON.stringify(judged.map(healthRecord)), concurrencyMax]);
  }
  for (const one of judged) {
    if (one.notice !== null) await giveNotice(sql, one.row.account_id, noticeOf(one, one.notice), describe);
  }
  return judged.flatMap(({ row, reason }) =>
    reason === null ? [] : [{ accountId: row.account_id, webhookId: row.id, reason }],
  );
}

/**
 * Writes the outcomes of many attempts in one transaction: the attempt log, the notifications, the health of the
 * webhooks and, when the rule is met, their deactivation with its notice. Ends the claims that are finished.
 */
export async function recordOutcomes(
  database: Database,
  outcomes: readonly DeliveryOutcome[],
  finished: readonly HeldClaim[],
  describe: DescribeNotice,
): Promise<readonly Deactivation[]> {
  const groups = [...Map.groupBy(outcomes, ({ webhookId }) => webhookId).values()];
  const isFine = (group: readonly DeliveryOutcome[]): boolean =>
    group.every((outcome) => succeeded(outcome) && outcome.endpointClass !== "failing");
  const watched = groups.filter((group) => !isFine(group));
  const fine = groups.filter(isFine);
  const values = [
    JSON.stringify(outcomes.map(record)),
    JSON.stringify(
      fine.map((group) => ({
        account_id: group[0]?.accountId,
        id: group[0]?.webhookId,
        slow: slowness(group),
        answered: group.length,
        claim_size: Math.max(...group.map(({ claimSize }) => claimSize)),
      })),
    ),
    finished.map(({ accountId }) => accountId),
    finished.map(({ claimId }) => claimId),
    concurrencyMax,
    claimSizes.fast,
  ];
  if (watched.length === 0) {
    await database.sql.execute(settle, values);
    return [];
  }
  return database.transaction(async (sql) => {
    // All at once and in one order, also those that only the next statement touches: two workers cannot wait for each other.
    const heads = groups.flatMap(([first]) => (first ? [first] : []));
    const rows = await sql.rows<HealthRow>(lockWebhooks, [
      heads.map((head) => head.accountId),
      heads.map((head) => head.webhookId),
    ]);
    await sql.execute(settle, values);
    const byWebhook = new Map(watched.map((group) => [group[0]?.webhookId ?? "", group]));
    return settleWatched(sql, rows, byWebhook, describe);
  });
}
