import type { Sql, Statement } from "../sql.ts";

/** A webhook with due deliveries. */
export interface Candidate<Row extends { readonly account_id: string }> {
  readonly row: Row;
  /** Position in the round. */
  readonly place: number;
  /** Deliveries that may be claimed; not above 0 at the concurrency limit. */
  readonly allowance: number;
}

/**
 * Maximum number of concurrent slow deliveries of one account, so that its slow endpoints leave capacity for others;
 * more while no other account has any due.
 */
const slowOfAccountMax = 32;
const slowOfOnlyAccountMax = 128;
/** Smallest share of an account in a round of the fast lane: two jobs, so that jobs stay large. */
const fastOfAccountMin = 50;

/** Shares by account. */
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

/** Divides the share of each account among its webhooks in random order, so that none is always last. */
function divide<One extends Candidate<{ readonly account_id: string }>>(
  due: readonly One[],
  shares: ReadonlyMap<string, number>,
): One[] {
  const left = new Map(shares);
  const shuffled = due.map((one) => ({ one, rank: Math.random() })).toSorted((a, b) => a.rank - b.rank);
  const divided = shuffled.map(({ one }) => {
    const share = left.get(one.row.account_id) ?? 0;
    const allowance = Math.max(0, Math.min(one.allowance, share));
    left.set(one.row.account_id, share - allowance);
    return { ...one, allowance };
  });
  return divided.toSorted((a, b) => a.place - b.place);
}

/** The existing claims of an account count, because those of slow endpoints last long. */
export async function slowShares<One extends Candidate<{ readonly account_id: string }>>(
  sql: Sql,
  due: readonly One[],
): Promise<One[]> {
  if (due.length === 0) return [];
  const accountIds = [...new Set(due.map(({ row }) => row.account_id))];
  const claimed = await sql.rows<{ account_id: string; count: number }>(slowInFlight, [accountIds]);
  const most = accountIds.length === 1 ? slowOfOnlyAccountMax : slowOfAccountMax;
  return divide(due, new Map(claimed.map(({ account_id, count }) => [account_id, Math.max(0, most - count)])));
}

/**
 * Fair scheduling by account: an account with hundreds of webhooks gets no more than its share of a round while other
 * accounts have deliveries due and the round cannot serve all.
 * @returns null when the round serves all, there is only one account, or none exceeds its share.
 */
export function fastShares<One extends Candidate<{ readonly account_id: string }>>(
  due: readonly One[],
  limit: number,
): One[] | null {
  const demand = new Map<string, number>();
  for (const { row, allowance } of due) demand.set(row.account_id, (demand.get(row.account_id) ?? 0) + allowance);
  const counts = [...demand.values()];
  const share = Math.max(fastOfAccountMin, Math.floor(limit / demand.size));
  const isScarce = counts.reduce((sum, count) => sum + count, 0) > limit;
  if (demand.size < 2 || !isScarce || counts.every((count) => count <= share)) return null;
  return divide(due, new Map([...demand.keys()].map((id) => [id, share])));
}
