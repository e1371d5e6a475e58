import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

const remove: Statement = {
  name: "event-messages.remove-old",
  text: `
    DELETE FROM event_messages m USING (
      SELECT account_id, id FROM event_messages WHERE received_at < $1 AND due_at IS NULL
      ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED) AS old
    WHERE m.account_id = old.account_id AND m.id = old.id`,
};

/**
 * Removes messages that were shared out and received before `before` (the tracking clock), at most `limit`. What they told is
 * kept with the subjects that it concerns.
 * @returns how many.
 */
export function removeOldEventMessages(sql: Sql, before: Instant, limit: number): Promise<number> {
  return sql.execute(remove, [before, limit]);
}
