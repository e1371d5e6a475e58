import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** Reads the index of unresolved exceptions until it has the maximum. */
export const countOpen: Statement = {
  name: "exceptions.count-open",
  text: `
    SELECT count(*)::int AS count FROM (
      SELECT FROM exceptions x
      WHERE x.account_id = $1 AND x.resolved_at IS NULL AND (x.snoozed_until IS NULL OR x.snoozed_until <= $3)
        AND (x.owner_user_id IS NULL OR x.owner_user_id = $2)
      LIMIT $4) AS counted`,
};

/**
 * How many open exceptions a member can act on: own ones and those without an owner, up to a number.
 * @param now of the tracking clock, by which snoozes end.
 */
export async function countOpenExceptions(
  sql: AccountSql,
  accountId: string,
  { userId, now, atMost }: { readonly userId: string; readonly now: Instant; readonly atMost: number },
): Promise<number> {
  const rows = await sql.rows<{ count: number }>(countOpen, [accountId, userId, now, atMost]);
  return rows[0]?.count ?? 0;
}
