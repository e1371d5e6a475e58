import type { Instant } from "@svc/domain";
import type { AccountSql, Statement } from "../sql.ts";

/** Index scans over the facts of the given records and the timeline of the containers among them. */
const changeTimes: Statement = {
  name: "history.change-times",
  text: `
    SELECT at FROM (
      SELECT f.valid_from AS at FROM field_facts f WHERE f.account_id = $1 AND f.subject_id = ANY($2::uuid[])
      UNION
      SELECT f.superseded_at FROM field_facts f
        WHERE f.account_id = $1 AND f.subject_id = ANY($2::uuid[]) AND f.superseded_at IS NOT NULL
      UNION
      SELECT e.created_at FROM transport_events e WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[])
      UNION
      SELECT e.invalidated_at FROM transport_events e
        WHERE e.account_id = $1 AND e.container_id = ANY($2::uuid[]) AND e.invalidated_at IS NOT NULL) AS changes
    ORDER BY at DESC LIMIT $3`,
};

/**
 * The times at which an attribute or a milestone of one of the records changed, oldest first; the newest `limit` of
 * them.
 */
export type ChangeTimesReader = (
  accountId: string,
  recordIds: readonly string[],
  limit: number,
) => Promise<readonly Instant[]>;

export function createChangeTimesReader(sql: AccountSql): ChangeTimesReader {
  return async (accountId, recordIds, limit) => {
    const rows = await sql.rows<{ at: Instant }>(changeTimes, [accountId, recordIds, limit]);
    return rows.map(({ at }) => at).toReversed();
  };
}
