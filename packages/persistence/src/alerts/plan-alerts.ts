import type { AccountSql, Statement } from "../sql.ts";
import { matchedRecords, matchesFilter } from "./matching-exceptions.ts";

/** Changes within this time after the first one are one message. */
const collectingMs = 20_000;

/**
 * An exception that changes again before its message is composed has the last change. Digests need only what is new
 * since the previous one.
 */
const plan: Statement = {
  name: "alerts.plan",
  text: `
    INSERT INTO alert_items (account_id, subscription_id, exception_id, event, due_at)
    SELECT a.account_id, a.id, x.id, CASE WHEN x.id = ANY($2::uuid[]) THEN 'opened' ELSE 'resolved' END,
      CASE WHEN a.frequency = 'at_once' THEN clock_timestamp() + $4 * interval '1 millisecond' END
    FROM alert_subscriptions a
    JOIN exceptions x ON x.account_id = a.account_id AND x.id = ANY($2::uuid[] || $3::uuid[]) ${matchedRecords}
    WHERE a.account_id = $1 AND a.active
      AND (x.id = ANY($2::uuid[]) OR a.includes_resolved)
      AND ${matchesFilter}
    ORDER BY a.id, x.id
    ON CONFLICT (account_id, subscription_id, exception_id) DO UPDATE SET event = excluded.event`,
};

/**
 * A superseded exception counts as resolved for whom its next step is not an alert, for example of the severity. The
 * alerts of what was opened are planned before.
 */
const planSuperseded: Statement = {
  name: "alerts.plan-superseded",
  text: `
    INSERT INTO alert_items (account_id, subscription_id, exception_id, event, due_at)
    SELECT a.account_id, a.id, x.id, 'resolved',
      CASE WHEN a.frequency = 'at_once' THEN clock_timestamp() + $4 * interval '1 millisecond' END
    FROM alert_subscriptions a
    JOIN exceptions x ON x.account_id = a.account_id AND x.id = ANY($2::uuid[]) ${matchedRecords}
    WHERE a.account_id = $1 AND a.active AND a.includes_resolved AND ${matchesFilter}
      AND NOT EXISTS (
        SELECT FROM alert_items planned JOIN exceptions next ON next.account_id = planned.account_id
          AND next.id = planned.exception_id
        WHERE planned.account_id = a.account_id AND planned.subscription_id = a.id
          AND planned.exception_id = ANY($3::uuid[]) AND next.subject_id = x.subject_id AND next.opened_at = x.ended_at)
    ORDER BY a.id, x.id
    ON CONFLICT (account_id, subscription_id, exception_id) DO UPDATE SET event = excluded.event`,
};

/**
 * Plans the alerts of exceptions that were opened, resolved or superseded, once for each subscription. Call it in
 * the transaction of the changes.
 */
export async function planAlerts(
  sql: AccountSql,
  accountId: string,
  {
    openedIds,
    resolvedIds,
    supersededIds,
  }: Readonly<Record<"openedIds" | "resolvedIds" | "supersededIds", readonly string[]>>,
): Promise<void> {
  if (openedIds.length + resolvedIds.length > 0) {
    await sql.execute(plan, [accountId, openedIds, resolvedIds, collectingMs]);
  }
  if (supersededIds.length > 0) {
    await sql.execute(planSuperseded, [accountId, supersededIds, openedIds, collectingMs]);
  }
}
