import type { Instant } from "@svc/domain";
import { firstRow, type Sql, type Statement } from "../sql.ts";

export type EdiSourceKind = "sftp" | "mail";

/** A source that this worker may poll until its lease ends. */
export interface EdiSourceClaim {
  readonly name: string;
  readonly fencing: number;
  /** State that earlier polls saved, by name. */
  readonly state: Readonly<Record<string, unknown>>;
}

export interface EdiSourceError {
  readonly code: string;
  /** Problem and what to do, without secrets. */
  readonly detail: string;
}

const claim: Statement = {
  name: "edi-sources.claim",
  text: `
    INSERT INTO edi_sources AS s (name, kind, host, next_poll_at, lease_until)
    VALUES ($1, $2, $3, now(), now() + $4 * interval '1 millisecond')
    ON CONFLICT (name) DO UPDATE SET kind = EXCLUDED.kind, host = EXCLUDED.host, lease_until = EXCLUDED.lease_until,
      fencing = s.fencing + 1, state = CASE WHEN s.kind = EXCLUDED.kind THEN s.state ELSE '{}' END
      WHERE s.next_poll_at <= now() AND (s.lease_until IS NULL OR s.lease_until < now())
    RETURNING name, fencing, state`,
};

/** Claims a source that is due. Null: it is not due, or another worker polls it. */
export function claimEdiSource(
  sql: Sql,
  { name, kind, host }: { readonly name: string; readonly kind: EdiSourceKind; readonly host: string },
  leaseMs: number,
): Promise<EdiSourceClaim | null> {
  return firstRow(sql.rows<EdiSourceClaim>(claim, [name, kind, host, leaseMs]));
}

const save: Statement = {
  name: "edi-sources.save",
  text: `
    UPDATE edi_sources SET state = state || $3::jsonb, received_count = received_count + $4,
      lease_until = now() + $5 * interval '1 millisecond'
    WHERE name = $1 AND fencing = $2 AND lease_until IS NOT NULL`,
};

/**
 * Records files that were stored, and extends the lease.
 * @returns false: another worker has claimed the source.
 */
export async function saveEdiSource(
  sql: Sql,
  { name, fencing }: EdiSourceClaim,
  progress: { readonly state: EdiSourceClaim["state"]; readonly received: number; readonly leaseMs: number },
): Promise<boolean> {
  const { state, received, leaseMs } = progress;
  return (await sql.execute(save, [name, fencing, JSON.stringify(state), received, leaseMs])) > 0;
}

const settle: Statement = {
  name: "edi-sources.settle",
  text: `
    UPDATE edi_sources SET lease_until = NULL, next_poll_at = now() + $3 * interval '1 millisecond',
      last_attempted_at = now(), error_code = $4, error_detail = $5, state = COALESCE($6::jsonb, state),
      last_succeeded_at = CASE WHEN $4::text IS NULL THEN now() ELSE last_succeeded_at END,
      failing_since = CASE WHEN $4::text IS NOT NULL THEN COALESCE(failing_since, now()) END
    WHERE name = $1 AND fencing = $2`,
};

/** Records the outcome of a poll and ends the claim. `state`: null leaves it as it was saved. */
export async function settleEdiSource(
  sql: Sql,
  { name, fencing }: EdiSourceClaim,
  outcome: {
    readonly nextPollInMs: number;
    readonly error: EdiSourceError | null;
    readonly state: EdiSourceClaim["state"] | null;
  },
): Promise<void> {
  const { nextPollInMs, error, state } = outcome;
  const stateJson = state === null ? null : JSON.stringify(state);
  await sql.execute(settle, [name, fencing, nextPollInMs, error?.code ?? null, error?.detail ?? null, stateJson]);
}

/** A source as the operator sees it. */
export interface EdiSourceRow {
  readonly name: string;
  readonly kind: EdiSourceKind;
  readonly host: string;
  readonly lastAttemptedAt: Instant | null;
  readonly lastSucceededAt: Instant | null;
  readonly failingSince: Instant | null;
  readonly errorCode: string | null;
  readonly errorDetail: string | null;
  /** Files that were stored, or rejected because of their size. */
  readonly receivedCount: number;
  readonly nextPollAt: Instant;
}

const list: Statement = {
  name: "edi-sources.list",
  text: `
    SELECT name, kind, host, last_attempted_at AS "lastAttemptedAt", last_succeeded_at AS "lastSucceededAt",
      failing_since AS "failingSince", error_code AS "errorCode", error_detail AS "errorDetail",
      received_count AS "receivedCount", next_poll_at AS "nextPollAt"
    FROM edi_sources ORDER BY name`,
};

/** Every source that was polled. */
export function listEdiSources(sql: Sql): Promise<EdiSourceRow[]> {
  return sql.rows<EdiSourceRow>(list, []);
}
