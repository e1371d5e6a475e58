import type { Instant } from "@svc/domain";
import { withNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";

/** Changes of a suspended account wait until it is resumed, because they make subjects due. */
const findOne: Statement = {
  name: "connection-changes.next",
  text: `
    SELECT account_id AS "accountId", scac, changed_at AS "changedAt", done_kind AS "doneKind",
      done_number AS "doneNumber"
    FROM carrier_connection_changes c
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = c.account_id AND a.suspended_at IS NOT NULL)
    ORDER BY changed_at LIMIT 1 FOR UPDATE OF c SKIP LOCKED`,
};

interface Change {
  readonly accountId: string;
  readonly scac: string;
  readonly changedAt: Instant;
  readonly doneKind: string;
  readonly doneNumber: string;
}

/** In the order of the index of current numbers. Polls become due at random moments within `:spreadMs`. */
const moveSubjects = withNames(
  {
    name: "connection-changes.move-subjects",
    text: `
    WITH batch AS (
      SELECT id, kind, number, row_number() OVER (ORDER BY kind, number) AS place FROM (
        SELECT id, kind, number FROM tracking_subjects
        WHERE account_id = :accountId AND scac = :scac AND retired_at IS NULL
          AND (kind, number) > (:doneKind, :doneNumber)
        ORDER BY kind, number LIMIT :batchSize) b),
    moved AS (
      UPDATE tracking_subjects s SET
        connection_id = (SELECT c.id FROM carrier_connections c
          WHERE c.account_id = :accountId AND c.scac = :scac AND c.active),
        next_poll_at = LEAST(s.next_poll_at, CASE
          WHEN :doneKind = '' AND batch.place <= :sampleSize THEN :now::timestamptz
          ELSE :now::timestamptz + random() * :spreadMs * interval '1 millisecond' END)
      FROM batch WHERE s.id = batch.id AND s.next_poll_at IS NOT NULL)
    SELECT kind, number FROM batch ORDER BY kind, number`,
  },
  ["scac", "doneKind", "doneNumber", "batchSize", "sampleSize", "now", "spreadMs"],
);

const advance: Statement = {
  name: "connection-changes.advance",
  text: "UPDATE carrier_connection_changes SET done_kind = $3, done_number = $4 WHERE account_id = $1 AND scac = $2",
};

const finish: Statement = {
  name: "connection-changes.finish",
  text: "DELETE FROM carrier_connection_changes WHERE account_id = $1 AND scac = $2",
};

export interface ConnectionChangeOptions {
  /** On the tracking clock. */
  readonly now: Instant;
  readonly batchSize: number;
  /** Number of subjects that are polled at once, so that the health of the credentials is known soon. */
  readonly sampleSize: number;
  /** Time within which the other subjects are polled at random moments, on the tracking clock. */
  readonly spreadMs: number;
}

/**
 * Moves one batch of the subjects of a changed connection to the active credential and schedules their polls, in the
 * caller's transaction. Several workers may run it.
 * @returns false when no change is left.
 */
export async function applyConnectionChanges(sql: Sql, options: ConnectionChangeOptions): Promise<boolean> {
  const [change] = await sql.rows<Change>(findOne, []);
  if (change === undefined) return false;
  const { accountId, scac } = change;
  const moved = await sql.rows<{ kind: string; number: string }>(
    moveSubjects,
    moveSubjects.values({ ...options, ...change }),
  );
  const last = moved.at(-1);
  if (last === undefined || moved.length < options.batchSize) await sql.execute(finish, [accountId, scac]);
  else await sql.execute(advance, [accountId, scac, last.kind, last.number]);
  return true;
}
