import {
  type DeactivationReason,
  type DeliveryVerdict,
  healthAfter,
  type Instant,
  isSlowAnswer,
  mustDeactivate,
} from "@svc/domain";
import type { Database } from "../database.ts";
import type { Sql, Statement } from "../sql.ts";

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
}

/** A webhook that was switched off together with these outcomes. */
export interface Deactivation {
  readonly accountId: string;
  readonly webhookId: string;
  readonly reason: DeactivationReason;
}

/**
 * Logs the attempts and settles their notifications. A notification changes only for the holder of its claim; the log
 * takes every attempt, and replaces "unknown" when the truth arrives late. Webhooks without a failure are refreshed here
 * too, but only when that says something new, so that a busy webhook's row is not rewritten by each delivery.
 */
const settle: Statement = {
  name: "delivery.settle",
  text: `
    WITH outcome AS (
      SELECT * FROM json_to_recordset($1::json) AS outcome (
        account_id uuid, notification_id uuid, webhook_id uuid, claim_id uuid, attempt_id uuid, attempt_number int,
        started_at timestamptz, duration_ms int, outcome text, delivery_status text, delay_ms bigint, http_status int,
        error_class text, error_detail text, url text, request_headers jsonb, response_headers jsonb,
        response_body text)),
    logged AS (
      INSERT INTO webhook_attempts AS a (
        account_id, id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome, http_status,
        error_class, error_detail, url, request_headers, response_headers, response_body, next_attempt_at)
      SELECT account_id, attempt_id, notification_id, webhook_id, attempt_number, started_at, duration_ms, outcome,
             http_status, error_class, error_detail, url, request_headers, response_headers, response_body,
             now() + delay_ms * interval '1 millisecond'
        FROM outcome
          ON CONFLICT (account_id, notification_id, attempt_number) DO UPDATE SET
             duration_ms = excluded.duration_ms, outcome = excluded.outcome, http_status = excluded.http_status,
             error_class = excluded.error_class, error_detail = excluded.error_detail, url = excluded.url,
             request_headers = excluded.request_headers, response_headers = excluded.response_headers,
             response_body = excluded.response_body
       WHERE a.outcome = 'unknown'),
    refreshed AS (
      UPDATE webhooks w
         SET consecutive_failures = 0, failing_since = NULL, last_success_at = now(), slow = COALESCE(fine.slow, w.slow)
        FROM json_to_recordset($2::json) AS fine (account_id uuid, webhook_id uuid, slow boolean)
       WHERE w.account_id = fine.account_id AND w.id = fine.webhook_id
         AND (w.consecutive_failures > 0 OR w.last_success_at IS NULL
              OR w.last_success_at < now() - interval '1 minute' OR w.slow <> COALESCE(fine.slow, w.slow)))
    UPDATE webhook_notifications n
       SET delivery_status = outcome.delivery_status, claim_id = NULL, lease_until = NULL, attempt_started_at = NULL,
           next_attempt_at = now() + outcome.delay_ms * interval '1 millisecond',
           delivered_at = CASE WHEN outcome.delivery_status = 'succeeded' THEN now() END
      FROM outcome
     WHERE n.account_id = outcome.account_id AND n.id = outcome.notification_id AND n.claim_id = outcome.claim_id`,
};

const lockWebhooks: Statement = {
  name: "delivery.lock-webhooks",
  text: `
    SELECT w.account_id, w.id, w.active, w.consecutive_failures, w.failing_since, w.last_success_at, now() AS now
      FROM webhooks w JOIN unnest($1::uuid[], $2::uuid[]) AS failing (account_id, id)
        ON w.account_id = failing.account_id AND w.id = failing.id
     ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w`,
};

const updateHealth: Statement = {
  name: "delivery.update-health",
  text: `
    UPDATE webhooks
       SET consecutive_failures = $3, failing_since = $4, last_success_at = $5, slow = COALESCE($6, slow)
     WHERE account_id = $1 AND id = $2`,
};

const deactivate: Statement = {
  name: "delivery.deactivate",
  text: `
    UPDATE webhooks
       SET active = false, deactivated_at = now(), deactivated_reason = $3, updated_at = now(),
           row_version = row_version + 1
     WHERE account_id = $1 AND id = $2`,
};

interface HealthRow {
  account_id: string;
  id: string;
  active: boolean;
  consecutive_failures: number;
  failing_since: Instant | null;
  last_success_at: Instant | null;
  now: Instant;
}

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

async function settleFailing(sql: Sql, groups: readonly DeliveryOutcome[][]): Promise<Deactivation[]> {
  const heads = groups.flatMap(([first]) => (first ? [first] : []));
  const rows = await sql.rows<HealthRow>(lockWebhooks, [
    heads.map((head) => head.accountId),
    heads.map((head) => head.webhookId),
  ]);
  const deactivated: Deactivation[] = [];
  for (const row of rows) {
    const outcomes = groups.find(([head]) => head?.webhookId === row.id) ?? [];
    const health = outcomes.reduce((before, outcome) => healthAfter(before, succeeded(outcome), row.now), {
      consecutiveFailures: row.consecutive_failures,
      failingSince: row.failing_since,
      lastSuccessAt: row.last_success_at,
    });
    await sql.execute(updateHealth, [
      row.account_id,
      row.id,
      health.consecutiveFailures,
      health.failingSince,
      health.lastSuccessAt,
      slowness(outcomes),
    ]);
    const gone = outcomes.some(({ verdict }) => verdict.outcome === "gone");
    if (!row.active || !(gone || mustDeactivate(health, row.now))) continue;
    const reason: DeactivationReason = gone ? "gone" : "failing";
    await sql.execute(deactivate, [row.account_id, row.id, reason]);
    deactivated.push({ accountId: row.account_id, webhookId: row.id, reason });
  }
  return deactivated;
}

/**
 * Writes the outcomes of many attempts in one transaction: the attempt log, the notifications, the health of the
 * webhooks and, when the rule is met, their deactivation.
 */
export async function recordOutcomes(
  database: Database,
  outcomes: readonly DeliveryOutcome[],
): Promise<readonly Deactivation[]> {
  const groups = [...Map.groupBy(outcomes, ({ webhookId }) => webhookId).values()];
  const failing = groups.filter((group) => !group.every(succeeded));
  const fine = groups.filter((group) => group.every(succeeded));
  const values = [
    JSON.stringify(outcomes.map(record)),
    JSON.stringify(
      fine.map((group) => ({
        account_id: group[0]?.accountId,
        webhook_id: group[0]?.webhookId,
        slow: slowness(group),
      })),
    ),
  ];
  if (failing.length === 0) {
    await database.sql.execute(settle, values);
    return [];
  }
  return database.transaction(async (sql) => {
    await sql.execute(settle, values);
    return settleFailing(sql, failing);
  });
}
