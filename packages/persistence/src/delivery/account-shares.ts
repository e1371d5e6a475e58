import type { Sql, Statement } from "../sql.ts";

/** A webhook that may be given some of what is due for it. */
export interface Candidate<Row extends { readonly account_id: string }> {
  readonly row: Row;
  /** Its place in the round. */
  readonly place: number;
  /** Deliveries at most; not above 0 when it has all that it may have. */
  readonly allowance: number;
}

/** Deliveries of one account in the slow lane at the same time, so that its silent endpoints leave the lane to others; more while no other has any due. */
const slowOfAccountMax = 32;
const slowOfOnlyAccountMax = 128;
/** Deliveries of the fast lane that an account may have of one round however little there is: two jobs, so that jobs stay large. */
const fastOfAccountMin = 50;

/** Of the slow webhooks of accounts, by account. */
const slowInFlight: Statement = {
  name: "delivery.slow-in-flight",
  text: `
    SELECT asked.account_id, held.count
      FROM unnest($1::uuid[]) AS asked (account_id)
     CROSS JOIN LATERAL (
       SELECT COALESCE(sum(cardinality(c.notification_ids)), 0)::int AS count FROM webhook_claims c
         JOIN webhooks w ON w.account_id = c.account_id AND w.id = c.webhook_id
        WHERE c.account_id = asked.account_id AND w.slow) held`,
};

/** What each account may have is given to its webhooks in a random order, so that each has its turn. */
function divide<One extends Candidate<{ readonly account_id: string }>>(
  due: readonly One[],
  mayHave: ReadonlyMap<string, number>,
): One[] {
  const free = new Map(mayHave);
  const drawn = due.map((one) => ({ one, lot: Math.random() })).toSorted((a, b) => a.lot - b.lot);
  const given = drawn.map(({ one }) => {
    const left = free.get(one.row.account_id) ?? 0;
    const allowance = Math.max(0, Math.min(one.allowance, left));
    free.set(one.row.account_id, left - allowance);
    return { ...one, allowance };
  });
  return given.toSorted((a, b) => a.place - b.place);
}

/** What is under way for an account counts, because a slow endpoint keeps its place for long. */
export async function slowShares<One extends Candidate<{ readonly account_id: string }>>(
  sql: Sql,
  due: readonly One[],
): Promise<One[]> {
  if (due.length === 0) return [];
  const accountIds = [...new Set(due.map(({ row }) => row.account_id))];
  const held = await sql.rows<{ account_id: string; count: number }>(slowInFlight, [accountIds]);
  const most = accountIds.length === 1 ? slowOfOnlyAccountMax : slowOfAccountMax;
  return divide(due, new Map(held.map(({ account_id, count }) => [account_id, Math.max(0, most - count)])));
}

/**
 * With hundreds of webhooks an account would have hundreds of turns for each that another has. So none gets more than its share of
 * a round while others have something due and there may be more than the round can give.
 * @returns null when nobody asks for more than that, there is enough for all, or only one account.
 */
export function fastShares<One extends Candidate<{ readonly account_id: string }>>(
  due: readonly One[],
  limit: number,
): One[] | null {
  const asked = new Map<string, number>();
  for (const { row, allowance } of due) asked.set(row.account_id, (asked.get(row.account_id) ?? 0) + allowance);
  const counts = [...asked.values()];
  const share = Math.max(fastOfAccountMin, Math.floor(limit / asked.size));
  const scarce = counts.reduce((sum, count) => sum + count, 0) > limit;
  if (asked.size < 2 || !scarce || counts.every((count) => count <= share)) return null;
  return divide(due, new Map([...asked.keys()].map((id) => [id, share])));
}
