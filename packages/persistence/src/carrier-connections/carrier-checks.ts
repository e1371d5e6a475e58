import type { Instant } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A carrier whose reachability is to be checked, for every credential that found it unreachable. */
export interface CarrierCheckClaim {
  /** The SCAC, or the code of a terminal. */
  readonly scac: string;
  readonly credentials: readonly { readonly credential: string; readonly accountId: string | null }[];
}

const claim: Statement = {
  name: "carrier-checks.claim",
  text: `
    WITH unreachable AS MATERIALIZED (
      SELECT a.credential, a.next_check_at, COALESCE(c.scac, a.credential) AS scac FROM carrier_access a
        LEFT JOIN carrier_connections c
          ON c.active AND c.id = CASE WHEN a.account_id IS NOT NULL THEN a.credential::uuid END
      WHERE a.next_check_at IS NOT NULL AND (a.account_id IS NULL OR c.id IS NOT NULL)),
    claimed AS (
      UPDATE carrier_access a SET next_check_at = clock_timestamp() + $1 * interval '1 millisecond'
      FROM unreachable
      WHERE a.credential = unreachable.credential AND a.next_check_at = unreachable.next_check_at
        AND unreachable.scac IN (SELECT scac FROM unreachable WHERE next_check_at <= clock_timestamp())
      RETURNING a.credential, a.account_id, unreachable.scac)
    SELECT scac, jsonb_agg(jsonb_build_object('credential', credential, 'accountId', account_id)) AS credentials
    FROM claimed GROUP BY scac`,
};

/**
 * Claims the due checks, each for one of all workers and for all credentials at its carrier. A check without an outcome
 * is due again after `leaseMs`, in real time.
 */
export function claimCarrierChecks(sql: Sql, leaseMs: number): Promise<CarrierCheckClaim[]> {
  return sql.rows<CarrierCheckClaim>(claim, [leaseMs]);
}

const extendProbes: Statement = {
  name: "carrier-checks.renew-probes",
  text: `
    UPDATE carrier_access SET probe_until = clock_timestamp() + $2 * interval '1 millisecond'
    WHERE credential = ANY($1) AND probe_until IS NOT NULL`,
};

/** Extends the probes that are under way in this process. */
export async function renewProbes(sql: Sql, credentials: readonly string[], probeMs: number): Promise<void> {
  await sql.execute(extendProbes, [credentials, probeMs]);
}

const reschedule: Statement = {
  name: "carrier-checks.bring-forward",
  text: `
    UPDATE tracking_subjects s SET retry_at = s.next_poll_at, next_poll_at = $2
    WHERE s.id IN (
      SELECT f.id FROM tracking_subjects f
      WHERE COALESCE(f.connection_id::text, f.scac) = $1 AND f.consecutive_failures > 0
        AND f.next_poll_at > $2 AND f.next_poll_at < $2::timestamptz + interval '1 day'
        AND f.last_attempted_at >= $3 AND ($4 OR f.retry_at IS NULL)
      FOR UPDATE SKIP LOCKED)`,
};

/**
 * Makes the subjects due whose polls failed since the carrier is unreachable, except those of suspended accounts,
 * whose polls are centuries ahead. Times are on the tracking clock.
 * @param options `includesRescheduled`: also those that an earlier call made due.
 * @returns their number.
 */
export function rescheduleFailedSubjects(
  sql: Sql,
  credential: string,
  options: { readonly now: Instant; readonly unreachableSince: Instant; readonly includesRescheduled: boolean },
): Promise<number> {
  return sql.execute(reschedule, [credential, options.now, options.unreachableSince, options.includesRescheduled]);
}

const findRecovery: Statement = {
  name: "carrier-checks.find-recovery",
  text: `SELECT away_since IS NULL AS "isBack" FROM carrier_access WHERE credential = $1 FOR SHARE`,
};

/**
 * Whether the carrier has recovered since a poll reported it unreachable: the subjects that had failed by then have
 * been brought forward. No more of them are until the transaction ends: it keeps the state of the credential locked.
 */
export async function hasRecoveredMeanwhile(sql: Sql, credential: string): Promise<boolean> {
  return (await sql.rows<{ isBack: boolean }>(findRecovery, [credential]))[0]?.isBack ?? false;
}
