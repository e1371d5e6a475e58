import type { Instant } from "@svc/domain";
import type { SubjectKind } from "@svc/domain/tracking-requests";
import { nilUuid } from "../ids.ts";
import { withServiceNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";

/**
 * A subject that this worker may poll and write until its lease ends. `fencing` proves it when the outcome is written.
 */
export interface SubjectClaim {
  readonly id: string;
  readonly accountId: string;
  readonly scac: string;
  /** The account's own connection used to poll the carrier, with its version; null for the service's. */
  readonly connection: { readonly id: string; readonly version: number } | null;
  readonly kind: SubjectKind;
  /** The number to poll at the carrier or terminal, as normalised by the API. */
  readonly number: string;
  /** UN/LOCODEs of the port of discharge and of the destination of a terminal's container; null: a carrier's number. */
  readonly places: readonly string[] | null;
  /** The bill of lading of a terminal's container; null: it is tracked by another number, or is none of a terminal. */
  readonly transportDocument: string | null;
  /** Null only for a subject that was not claimed for being due. */
  readonly nextPollAt: Instant | null;
  readonly fencing: number;
  /** SHA-256 of the last usable reply. */
  readonly contentHash: Uint8Array | null;
}

export interface ClaimOptions {
  /** Present time on the tracking clock. */
  readonly now: Instant;
  /** Holder of the lease: unique to the process. */
  readonly owner: string;
  readonly leaseMs: number;
  readonly limit: number;
  /** Maximum number of subjects of each credential (`credentialOf`); `otherLimit` applies to all others. */
  readonly credentialLimits: ReadonlyMap<string, number>;
  readonly otherLimit: number;
  /** The account that was served last with each shared credential: those after it are served first (round robin). */
  readonly lastAccounts?: ReadonlyMap<string, string>;
  /** Polls in progress by account of each shared credential. */
  readonly inProgress?: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** SCACs of brands by which numbers are tracked, with the SCAC of the carrier whose connection they share. */
  readonly brands?: ReadonlyMap<string, string>;
}

/**
 * The credential of a poll: the id of the account's own connection, or the SCAC for the one that all accounts share.
 */
export function credentialOf({ connection, scac }: Pick<SubjectClaim, "connection" | "scac">): string {
  return connection?.id ?? scac;
}

/** `credentialOf` over `tracking_subjects`, as its index has it. */
export const credentialOfSubject = (alias: string): string => `COALESCE(${alias}.connection_id::text, ${alias}.scac)`;

/** A loose index scan over the credentials of the polled subjects: one probe for each. */
export const credentialsWithSubjects = `
  WITH RECURSIVE credentials AS (
    (SELECT ${credentialOfSubject("s")} AS name FROM tracking_subjects s WHERE s.next_poll_at IS NOT NULL
      ORDER BY 1 LIMIT 1)
    UNION ALL
    SELECT (SELECT ${credentialOfSubject("s")} FROM tracking_subjects s
      WHERE s.next_poll_at IS NOT NULL AND ${credentialOfSubject("s")} > c.name
      ORDER BY ${credentialOfSubject("s")} LIMIT 1)
    FROM credentials c WHERE c.name IS NOT NULL
  )`;

/** UN/LOCODEs of the ports where terminals may have the container of subject `s`. */
const containerPlaces = `(SELECT array_remove(ARRAY[pod.locode, destination.locode], NULL) FROM containers container
        JOIN shipments h ON h.account_id = container.account_id AND h.id = container.shipment_id
        LEFT JOIN ports pod ON pod.id = h.port_of_discharge_id
        LEFT JOIN ports destination ON destination.id = h.destination_port_id
        WHERE container.account_id = s.account_id AND container.id = s.number::uuid)`;

/** The bill of lading by which the shipment of the container of subject `s` is tracked. */
const containerBillOfLading = `(SELECT line.number FROM containers container
        JOIN shipments h ON h.account_id = container.account_id AND h.id = container.shipment_id
        JOIN tracking_subjects line ON line.account_id = h.account_id AND line.id = h.subject_id
          AND line.kind = 'bill_of_lading'
        WHERE container.account_id = s.account_id AND container.id = s.number::uuid)`;

/** Columns of a claim: of the subject `s`, with its account's active connection `c`. */
const claimColumns = `s.id, s.account_id AS "accountId", s.scac, s.kind,
      CASE s.kind
        WHEN 'terminal_container' THEN (
          SELECT container.number FROM containers container
          WHERE container.account_id = s.account_id AND container.id = s.number::uuid)
        ELSE s.number
      END AS number,
      CASE s.kind WHEN 'terminal_container' THEN ${containerPlaces} END AS places,
      CASE s.kind WHEN 'terminal_container' THEN ${containerBillOfLading} END AS "transportDocument",
      s.next_poll_at AS "nextPollAt", s.fencing, s.content_hash AS "contentHash",
      CASE WHEN c.id IS NOT NULL THEN jsonb_build_object('id', c.id, 'version', c.row_version) END AS connection`;

/** Whether subject `s` is due and not leased. */
const isClaimable = `s.next_poll_at <= :now AND (s.lease_until IS NULL OR s.lease_until < now())`;

/**
 * A loose index scan over the accounts with polled subjects of the shared credential `x.name`, in a range of account
 * ids.
 */
const accountsOfShared = (range: string): string => {
  const next = (after: string): string => `
    SELECT s.account_id FROM tracking_subjects s
    WHERE s.scac = x.name AND s.connection_id IS NULL AND s.next_poll_at IS NOT NULL AND ${after} AND ${range}
    ORDER BY s.account_id LIMIT 1`;
  return `(
    WITH RECURSIVE walk AS (
      (${next("true")})
      UNION ALL
      SELECT (${next("s.account_id > w.account_id")}) FROM walk w WHERE w.account_id IS NOT NULL)
    SELECT account_id FROM walk WHERE account_id IS NOT NULL)`;
};

/** Free places that one account of the shared credential `x.name` may take. */
const leftFor = (account: string): string => `(SELECT CASE WHEN places IS NULL THEN x.free
  ELSE GREATEST(places - COALESCE((x.in_progress ->> ${account}.account_id::text)::int, 0), 0) END FROM most)`;

/** The names of accounts' own credentials are UUIDs. Without this the subjects of a SCAC would be scanned twice. */
const isOwnConnection = "length(x.name) = 36";

/**
 * Applies the limit of each credential and serves the accounts of a shared credential round robin. The due accounts
 * after the last served one share the free places evenly, as many accounts as there are places. An own credential
 * counts as one account. While several accounts poll with a credential, each leaves a quarter of the places, at least
 * one of two, to the others: a subject of theirs need not wait until a poll of a backlog ends.
 */
const claimDue = withServiceNames(
  {
    name: "tracking.claim-due",
    text: `
    ${credentialsWithSubjects},
    places AS (
      SELECT c.name, COALESCE((:credentialLimits::jsonb ->> c.name)::int, :otherLimit) AS free,
        COALESCE((:lastAccounts::jsonb ->> c.name)::uuid, '${nilUuid}') AS last_account,
        :inProgress::jsonb -> c.name AS in_progress
      FROM credentials c
      WHERE c.name IS NOT NULL AND EXISTS (
        SELECT FROM tracking_subjects s WHERE ${credentialOfSubject("s")} = c.name AND s.next_poll_at <= :now)),
    due AS MATERIALIZED (
      SELECT d.id, d.next_poll_at, d.turn FROM places x
      CROSS JOIN LATERAL (
        (WITH most AS MATERIALIZED (
          SELECT CASE WHEN count(*) > 1
            THEN :otherLimit - ceil(:otherLimit / 4.0) * (:otherLimit > 1)::int END AS places
          FROM (SELECT FROM ${accountsOfShared("true")} polling LIMIT 2) polling),
        waiting AS MATERIALIZED (
          SELECT a.account_id, row_number() OVER () AS turn FROM (
            SELECT account_id FROM (
              SELECT * FROM ${accountsOfShared("s.account_id > x.last_account")} later
              UNION ALL
              SELECT * FROM ${accountsOfShared("s.account_id <= x.last_account")} first) accounts
            WHERE ${leftFor("accounts")} > 0 AND EXISTS (
              SELECT FROM tracking_subjects s WHERE s.scac = x.name AND s.connection_id IS NULL
                AND s.account_id = accounts.account_id AND ${isClaimable})
            LIMIT x.free) a)
        SELECT p.id, p.next_poll_at, waiting.turn FROM waiting
        CROSS JOIN LATERAL (
          SELECT s.id, s.next_poll_at FROM tracking_subjects s
          WHERE s.scac = x.name AND s.connection_id IS NULL AND s.account_id = waiting.account_id AND ${isClaimable}
          ORDER BY s.next_poll_at
          LIMIT (SELECT LEAST(ceil(x.free::numeric / count(*)), ${leftFor("waiting")}) FROM waiting all_waiting)
          FOR UPDATE SKIP LOCKED) p
        LIMIT x.free)
        UNION ALL
        (SELECT p.id, p.next_poll_at, 1 FROM (
          SELECT s.id, s.next_poll_at FROM tracking_subjects s
          WHERE ${isOwnConnection} AND ${credentialOfSubject("s")} = x.name AND ${isClaimable}
          ORDER BY s.next_poll_at LIMIT x.free FOR UPDATE SKIP LOCKED) p)) d
      ORDER BY d.turn, d.next_poll_at LIMIT :limit)
    UPDATE tracking_subjects s
    SET lease_owner = :owner, lease_until = now() + :leaseMs * interval '1 millisecond', fencing = s.fencing + 1,
      connection_id = c.id
    FROM due JOIN tracking_subjects x ON x.id = due.id
      LEFT JOIN carrier_connections c ON c.account_id = x.account_id
        AND c.scac = COALESCE(:brands::jsonb ->> x.scac, x.scac) AND c.active
    WHERE s.id = due.id
    RETURNING ${claimColumns}, due.turn`,
  },
  ["now", "owner", "leaseMs", "limit", "credentialLimits", "otherLimit", "lastAccounts", "inProgress", "brands"],
);

const asJson = (map: ReadonlyMap<string, unknown>): string =>
  JSON.stringify(map, (_key, value: unknown) => (value instanceof Map ? Object.fromEntries(value) : value));

/**
 * Claims due subjects without a lease. Accounts that share a credential are served round robin, each with its longest
 * due subjects first. The tracking clock determines what is due, the database's clock which leases have expired.
 */
export async function claimDueSubjects(sql: Sql, options: ClaimOptions): Promise<SubjectClaim[]> {
  const { credentialLimits, lastAccounts = new Map(), inProgress = new Map(), brands = new Map() } = options;
  const values = claimDue.values({
    ...options,
    credentialLimits: asJson(credentialLimits),
    lastAccounts: asJson(lastAccounts),
    inProgress: asJson(inProgress),
    brands: asJson(brands),
  });
  type Row = SubjectClaim & { readonly turn: number };
  const rows = await sql.rows<Row>(claimDue, values);
  return rows.toSorted((one, other) => one.turn - other.turn).map(({ turn: _, ...claim }) => claim);
}

const nextDue: Statement = {
  name: "tracking.next-due",
  text: `
    ${credentialsWithSubjects}
    SELECT min((SELECT s.next_poll_at FROM tracking_subjects s
      WHERE ${credentialOfSubject("s")} = c.name AND s.next_poll_at > $1 ORDER BY s.next_poll_at LIMIT 1)) AS at
    FROM credentials c WHERE c.name IS NOT NULL`,
};

/** When the next subject after `now` becomes due; null when there is none. */
export async function nextDueAt(sql: Sql, now: Instant): Promise<Instant | null> {
  return (await sql.rows<{ at: Instant | null }>(nextDue, [now]))[0]?.at ?? null;
}

const claimByIds: Statement = {
  name: "tracking.claim-given",
  text: `
    WITH requested AS (
      SELECT x.id, x.account_id, x.scac FROM tracking_subjects x
      WHERE x.account_id = $1 AND x.id = ANY($2::uuid[]) AND (x.lease_until IS NULL OR x.lease_until < now())
      ORDER BY x.id FOR NO KEY UPDATE)
    UPDATE tracking_subjects s
    SET lease_owner = $3, lease_until = now() + $4 * interval '1 millisecond', fencing = s.fencing + 1
    FROM requested x LEFT JOIN carrier_connections c ON c.account_id = x.account_id AND c.scac = x.scac AND c.active
    WHERE s.account_id = $1 AND s.id = x.id
      AND (s.lease_until IS NULL OR s.lease_until < now())
    RETURNING ${claimColumns}`,
};

/**
 * Claims subjects, due or not, to apply a push or an import. Omits those that another worker has claimed, and does not
 * lock them: its lease must stay renewable. Rows are locked in order, so that two calls with the same subjects do not
 * deadlock.
 */
export function claimSubjects(
  sql: Sql,
  accountId: string,
  subjectIds: readonly string[],
  lease: { readonly owner: string; readonly leaseMs: number },
): Promise<SubjectClaim[]> {
  return sql.rows<SubjectClaim>(claimByIds, [accountId, subjectIds, lease.owner, lease.leaseMs]);
}

const renew: Statement = {
  name: "tracking.renew-leases",
  text: `
    UPDATE tracking_subjects s SET lease_until = now() + $2 * interval '1 millisecond'
    FROM unnest($3::uuid[], $4::bigint[]) AS held(id, fencing)
    WHERE s.id = held.id AND s.fencing = held.fencing AND s.lease_owner = $1
    RETURNING s.id`,
};

/**
 * Extends the leases that this owner still holds.
 * @returns their ids; other workers have claimed the rest.
 */
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

/** Releases a claim without an outcome: the subject is due as before, or at `nextPollAt` if given. */
export async function releaseSubject(sql: Sql, claim: SubjectClaim, nextPollAt: Instant | null = null): Promise<void> {
  await sql.execute(release, [claim.accountId, claim.id, claim.fencing, nextPollAt]);
}
