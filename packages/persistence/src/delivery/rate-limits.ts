import type { Instant } from "@svc/domain";
import { conformingNow, conformsInMs, tatAfter } from "@svc/domain/webhooks";
import type { Sql, Statement } from "../sql.ts";

/** A webhook as read under the claimer's lock. */
export interface RateLimited {
  readonly account_id: string;
  readonly webhook_id: string;
  /** Maximum number of deliveries that start in one second; null: no limit. */
  readonly rate_limit: number | null;
  readonly rate_limit_tat: Instant | null;
  /** Present time by the database's clock. */
  readonly now: Instant;
}

const advance: Statement = {
  name: "delivery.advance-rate-limits",
  text: `
    UPDATE webhooks w SET rate_limit_tat = charged.tat
      FROM (SELECT w.account_id, w.id, charged.tat
              FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS charged (account_id, id, tat)
              JOIN webhooks w USING (account_id, id) ORDER BY w.account_id, w.id FOR NO KEY UPDATE OF w) charged
     WHERE w.account_id = charged.account_id AND w.id = charged.id`,
};

/** How many deliveries conform to the webhook's rate limit now. */
export const countConforming = ({ rate_limit, rate_limit_tat, now }: RateLimited): number =>
  rate_limit === null ? Number.POSITIVE_INFINITY : conformingNow(rate_limit, rate_limit_tat, now);

/**
 * Charges claimed deliveries to the rate limits (GCRA); only under the lock of the claimer. Runs no statement when no
 * webhook has a limit.
 * @param due webhooks with due deliveries.
 * @param counts deliveries claimed, by webhook id.
 * @returns milliseconds until a limit admits a delivery that it held back; null when none was held back.
 */
export async function chargeRateLimits(
  sql: Sql,
  due: readonly RateLimited[],
  counts: ReadonlyMap<string, number>,
): Promise<number | null> {
  const charged: { row: RateLimited; tat: Instant }[] = [];
  let conformsIn: number | null = null;
  for (const row of due) {
    if (row.rate_limit === null) continue;
    const count = counts.get(row.webhook_id) ?? 0;
    let tat = row.rate_limit_tat;
    if (count > 0) {
      tat = tatAfter(row.rate_limit, tat, row.now, count);
      charged.push({ row, tat });
    }
    if (count < countConforming(row)) continue;
    conformsIn = Math.min(conformsIn ?? Number.POSITIVE_INFINITY, conformsInMs(row.rate_limit, tat, row.now));
  }
  if (charged.length > 0) {
    await sql.execute(advance, [
      charged.map(({ row }) => row.account_id),
      charged.map(({ row }) => row.webhook_id),
      charged.map(({ tat }) => tat),
    ]);
  }
  return conformsIn;
}
