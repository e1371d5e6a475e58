import type { Instant, RequestType } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A subject that this worker may poll and write until its lease ends. `fencing` proves it when the outcome is written. */
export interface SubjectClaim {
  readonly id: string;
  readonly accountId: string;
  readonly scac: string;
  readonly kind: RequestType;
  /** As normalised by the API: what the carrier is asked for. */
  readonly number: string;
  readonly nextPollAt: Instant;
  readonly fencing: number;
  /** SHA-256 of the last usable reply. */
  readonly contentHash: Uint8Array | null;
}

export interface ClaimOptions {
  /** On the tracking clock. */
  readonly now: Instant;
  /** Who holds the lease: unique to the process. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** How many subjects of each carrier at most; a carrier that is not named may have `otherLimit`. */
  readonly carrierLimits: ReadonlyMap<string, number>;
  readonly otherLimit: number;
}

/** Walks from one carrier to the next in the index of due subjects: the cost is one probe for each carrier. */
const carriersWithSubjects = `
  WITH RECURSIVE carriers AS (
    (SELECT scac FROM tracking_subjects WHERE next_poll_at IS NOT NULL ORDER BY scac LIMIT 1)
    UNION ALL
    SELECT (SELECT s.scac FROM tracking_subjects s WHERE s.next_poll_at IS NOT NULL AND s.scac > c.scac ORDER BY s.scac LIMIT 1)
    FROM carriers c WHERE c.scac IS NOT NULL
  )`;

const claimDue: Statement = {
  name: "tracking.claim-due",
  text: `
    ${carriersWithSubjects},
    due AS MATERIALIZED (
      SELECT d.id FROM carriers c
      CROSS JOIN LATERAL (
        SELECT s.id, s.next_poll_at FROM tracking_subjects s
        WHERE s.scac = c.scac AND s.next_poll_at <= $1 AND (s.lease_until IS NULL OR s.lease_until < now())
        ORDER BY s.next_poll_at
        LIMIT COALESCE(($5::jsonb ->> c.scac)::int, $6)
        FOR UPDATE SKIP LOCKED
      ) d
      WHERE c.scac IS NOT NULL
      ORDER BY d.next_poll_at LIMIT $4
    )
    UPDATE tracking_subjects s
    SET lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond', fencing = fencing + 1
    FROM due WHERE s.id = due.id
    RETURNING s.id, s.account_id AS "accountId", s.scac, s.kind, s.number, s.next_poll_at AS "nextPollAt", s.fencing,
      s.content_hash AS "contentHash"`,
};

/** Due subjects whose lease is free, the longest due first. The tracking clock says what is due, the database's what is free. */
export function claimDueSubjects(sql: Sql, options: ClaimOptions): Promise<SubjectClaim[]> {
  const { now, owner, leaseMs, limit, carrierLimits, otherLimit } = options;
  const limits = JSON.stringify(Object.fromEntries(carrierLimits));
  return sql.rows<SubjectClaim>(claimDue, [now, owner, leaseMs, limit, limits, otherLimit]);
}

const nextDue: Statement = {
  name: "tracking.next-due",
  text: `
    ${carriersWithSubjects}
    SELECT min((SELECT s.next_poll_at FROM tracking_subjects s WHERE s.scac = c.scac AND s.next_poll_at > $1
      ORDER BY s.next_poll_at LIMIT 1)) AS at
    FROM carriers c WHERE c.scac IS NOT NULL`,
};

/** When the next subject after `now` becomes due; null when there is none. */
export async function nextDueAt(sql: Sql, now: Instant): Promise<Instant | null> {
  return (await sql.rows<{ at: Instant | null }>(nextDue, [now]))[0]?.at ?? null;
}

const renew: Statement = {
  name: "tracking.renew-leases",
  text: `
    UPDATE tracking_subjects s SET lease_until = now() + $2 * interval '1 millisecond'
    FROM unnest($3::uuid[], $4::bigint[]) AS held(id, fencing)
    WHERE s.id = held.id AND s.fencing = held.fencing AND s.lease_owner = $1
    RETURNING s.id`,
};

/** Extends the leases that are still this owner's. @returns their ids; the others were taken over. */
export async function renewSubjectLeases(
  sql: Sql,
  options: { readonly owner: string; readonly leaseMs: number; readonly claims: readonly SubjectClaim[] },
): Promise<ReadonlySet<string>> {
  const { owner, leaseMs, claims } = options;
  const ids = claims.map(({ id }) => id);
  const fencings = claims.map(({ fencing }) => fencing);
  const rows = await sql.rows<{ id: string }>(renew, [owner, leaseMs, ids, fencings]);
  return new Set(rows.map(({ id }) => id));
}

const release: Statement = {
  name: "tracking.release",
  text: `
    UPDATE tracking_subjects SET lease_owner = NULL, lease_until = NULL, next_poll_at = COALESCE($4, next_poll_at)
    WHERE account_id = $1 AND id = $2 AND fencing = $3`,
};

/** Gives a subject back without an outcome: it is due as before, or at `nextPollAt` when that is given. */
export async function releaseSubject(sql: Sql, claim: SubjectClaim, nextPollAt: Instant | null = null): Promise<void> {
  await sql.execute(release, [claim.accountId, claim.id, claim.fencing, nextPollAt]);
}
