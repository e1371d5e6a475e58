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
 * Deletes up to `limit` processed messages that were received before `before` (tracking clock). Their events are kept
 * with the subjects that they concern.
 * @returns the number of deleted messages.
 */
export function removeOldEventMessages(sql: Sql, before: Instant, limit: number): Promise<number> {
  return sql.execute(remove, [before, limit]);
}
