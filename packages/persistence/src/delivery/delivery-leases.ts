import { attemptsMax, type Instant } from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

/** One claimed notification. */
export interface HeldDelivery {
  readonly accountId: string;
  readonly notificationId: string;
  readonly claimId: string;
}

/** Skips rows that another statement holds at this moment, so that it never waits for one and cannot deadlock. */
const renew: Statement = {
  name: "delivery.renew-leases",
  text: `
    UPDATE webhook_notifications n SET lease_until = now() + $4 * interval '1 millisecond'
      FROM (
        SELECT n.account_id, n.id
          FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS held (account_id, id, claim_id)
          JOIN webhook_notifications n ON n.account_id = held.account_id AND n.id = held.id
         WHERE n.claim_id = held.claim_id AND (n.attempt_started_at IS NOT NULL) = $5
           FOR UPDATE OF n SKIP LOCKED) held
     WHERE n.account_id = held.account_id AND n.id = held.id
    RETURNING n.id`,
};

const release: Statement = {
  name: "delivery.release",
  text: `
    UPDATE webhook_notifications n SET claim_id = NULL, lease_until = NULL
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS held (account_id, id, claim_id)
     WHERE n.account_id = held.account_id AND n.id = held.id
       AND n.claim_id = held.claim_id AND n.attempt_started_at IS NULL`,
};

const ended: Statement = {
  name: "delivery.ended-leases",
  text: `
    SELECT account_id, id, webhook_id, attempt_count, attempt_started_at FROM webhook_notifications
     WHERE claim_id IS NOT NULL AND lease_until < now()
     LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/**
 * What was only queued is due as before. What had been begun may or may not have reached its receiver: the attempt is
 * logged as unknown and the notification is due at once, unless that was its last attempt.
 */
const giveBack: Statement = {
  name: "delivery.give-back",
  text: `
    WITH lost AS (
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS lost (account_id, id, attempt_id)),
    logged AS (
      INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome,
                                    error_class, error_detail, url, request_headers, next_attempt_at)
      SELECT n.account_id, lost.attempt_id, n.id, n.webhook_id, n.attempt_count, n.attempt_started_at, 'unknown',
             'worker_lost', 'The sending process ended before it could say what came of the request.',
             COALESCE(w.url, ''), '{}', CASE WHEN n.attempt_count - n.attempts_before < $4 THEN now() END
        FROM lost JOIN webhook_notifications n ON n.account_id = lost.account_id AND n.id = lost.id
        LEFT JOIN webhooks w ON w.account_id = n.account_id AND w.id = n.webhook_id
       WHERE n.attempt_started_at IS NOT NULL
          ON CONFLICT DO NOTHING)
    UPDATE webhook_notifications n
       SET claim_id = NULL, lease_until = NULL, attempt_started_at = NULL,
           delivery_status = CASE WHEN n.attempt_started_at IS NULL OR n.attempt_count - n.attempts_before < $4
                                  THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN n.attempt_started_at IS NULL THEN n.next_attempt_at
                                  WHEN n.attempt_count - n.attempts_before < $4 THEN now() END
      FROM lost WHERE n.account_id = lost.account_id AND n.id = lost.id`,
};

const sweptMax = 1_000;

/**
 * Extends leases.
 * @param begun true for requests under way, false for rows that only wait in the queue.
 * @returns the ids of those that are still ours and in that state.
 */
export async function renewLeases(
  sql: Sql,
  held: readonly HeldDelivery[],
  leaseMs: number,
  begun: boolean,
): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<{ id: string }>(renew, [...columns(held), leaseMs, begun]);
  return new Set(rows.map((row) => row.id));
}

/** Hands back claims whose request was not begun; they are due as before. */
export async function releaseClaims(sql: Sql, held: readonly HeldDelivery[]): Promise<void> {
  await sql.execute(release, columns(held));
}

function columns(held: readonly HeldDelivery[]): [string[], string[], string[]] {
  return [held.map((one) => one.accountId), held.map((one) => one.notificationId), held.map((one) => one.claimId)];
}

interface EndedRow {
  account_id: string;
  id: string;
  attempt_started_at: Instant | null;
}

export interface SweptLeases {
  /** Claims that were never begun. */
  readonly queued: number;
  /** Attempts whose outcome nobody will report. */
  readonly lost: number;
}

/** Makes what a vanished process or queue held due again. */
export function sweepEndedLeases(database: Database): Promise<SweptLeases> {
  return database.transaction(async (sql) => {
    const rows = await sql.rows<EndedRow>(ended, [sweptMax]);
    if (rows.length === 0) return { queued: 0, lost: 0 };
    await sql.execute(giveBack, [
      rows.map((row) => row.account_id),
      rows.map((row) => row.id),
      rows.map(() => uuidV7.next()),
      attemptsMax,
    ]);
    const lost = rows.filter((row) => row.attempt_started_at !== null).length;
    return { queued: rows.length - lost, lost };
  });
}
