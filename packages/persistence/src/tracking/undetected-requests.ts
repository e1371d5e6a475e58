import type { Instant } from "@svc/domain";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";
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
export async function lockUndetectedRequest(
  sql: Sql,
  { accountId, id }: UndetectedRequest,
): Promise<LiveRequest | null> {
  return (await sql.rows<LiveRequest>(lock, [accountId, id]))[0] ?? null;
}

/** As for a request with a carrier: creates its subject, or makes an existing one due now. */
const give: Statement = {
  name: "tracking.give-line",
  text: `
    WITH subject AS (
      INSERT INTO tracking_subjects (id, account_id, scac, kind, number, next_poll_at, created_at)
      SELECT $6, $1, $3, r.request_type, $4, $5, $5 FROM tracking_requests r
      WHERE r.account_id = $1 AND r.id = $2 AND NOT EXISTS (
        SELECT FROM tracking_requests live WHERE live.account_id = $1 AND live.scac = $3 AND live.normalized_number = $4
          AND live.status IN ('pending', 'awaiting_manifest', 'created'))
      ON CONFLICT (account_id, scac, kind, number) WHERE retired_at IS NULL
        DO UPDATE SET next_poll_at = LEAST(tracking_subjects.next_poll_at, excluded.next_poll_at)
      RETURNING id)
    UPDATE tracking_requests r SET scac = $3, normalized_number = $4, subject_id = subject.id,
      row_version = r.row_version + 1, updated_at = $5
    FROM subject WHERE r.account_id = $1 AND r.id = $2`,
};

/**
 * Sets the carrier of a locked request and makes its number due now.
 * @returns false, without a change, when an active request of the account has the same carrier and number.
 */
export async function giveLine(
  sql: Sql,
  { accountId, id }: UndetectedRequest,
  line: { readonly scac: string; readonly normalizedNumber: string },
  now: Instant,
): Promise<boolean> {
  return (await sql.execute(give, [accountId, id, line.scac, line.normalizedNumber, now, uuidV7.next()])) > 0;
}
