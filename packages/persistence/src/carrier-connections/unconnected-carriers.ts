import type { AccountSql, Statement } from "../sql.ts";

/**
 * When neither the account nor the service is connected to the carrier, a poll sends no request and is due again a day
 * later (apps/tracking-worker, applyNotConnected). Connecting the carrier makes it due at once.
 */
const isUnconnected = `(s.last_attempted_at IS NULL AND s.last_succeeded_at IS NULL
  AND s.next_poll_at >= s.created_at + interval '20 hours')`;

const findRequests: Statement = {
  name: "carriers.unconnected-requests",
  text: `
    SELECT r.id FROM tracking_requests r
    JOIN tracking_subjects s ON s.account_id = r.account_id AND s.id = r.subject_id
    WHERE r.account_id = $1 AND r.id = ANY($2::uuid[]) AND r.status = 'pending' AND ${isUnconnected}`,
};

const findScacs: Statement = {
  name: "carriers.unconnected-scacs",
  text: `
    SELECT s.scac FROM tracking_subjects s WHERE s.account_id = $1 AND s.kind <> 'terminal_container'
    GROUP BY s.scac HAVING bool_or(${isUnconnected}) AND bool_and(s.last_attempted_at IS NULL)
      AND NOT EXISTS (SELECT FROM carrier_connections n WHERE n.account_id = $1 AND n.scac = s.scac AND n.active)`,
};

/** The given requests that wait for a carrier that is not connected. */
export async function findUnconnectedRequests(
  sql: AccountSql,
  accountId: string,
  requestIds: readonly string[],
): Promise<string[]> {
  if (requestIds.length === 0) return [];
  return (await sql.rows<{ id: string }>(findRequests, [accountId, requestIds])).map(({ id }) => id);
}

/** SCACs of the carriers of the account's numbers to which neither the account nor the service is connected. */
export async function findUnconnectedScacs(sql: AccountSql, accountId: string): Promise<ReadonlySet<string>> {
  return new Set((await sql.rows<{ scac: string }>(findScacs, [accountId])).map(({ scac }) => scac));
}
