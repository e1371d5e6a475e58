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
 * Plans the alerts of exceptions that were opened or resolved, once for each subscription. Call it in the transaction
 * of the changes.
 */
export async function planAlerts(
  sql: AccountSql,
  accountId: string,
  { openedIds, resolvedIds }: { readonly openedIds: readonly string[]; readonly resolvedIds: readonly string[] },
): Promise<void> {
  if (openedIds.length + resolvedIds.length === 0) return;
  await sql.execute(plan, [accountId, openedIds, resolvedIds, collectingMs]);
}
