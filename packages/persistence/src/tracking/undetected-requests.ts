import type { Instant } from "@svc/domain";
import { uuidV7 } from "../ids.ts";
import { withNames } from "../named-parameters.ts";
import { firstRow, type Sql, type Statement } from "../sql.ts";
import { subjectDueNow } from "./subject-due-now.ts";
import { type LiveRequest, liveRequestColumns } from "./subject-state.ts";

/** A pending request whose carrier is to be detected from its number. */
export interface UndetectedRequest {
  readonly accountId: string;
  readonly id: string;
}

/** A loose index scan over the accounts, then the oldest requests of each. */
const findSome: Statement = {
  name: "tracking.undetected-requests",
  text: `
    WITH RECURSIVE waiting AS (
      (SELECT account_id FROM tracking_requests WHERE scac IS NULL AND status = 'pending' ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT n.account_id FROM tracking_requests n
        WHERE n.scac IS NULL AND n.status = 'pending' AND n.account_id > w.account_id ORDER BY n.account_id LIMIT 1)
      FROM waiting w WHERE w.account_id IS NOT NULL)
    SELECT r.account_id AS "accountId", r.id FROM waiting w
    CROSS JOIN LATERAL (
      SELECT o.account_id, o.id, o.created_at, row_number() OVER (ORDER BY o.created_at) AS turn FROM (
        SELECT account_id, id, created_at FROM tracking_requests
        WHERE account_id = w.account_id AND scac IS NULL AND status = 'pending' ORDER BY created_at LIMIT $1) o) r
    WHERE NOT EXISTS (SELECT FROM accounts a WHERE a.id = w.account_id AND a.suspended_at IS NOT NULL)
    ORDER BY r.turn, r.created_at LIMIT $1`,
};

/** Requests of the accounts in turn (round robin), the oldest of each first. */
export function findUndetectedRequests(sql: Sql, limit: number): Promise<UndetectedRequest[]> {
  return sql.rows<UndetectedRequest>(findSome, [limit]);
}

const lock: Statement = {
  name: "tracking.lock-undetected-request",
  text: `
    SELECT ${liveRequestColumns} FROM tracking_requests r
    WHERE r.account_id = $1 AND r.id = $2 AND r.scac IS NULL AND r.status = 'pending' FOR UPDATE SKIP LOCKED`,
};

/** Null when another worker has locked or settled it. */
export function lockUndetectedRequest(sql: Sql, { accountId, id }: UndetectedRequest): Promise<LiveRequest | null> {
  return firstRow(sql.rows<LiveRequest>(lock, [accountId, id]));
}

const undetectedRequest = "FROM tracking_requests r WHERE r.account_id = :accountId AND r.id = :id AND";

const assign = withNames(
  {
    name: "tracking.give-line",
    text: `
    WITH ${subjectDueNow("r.request_type", undetectedRequest)}
    UPDATE tracking_requests r SET scac = :scac, normalized_number = :normalizedNumber, subject_id = subject.id,
      row_version = r.row_version + 1, updated_at = :now
    FROM subject WHERE r.account_id = :accountId AND r.id = :id`,
  },
  ["id", "scac", "normalizedNumber", "now", "subjectId"],
);

/**
 * Sets the carrier of a locked request and makes its number due now.
 * @returns false, without a change, when an active request of the account has the same carrier and number.
 */
export async function assignCarrier(
  sql: Sql,
  { accountId, id }: UndetectedRequest,
  line: { readonly scac: string; readonly normalizedNumber: string },
  now: Instant,
): Promise<boolean> {
  return (await sql.execute(assign, assign.values({ accountId, id, ...line, now, subjectId: uuidV7.next() }))) > 0;
}
