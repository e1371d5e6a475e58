import type { Instant, SubjectKind } from "@svc/domain";
import type { Sql, Statement } from "../sql.ts";

/** A subject that this worker may poll and write until its lease ends. `fencing` proves it when the outcome is written. */
export interface SubjectClaim {
  readonly id: string;
  readonly accountId: string;
  readonly scac: string;
  /** The account's own connection by which the carrier is asked, in this version; null: the service's. */
  readonly connection: { readonly id: string; readonly version: number } | null;
  readonly kind: SubjectKind;
  /** As normalised by the API: what the carrier, or the terminal, is asked for. */
  readonly number: string;
  /** Null only of a subject that was not taken because it was due. */
  readonly nextPollAt: Instant | null;
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
  /** How many subjects of each credential at most (`credentialOf`); one that is not named may have `otherLimit`. */
  readonly credentialLimits: ReadonlyMap<string, number>;
  readonly otherLimit: number;
}

/** By what a carrier is asked: the id of the account's own connection, or the SCAC where the service asks for everybody. */
export function credentialOf({ connection, scac }: Pick<SubjectClaim, "connection" | "scac">): string {
  return connection?.id ?? scac;
}

const credential = (alias: string): string => `COALESCE(${alias}.connection_id::text, ${alias}.scac)`;

/** Walks from one credential to the next in the index of due subjects: the cost is one probe for each. */
const credentialsWithSubjects = `
  WITH RECURSIVE credentials AS (
    (SELECT ${credential("s")} AS name FROM tracking_subjects s WHERE s.next_poll_at IS NOT NULL ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT ${credential("s")} FROM tracking_subjects s
      WHERE s.next_poll_at IS NOT NULL AND ${credential("s")} > c.name ORDER BY ${credential("s")} LIMIT 1)
    FROM credentials c WHERE c.name IS NOT NULL
  )`;

/** What every claim tells of its subject `s`, with its connection `c`. */
const claimColumns = `s.id, s.account_id AS "accountId", s.scac, s.kind,
      CASE s.kind WHEN 'terminal_container' THEN (SELECT b.number FROM containers b
        WHERE b.account_id = s.account_id AND b.id = s.number::uuid) ELSE s.number END AS number, s.next_poll_at AS "nextPollAt", s.fencing,
      s.content_hash AS "contentHash",
      CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('id', c.id, 'version', c.row_version) END AS connection`;

const claimDue: Statement = {
  name: "tracking.claim-due",
  text: `
    ${credentialsWithSubjects},
    due AS MATERIALIZED (
      SELECT d.id, d.connection_id FROM credentials c
      CROSS JOIN LATERAL (
        SELECT s.id, s.connection_id, s.next_poll_at FROM tracking_subjects s
        WHERE ${credential("s")} = c.name AND s.next_poll_at <= $1 AND (s.lease_until IS NULL OR s.lease_until < now())
        ORDER BY s.next_poll_at
        LIMIT COALESCE(($5::jsonb ->> c.name)::int, $6)
        FOR UPDATE SKIP LOCKED
      ) d
      WHERE c.name IS NOT NULL
      ORDER BY d.next_poll_at LIMIT $4
    )
    UPDATE tracking_subjects s
    SET lease_owner = $2, lease_until = now() + $3 * interval '1 millisecond', fencing = fencing + 1
    FROM due LEFT JOIN carrier_connections c ON c.id = due.connection_id WHERE s.id = due.id
    RETURNING ${claimColumns}`,
};

/** Due subjects whose lease is free, the longest due first. The tracking clock says what is due, the database's what is free. */
export function claimDueSubjects(sql: Sql, options: ClaimOptions): Promise<SubjectClaim[]> {
  const { now, owner, leaseMs, limit, credentialLimits, otherLimit } = options;
  const limits = JSON.stringify(Object.fromEntries(credentialLimits));
  return sql.rows<SubjectClaim>(claimDue, [now, owner, leaseMs, limit, limits, otherLimit]);
}

const nextDue: Statement = {
  name: "tracking.next-due",
  text: `
    ${credentialsWithSubjects}
    SELECT min((SELECT s.next_poll_at FROM tracking_subjects s
      WHERE ${credential("s")} = c.name AND s.next_poll_at > $1 ORDER BY s.next_poll_at LIMIT 1)) AS at
    FROM credentials c WHERE c.name IS NOT NULL`,
};

/** When the next subject after `now` becomes due; null when there is none. */
export async function nextDueAt(sql: Sql, now: Instant): Promise<Instant | null> {
  return (await sql.rows<{ at: Instant | null }>(nextDue, [now]))[0]?.at ?? null;
}

const claimOne: Statement = {
  name: "tracking.claim-one",
  text: `
    UPDATE tracking_subjects s
    SET lease_owner = $3, lease_until = now() + $4 * interval '1 millisecond', fencing = s.fencing + 1
    FROM tracking_subjects x LEFT JOIN carrier_connections c ON c.id = x.connection_id
    WHERE x.account_id = $1 AND x.id = $2 AND s.id = x.id AND (s.lease_until IS NULL OR s.lease_until < now())
    RETURNING ${claimColumns}`,
};

/** Takes one subject, due or not, to apply what came unasked. Null: another worker has it at the moment. */
export async function claimSubject(
  sql: Sql,
  accountId: string,
  subjectId: string,
  lease: { readonly owner: string; readonly leaseMs: number },
): Promise<SubjectClaim | null> {
  return (await sql.rows<SubjectClaim>(claimOne, [accountId, subjectId, lease.owner, lease.leaseMs]))[0] ?? null;
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
