import { admittedInMs, admittedNow, type Instant, paidAfter } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A webhook as it stood when the claimer got its lock. */
export interface RateLimited {
  readonly account_id: string;
  readonly webhook_id: string;
  /** Deliveries that may begin in any second; null: as many as it keeps up with. */
  readonly rate_limit: number | null;
  readonly rate_paid_until: Instant | null;
  /** By the database's clock. */
  readonly now: Instant;
}

/** What a webhook with a rate limit was given counts from now on. */
const pay: Statement = {
  name: "delivery.pay",
  text: `
    UPDATE webhooks w SET rate_paid_until = paid.until
      FROM (SELECT w.account_id, w.id, paid.until
              FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS paid (account_id, id, until)
              JOIN webhooks w USING (account_id, id) ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w) paid
     WHERE w.account_id = paid.account_id AND w.id = paid.id`,
};

/** How many deliveries the webhook's rate limit admits now. */
export const admittedOf = ({ rate_limit, rate_paid_until, now }: RateLimited): number =>
  rate_limit === null ? Number.POSITIVE_INFINITY : admittedNow(rate_limit, rate_paid_until, now);

/**
 * Counts what was claimed against the rate limits. No statement when nothing claimed has one. To be called by the only claimer.
 * @param due webhooks for which something is due.
 * @param counts deliveries claimed, by webhook id.
 * @returns milliseconds until a limit admits more of what it held back; null when none did.
 */
export async function payRates(
  sql: Sql,
  due: readonly RateLimited[],
  counts: ReadonlyMap<string, number>,
): Promise<number | null> {
  const paid: { row: RateLimited; until: Instant }[] = [];
  let inMs: number | null = null;
  for (const row of due) {
    if (row.rate_limit === null) continue;
    const count = counts.get(row.webhook_id) ?? 0;
    let until = row.rate_paid_until;
    if (count > 0) {
      until = paidAfter(row.rate_limit, until, row.now, count);
      paid.push({ row, until });
    }
    if (count < admittedOf(row)) continue;
    inMs = Math.min(inMs ?? Number.POSITIVE_INFINITY, admittedInMs(row.rate_limit, until, row.now));
  }
  if (paid.length > 0) {
    await sql.execute(pay, [
      paid.map(({ row }) => row.account_id),
      paid.map(({ row }) => row.webhook_id),
      paid.map(({ until }) => until),
    ]);
  }
  return inMs;
}
