import { attemptsMax, slowAnswerMs } from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import type { Sql, Statement } from "../sql.ts";

export interface HeldClaim {
  readonly accountId: string;
  readonly claimId: string;
}

/** A claim whose requests are under way, with those that are not settled yet. */
export interface BegunClaim extends HeldClaim {
  readonly notificationIds: readonly string[];
}

/** Skips rows that another statement holds at this moment, so that it never waits for one and cannot deadlock. */
const renewQueued: Statement = {
  name: "delivery.renew-queued",
  text: `
    UPDATE webhook_claims c SET lease_until = now() + $3 * interval '1 millisecond'
      FROM (
        SELECT c.account_id, c.id FROM unnest($1::uuid[], $2::uuid[]) AS held (account_id, id)
          JOIN webhook_claims c USING (account_id, id)
         WHERE c.begun_at IS NULL FOR UPDATE OF c SKIP LOCKED) held
     WHERE c.account_id = held.account_id AND c.id = held.id
    RETURNING c.id`,
};

const stillQueued: Statement = {
  name: "delivery.still-queued",
  text: `
    SELECT c.id FROM unnest($1::uuid[], $2::uuid[]) AS held (account_id, id)
      JOIN webhook_claims c USING (account_id, id) WHERE c.begun_at IS NULL`,
};

/**
 * What is settled no longer counts against the limit of its webhook. One that keeps requests waiting is slow from now on,
 * not only when they have run into their time limit: until then it would get places among those that answer.
 */
const renewBegun: Statement = {
  name: "delivery.renew-begun",
  text: `
    WITH renewed AS (
      UPDATE webhook_claims c
         SET lease_until = now() + $2 * interval '1 millisecond', notification_ids = held.notification_ids
        FROM (
          SELECT c.account_id, c.id, held.notification_ids
            FROM json_to_recordset($1::json) AS held (account_id uuid, id uuid, notification_ids uuid[])
            JOIN webhook_claims c USING (account_id, id)
           WHERE c.begun_at IS NOT NULL FOR UPDATE OF c SKIP LOCKED) held
       WHERE c.account_id = held.account_id AND c.id = held.id
      RETURNING c.account_id, c.id, c.webhook_id, c.begun_at),
    slowed AS (
      UPDATE webhooks w SET slow = true
        FROM (
          SELECT w.account_id, w.id FROM webhooks w
           WHERE NOT w.slow AND (w.account_id, w.id) IN (
             SELECT account_id, webhook_id FROM renewed WHERE begun_at < now() - $3 * interval '1 millisecond')
             FOR NO KEY UPDATE OF w SKIP LOCKED) late
       WHERE w.account_id = late.account_id AND w.id = late.id)
    SELECT id FROM renewed`,
};

/** Begun ones belong to who began them. */
const release: Statement = {
  name: "delivery.release",
  text: `
    WITH released AS (
      DELETE FROM webhook_claims c USING unnest($1::uuid[], $2::uuid[]) AS held (account_id, id)
       WHERE c.account_id = held.account_id AND c.id = held.id AND c.begun_at IS NULL
      RETURNING c.account_id, c.id, c.notification_ids)
    UPDATE webhook_deliveries d SET claim_id = NULL, again = false,
           attempts_before = CASE WHEN d.again THEN d.attempt_count ELSE d.attempts_before END
      FROM released CROSS JOIN unnest(released.notification_ids) AS claimed (id)
     WHERE d.account_id = released.account_id AND d.notification_id = claimed.id AND d.claim_id = released.id`,
};

const ended: Statement = {
  name: "delivery.ended-leases",
  text: `
    SELECT account_id, id, notification_ids FROM webhook_claims WHERE lease_until < now() LIMIT $1 FOR UPDATE SKIP LOCKED`,
};

/**
 * What was only queued is due as before. What had been begun may or may not have reached its receiver: the attempt is
 * logged as unknown, and the notification is due as before, ahead of what became due later, unless that was its last attempt.
 */
const giveBack: Statement = {
  name: "delivery.give-back",
  text: `
    WITH ended AS (
      DELETE FROM webhook_claims c USING unnest($1::uuid[], $2::uuid[]) AS ended (account_id, id)
       WHERE c.account_id = ended.account_id AND c.id = ended.id
      RETURNING c.account_id, c.id, c.begun_at),
    lost AS (
      SELECT ended.account_id, ended.id AS claim_id, ended.begun_at, lost.notification_id, lost.attempt_id
        FROM unnest($3::uuid[], $4::uuid[], $5::uuid[]) AS lost (claim_id, notification_id, attempt_id)
        JOIN ended ON ended.id = lost.claim_id),
    logged AS (
      INSERT INTO webhook_attempts (account_id, id, notification_id, webhook_id, attempt_number, started_at, outcome,
                                    error_class, error_detail, url, request_headers, next_attempt_at)
      SELECT d.account_id, lost.attempt_id, d.notification_id, d.webhook_id, d.attempt_count + 1, lost.begun_at, 'unknown',
             'worker_lost', 'The sending process ended before it could say what came of the request.',
             COALESCE(w.url, ''), '{}', CASE WHEN d.attempt_count + 1 - d.attempts_before < $6 THEN now() END
        FROM lost JOIN webhook_deliveries d USING (account_id, notification_id, claim_id)
        LEFT JOIN webhooks w ON w.account_id = d.account_id AND w.id = d.webhook_id
       WHERE lost.begun_at IS NOT NULL
          ON CONFLICT DO NOTHING)
    UPDATE webhook_deliveries d
       SET claim_id = NULL,
           attempt_count = CASE WHEN lost.begun_at IS NULL THEN d.attempt_count ELSE d.attempt_count + 1 END,
           delivery_status = CASE WHEN lost.begun_at IS NULL OR d.again OR d.attempt_count + 1 - d.attempts_before < $6
                                  THEN 'pending' ELSE 'failed' END,
           next_attempt_at = CASE WHEN lost.begun_at IS NULL OR d.again OR d.attempt_count + 1 - d.attempts_before < $6
                                  THEN d.next_attempt_at END,
           attempts_before = CASE WHEN d.again THEN d.attempt_count + CASE WHEN lost.begun_at IS NULL THEN 0 ELSE 1 END
                                  ELSE d.attempts_before END,
           again = false
      FROM lost
     WHERE d.account_id = lost.account_id AND d.notification_id = lost.notification_id AND d.claim_id = lost.claim_id
    RETURNING lost.begun_at IS NOT NULL AS begun`,
};

const sweptMax = 500;

const columns = (held: readonly HeldClaim[]): [string[], string[]] => [
  held.map(({ accountId }) => accountId),
  held.map(({ claimId }) => claimId),
];

/** Extends the leases of claims that wait in the queue. @returns the ids of those that still do. */
export async function renewQueuedClaims(
  sql: Sql,
  held: readonly HeldClaim[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<{ id: string }>(renewQueued, [...columns(held), leaseMs]);
  return new Set(rows.map((row) => row.id));
}

/** @returns the ids of those that nobody has begun, and that are not lost. */
export async function findQueuedClaims(sql: Sql, held: readonly HeldClaim[]): Promise<ReadonlySet<string>> {
  const rows = await sql.rows<{ id: string }>(stillQueued, columns(held));
  return new Set(rows.map((row) => row.id));
}

/** Extends the leases of claims whose requests are under way, and tells slow webhooks by them. @returns the ids of those that are still ours. */
export async function renewBegunClaims(
  sql: Sql,
  held: readonly BegunClaim[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const records = held.map(({ accountId, claimId, notificationIds }) => ({
    account_id: accountId,
    id: claimId,
    notification_ids: notificationIds,
  }));
  const rows = await sql.rows<{ id: string }>(renewBegun, [JSON.stringify(records), leaseMs, slowAnswerMs]);
  return new Set(rows.map((row) => row.id));
}

/** Hands back claims whose requests were not begun; their deliveries are due as before. */
export async function releaseClaims(sql: Sql, held: readonly HeldClaim[]): Promise<void> {
  await sql.execute(release, columns(held));
}

interface EndedRow {
  account_id: string;
  id: string;
  notification_ids: string[];
}

export interface SweptLeases {
  /** Deliveries that were never begun. */
  readonly queued: number;
  /** Attempts whose outcome nobody will report. */
  readonly lost: number;
  /** Others may have ended too. */
  readonly more: boolean;
}

/** Makes what a vanished process or queue held due again, up to 500 claims of it. */
export function sweepEndedLeases(database: Database): Promise<SweptLeases> {
  return database.transaction(async (sql) => {
    const rows = await sql.rows<EndedRow>(ended, [sweptMax]);
    if (rows.length === 0) return { queued: 0, lost: 0, more: false };
    const deliveries = rows.flatMap(({ id, notification_ids }) =>
      notification_ids.map((notificationId) => ({ claimId: id, notificationId })),
    );
    // What its holder had settled since it said last what is left is not among them.
    const given = await sql.rows<{ begun: boolean }>(giveBack, [
      rows.map((row) => row.account_id),
      rows.map((row) => row.id),
      deliveries.map(({ claimId }) => claimId),
      deliveries.map(({ notificationId }) => notificationId),
      deliveries.map(() => uuidV7.next()),
      attemptsMax,
    ]);
    const lost = given.filter(({ begun }) => begun).length;
    return { queued: given.length - lost, lost, more: rows.length === sweptMax };
  });
}
