import type { Sql, Statement } from "../sql.ts";

const slowInFlight: Statement = {
  name: "delivery.slow-in-flight",
  text: `
    SELECT account.account_id, claimed.count
      FROM unnest($1::uuid[]) AS account (account_id)
     CROSS JOIN LATERAL (
       SELECT COALESCE(sum(cardinality(c.notification_ids)), 0)::int AS count FROM webhook_claims c
         JOIN webhooks w ON w.account_id = c.account_id AND w.id = c.webhook_id
        WHERE c.account_id = account.account_id AND w.slow) claimed`,
};

/** Counts the claimed deliveries of slow webhooks, by account. Runs no statement without an account. */
export async function countSlowInFlight(
  sql: Sql,
  accountIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> {
  if (accountIds.size === 0) return new Map();
  const claimed = await sql.rows<{ account_id: string; count: number }>(slowInFlight, [[...accountIds]]);
  return new Map(claimed.map(({ account_id, count }) => [account_id, count]));
}
