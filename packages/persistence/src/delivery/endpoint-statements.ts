import type { Instant } from "@svc/domain";
import { type EndpointEvaluation, endpointConcurrencyMax, isSlowEndpoint, type NoticeKind } from "@svc/domain/webhooks";
import type { BoundStatement, Sql, Statement } from "../sql.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { claimSizes } from "./claim.ts";

/** A webhook whose row is locked until the end of the transaction. */
export interface EndpointRow {
  readonly accountId: string;
  readonly id: string;
  readonly isActive: boolean;
  readonly isDeleted: boolean;
  readonly url: string;
  readonly concurrency: number;
  readonly consecutiveFailures: number;
  readonly failingSince: Instant | null;
  readonly lastSuccessAt: Instant | null;
  readonly warnings: number;
  readonly lastNotice: NoticeKind | null;
  /** Present time by the database's clock. */
  readonly now: Instant;
}

/**
 * The webhooks of attempts, each looked up by its key. As a join in the order of keys, the planner, whose sorts are
 * disabled, would read all webhooks of the installation for each batch.
 */
const lock: Statement = {
  name: "delivery.lock-endpoints",
  text: `
    SELECT w.* FROM unnest($1::uuid[], $2::uuid[]) AS attempted (account_id, id)
     CROSS JOIN LATERAL (
       SELECT w.account_id AS "accountId", w.id, w.active AS "isActive", w.deleted_at IS NOT NULL AS "isDeleted", w.url,
              w.concurrency, w.consecutive_failures AS "consecutiveFailures", w.failing_since AS "failingSince",
              w.last_success_at AS "lastSuccessAt", w.warnings, w.last_notice AS "lastNotice", now() AS now
         FROM webhooks w WHERE w.account_id = attempted.account_id AND w.id = attempted.id
          FOR NO KEY UPDATE) w`,
};

/**
 * Records successes of endpoints without a failure, but only when a value changes, so that the row of a busy webhook is
 * not rewritten for each delivery. Concurrency grows by the number of responses while it is used up: when the claim was
 * at least half of the limit, or of a whole claim. In the slow lane each claim has one delivery, and the number of
 * claims has a limit of its own.
 */
const succeed: Statement = {
  name: "delivery.record-successes",
  text: `
    UPDATE webhooks w
       SET consecutive_failures = 0, failing_since = NULL, last_success_at = now(), slow = change.slow,
           concurrency = change.concurrency
      FROM json_to_recordset($1::json) AS answer (account_id uuid, id uuid, slow boolean, count int, claim_size int)
     CROSS JOIN LATERAL (
       SELECT w.account_id, w.id, COALESCE(answer.slow, w.slow) AS slow,
              CASE WHEN limited.by_concurrency THEN LEAST(w.concurrency + answer.count, $2)
                   ELSE w.concurrency END AS concurrency
         FROM webhooks w
        CROSS JOIN LATERAL (
          SELECT w.concurrency < $2 AND (w.slow OR answer.claim_size * 2 >= LEAST(w.concurrency, $3))
        ) limited (by_concurrency)
        WHERE w.account_id = answer.account_id AND w.id = answer.id
          AND (w.consecutive_failures > 0 OR w.last_success_at IS NULL
            OR w.last_success_at < now() - interval '1 minute'
            OR w.slow <> COALESCE(answer.slow, w.slow) OR limited.by_concurrency)
          FOR NO KEY UPDATE OF w) change
     WHERE w.account_id = change.account_id AND w.id = change.id`,
};

const update: Statement = {
  name: "delivery.update-endpoints",
  text: `
    UPDATE webhooks w
       SET consecutive_failures = change.failures, failing_since = change.failing_since,
           last_success_at = change.last_success_at,
           slow = COALESCE(change.slow, w.slow), concurrency = change.concurrency, warnings = change.warnings,
           last_failure_at = CASE WHEN change.failed THEN now() ELSE w.last_failure_at END,
           last_failure_status = CASE WHEN change.failed THEN change.failure_status ELSE w.last_failure_status END,
           last_failure_class = CASE WHEN change.failed THEN change.failure_class ELSE w.last_failure_class END,
           active = w.active AND change.reason IS NULL,
           deactivated_at = CASE WHEN change.reason IS NULL THEN w.deactivated_at ELSE now() END,
           deactivated_reason = COALESCE(change.reason, w.deactivated_reason),
           updated_at = CASE WHEN change.reason IS NULL THEN w.updated_at ELSE now() END,
           row_version = w.row_version + CASE WHEN change.reason IS NULL THEN 0 ELSE 1 END
      FROM json_to_recordset($1::json) AS change (
        account_id uuid, id uuid, failures int, failing_since timestamptz, last_success_at timestamptz, slow boolean,
        concurrency int, warnings int, failed boolean, failure_status int, failure_class text, reason text)
     WHERE w.account_id = change.account_id AND w.id = change.id`,
};

/** Outcomes of one webhook. */
type Group = readonly AttemptOutcome[];

const keyOf = ([first]: Group): string => `${first?.accountId} ${first?.webhookId}`;

/** Sorts by webhook, so that two workers that write outcomes of the same webhooks cannot deadlock. */
const inOrder = (groups: readonly Group[]): Group[] =>
  groups.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/** Locks the webhooks of the groups. */
export function lockEndpoints(sql: Sql, groups: readonly Group[]): Promise<EndpointRow[]> {
  const heads = inOrder(groups).flatMap(([first]) => (first ? [first] : []));
  return sql.rows<EndpointRow>(lock, [
    heads.map(({ accountId }) => accountId),
    heads.map(({ webhookId }) => webhookId),
  ]);
}

/** @param groups successful outcomes, by webhook. */
export const recordSuccesses = (groups: readonly Group[]): BoundStatement | null =>
  groups.length === 0
    ? null
    : {
        statement: succeed,
        values: [
          JSON.stringify(
            inOrder(groups).map((group) => ({
              account_id: group[0]?.accountId,
              id: group[0]?.webhookId,
              slow: isSlowEndpoint(group.map(({ durationMs }) => durationMs)),
              count: group.length,
              claim_size: Math.max(...group.map(({ claimSize }) => claimSize)),
            })),
          ),
          endpointConcurrencyMax,
          claimSizes.fast,
        ],
      };

interface EndpointChange {
  readonly row: EndpointRow;
  readonly evaluation: EndpointEvaluation<AttemptOutcome>;
}

/** Applies evaluations of locked endpoints. */
export const updateEndpoints = (changes: readonly EndpointChange[]): BoundStatement | null =>
  changes.length === 0
    ? null
    : {
        statement: update,
        values: [
          JSON.stringify(
            changes.map(({ row, evaluation: { health, lastFailure, ...evaluation } }) => ({
              account_id: row.accountId,
              id: row.id,
              failures: health.consecutiveFailures,
              failing_since: health.failingSince,
              last_success_at: health.lastSuccessAt,
              slow: evaluation.isSlow,
              concurrency: evaluation.concurrency,
              warnings: evaluation.warnings,
              failed: lastFailure !== null,
              failure_status: lastFailure?.httpStatus ?? null,
              failure_class: lastFailure?.errorClass ?? null,
              reason: evaluation.deactivation,
            })),
          ),
        ],
      };
