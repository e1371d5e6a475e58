import {
  type DeactivationReason,
  type EndpointEvaluation,
  evaluateEndpoint,
  settlementOf,
  type WebhookNotice,
} from "@svc/domain/webhooks";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { BoundStatement } from "../sql.ts";
import { type DescribeNotice, recordNotice } from "../webhooks/webhook-notices.ts";
import type { AttemptOutcome } from "./attempt.ts";
import type { ClaimKey } from "./claim.ts";
import { type EndpointRow, lockEndpoints, recordSuccesses, updateEndpoints } from "./endpoint-statements.ts";
import { closeClaims, completeDeliveries, failDeliveries, logAttempts, retryDeliveries } from "./settle-statements.ts";

/** A webhook that was disabled together with these outcomes. */
export interface Deactivation {
  readonly accountId: string;
  readonly webhookId: string;
  readonly reason: DeactivationReason;
}

interface Evaluated {
  readonly row: EndpointRow;
  readonly evaluation: EndpointEvaluation<AttemptOutcome>;
}

const succeeded = ({ verdict }: AttemptOutcome): boolean => verdict.kind === "succeeded";

function toNotice({ row, evaluation }: Evaluated): WebhookNotice | null {
  const { notice: kind, deactivation: reason, health, lastAttempt } = evaluation;
  if (kind === null) return null;
  return {
    id: uuidV7.next(),
    webhookId: row.id,
    url: row.url,
    kind,
    reason,
    failingSince: health.failingSince,
    consecutiveFailures: health.consecutiveFailures,
    httpStatus: lastAttempt.httpStatus,
    errorClass: lastAttempt.errorClass,
    createdAt: row.now,
  };
}

/** Ends attempts that did not all succeed. A webhook without a row was deleted and removed. */
function settleAll(outcomes: readonly AttemptOutcome[], webhooks: ReadonlyMap<string, EndpointRow>) {
  const settled = outcomes.map((outcome) => {
    const webhook = webhooks.get(outcome.webhookId) ?? { isDeleted: true, url: outcome.url };
    return { outcome, settlement: settlementOf(outcome.verdict, outcome.url, webhook) };
  });
  const failed = settled.flatMap(({ outcome, settlement }) => (settlement.state === "failed" ? [outcome] : []));
  return [
    completeDeliveries(outcomes.filter(succeeded)),
    retryDeliveries(
      settled.flatMap(({ outcome, settlement }) =>
        settlement.state === "retrying" ? [{ ...outcome, ...settlement }] : [],
      ),
    ),
    failDeliveries(failed.map((outcome) => ({ ...outcome, isDeleted: !isLive(webhooks.get(outcome.webhookId)) }))),
  ];
}

const present = (statements: readonly (BoundStatement | null)[]): BoundStatement[] =>
  statements.filter((one) => one !== null);

const isLive = (webhook: EndpointRow | undefined): boolean => webhook !== undefined && !webhook.isDeleted;

/**
 * Ends attempts in one transaction: writes the attempt log, settles the deliveries, updates the health of the
 * endpoints, disables a webhook together with its notice when its rule is met, and closes the claims that are
 * `finished`.
 */
export async function settleOutcomes(
  database: Database,
  outcomes: readonly AttemptOutcome[],
  finished: readonly ClaimKey[],
  describe: DescribeNotice,
): Promise<readonly Deactivation[]> {
  const byWebhook = Map.groupBy(outcomes, ({ webhookId }) => webhookId);
  const isHealthy = (group: readonly AttemptOutcome[]): boolean =>
    group.every((outcome) => succeeded(outcome) && outcome.endpointClass !== "failing");
  const healthy = [...byWebhook.values()].filter(isHealthy);
  const always = [logAttempts(outcomes), closeClaims(finished), recordSuccesses(healthy)];
  if (healthy.length === byWebhook.size) {
    await database.batch(present([completeDeliveries(outcomes), ...always]));
    return [];
  }
  return database.transaction(async (sql) => {
    // All webhooks are locked at once, healthy ones included, so that two workers cannot deadlock.
    const rows = await lockEndpoints(sql, [...byWebhook.values()]);
    const evaluated = rows.flatMap((row): Evaluated[] => {
      const attempts = byWebhook.get(row.id) ?? [];
      const evaluation = isHealthy(attempts) ? null : evaluateEndpoint(row, attempts, row.now);
      return evaluation ? [{ row, evaluation }] : [];
    });
    const webhooks = new Map(rows.map((row) => [row.id, row]));
    const statements = present([...settleAll(outcomes, webhooks), ...always, updateEndpoints(evaluated)]);
    await Promise.all(statements.map(({ statement, values }) => sql.execute(statement, values)));
    for (const one of evaluated) {
      const notice = toNotice(one);
      if (notice) await recordNotice(sql, one.row.accountId, notice, describe);
    }
    return evaluated.flatMap(({ row, evaluation: { deactivation: reason } }) =>
      reason === null ? [] : [{ accountId: row.accountId, webhookId: row.id, reason }],
    );
  });
}
