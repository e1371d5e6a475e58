import type { Instant } from "@svc/domain";
import type { ConnectionTest } from "@svc/domain/carrier-connections";
import type { Sql, Statement } from "../sql.ts";

const claim: Statement = {
  name: "connection-tests.claim",
  text: `
    WITH due AS (
      SELECT account_id, id FROM carrier_connections
      WHERE test_requested_at IS NOT NULL AND (test_claimed_until IS NULL OR test_claimed_until < clock_timestamp())
      ORDER BY test_requested_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE carrier_connections n SET test_claimed_until = clock_timestamp() + $2 * interval '1 millisecond'
    FROM due WHERE n.account_id = due.account_id AND n.id = due.id
    RETURNING n.account_id AS "accountId", n.id, n.scac,
      COALESCE(n.test_requested_at, clock_timestamp()) AS "requestedAt"`,
};

/** A test call that this worker makes. */
export interface ConnectionTestClaim {
  readonly accountId: string;
  readonly id: string;
  readonly scac: string;
  readonly requestedAt: Instant;
}

/** Claims requested tests, the oldest first. Those of a worker that died are claimed again after `leaseMs`. */
export function claimConnectionTests(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number },
): Promise<ConnectionTestClaim[]> {
  return sql.rows<ConnectionTestClaim>(claim, [options.limit, options.leaseMs]);
}

const finish: Statement = {
  name: "connection-tests.finish",
  text: `
    UPDATE carrier_connections n SET last_test = $4::jsonb, test_requested_at = NULL, test_claimed_until = NULL
    WHERE n.account_id = $1 AND n.id = $2 AND n.test_requested_at = $3`,
};

/** Stores the outcome. False: the credentials were replaced meanwhile, so the outcome is not theirs. */
export async function finishConnectionTest(
  sql: Sql,
  { accountId, id, requestedAt }: ConnectionTestClaim,
  outcome: ConnectionTest,
): Promise<boolean> {
  return (await sql.execute(finish, [accountId, id, requestedAt, JSON.stringify(outcome)])) > 0;
}

const release: Statement = {
  name: "connection-tests.release",
  wakes: "svc_tracking",
  text: `
    UPDATE carrier_connections n SET test_claimed_until = NULL
    WHERE n.account_id = $1 AND n.id = $2 AND n.test_requested_at = $3`,
};

/** Lets another worker make the test call at once. */
export async function releaseConnectionTest(
  sql: Sql,
  { accountId, id, requestedAt }: ConnectionTestClaim,
): Promise<void> {
  await sql.execute(release, [accountId, id, requestedAt]);
}
