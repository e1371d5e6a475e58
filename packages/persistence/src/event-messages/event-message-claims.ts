import type { Instant } from "@svc/domain";
import { withNames } from "../named-parameters.ts";
import type { Sql, Statement } from "../sql.ts";
import type { EventMessageState } from "./event-message-store.ts";

/**
 * A message that this worker may process until its lease ends. `attempts` fences it: a later claim has a higher number.
 */
export interface ClaimedMessage {
  readonly accountId: string;
  readonly id: string;
  readonly channel: "push" | "import" | "edi";
  readonly scac: string;
  readonly form: "json" | "csv" | "edi";
  readonly body: Buffer;
  readonly receivedAt: Instant;
  readonly attempts: number;
}

const claimColumns = `m.account_id AS "accountId", m.id, m.channel, m.scac, m.form, m.body,
  m.received_at AS "receivedAt", m.attempts`;

/** Due times are rounded to milliseconds, so that "now" may be stored as up to half a millisecond later. */
const dueBy = "now() + interval '1 millisecond'";

/**
 * Later messages of the account wait for the first tries of one that fails, so that their order is kept through a short
 * failure; afterwards they overtake it.
 */
const orderedAttempts = 4;

/**
 * A loose index scan over the accounts with waiting messages, then of each that has none claimed the due message that
 * was received first.
 * When another worker is claiming the oldest one at the same time, the account is skipped.
 */
const claim: Statement = {
  name: "event-messages.claim",
  text: `
    WITH RECURSIVE accounts AS (
      (SELECT account_id FROM event_messages WHERE due_at IS NOT NULL ORDER BY account_id LIMIT 1)
      UNION ALL
      SELECT (SELECT next.account_id FROM event_messages next
        WHERE next.due_at IS NOT NULL AND next.account_id > a.account_id ORDER BY next.account_id LIMIT 1)
      FROM accounts a WHERE a.account_id IS NOT NULL),
    oldest AS MATERIALIZED (
      SELECT head.account_id, head.id FROM accounts a
      CROSS JOIN LATERAL (
        SELECT d.account_id, d.id FROM event_messages d WHERE d.account_id = a.account_id AND d.due_at <= ${dueBy}
          AND d.id = (SELECT first.id FROM event_messages first WHERE first.account_id = a.account_id
            AND first.due_at <= ${dueBy} ORDER BY first.id LIMIT 1)
          AND NOT EXISTS (SELECT FROM event_messages failed WHERE failed.account_id = a.account_id
            AND failed.id < d.id AND failed.due_at > ${dueBy} AND failed.attempts <= ${orderedAttempts})
        FOR UPDATE SKIP LOCKED) head
      WHERE a.account_id <> ALL ($3::uuid[]) AND NOT EXISTS (
        SELECT FROM event_messages c WHERE c.account_id = a.account_id AND c.due_at IS NOT NULL
          AND c.claimed_until > now())
      ORDER BY a.account_id <= $4, a.account_id LIMIT $2)
    UPDATE event_messages m SET due_at = now() + $1 * interval '1 millisecond',
      claimed_until = now() + $1 * interval '1 millisecond', attempts = attempts + 1
    FROM oldest WHERE m.account_id = oldest.account_id AND m.id = oldest.id
    RETURNING ${claimColumns}`,
};

export interface MessageClaimOptions {
  readonly leaseMs: number;
  readonly limit: number;
  /** Accounts with a message in progress here: at most one message of an account is claimed, over all workers. */
  readonly busyAccounts: readonly string[];
  /** The account that was served last: those after it are served first (round robin). */
  readonly afterAccount: string;
}

/** Claims the oldest due message of each account, round robin. A claimed message is due again when its lease ends. */
export function claimEventMessages(sql: Sql, options: MessageClaimOptions): Promise<ClaimedMessage[]> {
  const { leaseMs, limit, busyAccounts, afterAccount } = options;
  return sql.rows<ClaimedMessage>(claim, [leaseMs, limit, busyAccounts, afterAccount]);
}

const renew: Statement = {
  name: "event-messages.renew",
  text: `
    UPDATE event_messages m SET due_at = now() + $1 * interval '1 millisecond',
      claimed_until = now() + $1 * interval '1 millisecond'
    FROM unnest($2::uuid[], $3::uuid[], $4::int[]) AS held(account_id, id, attempts)
    WHERE m.account_id = held.account_id AND m.id = held.id AND m.attempts = held.attempts AND m.due_at IS NOT NULL
    RETURNING m.id`,
};

/** Extends the leases. @returns the ids of the messages that are still claimed by these claims. */
export async function renewMessageLeases(
  sql: Sql,
  messages: readonly ClaimedMessage[],
  leaseMs: number,
): Promise<ReadonlySet<string>> {
  const accountIds = messages.map(({ accountId }) => accountId);
  const ids = messages.map(({ id }) => id);
  const attempts = messages.map((message) => message.attempts);
  const rows = await sql.rows<{ id: string }>(renew, [leaseMs, accountIds, ids, attempts]);
  return new Set(rows.map(({ id }) => id));
}

const release: Statement = {
  name: "event-messages.release",
  text: `UPDATE event_messages SET due_at = now() + $4 * interval '1 millisecond', claimed_until = NULL
    WHERE account_id = $1 AND id = $2 AND attempts = $3 AND due_at IS NOT NULL`,
};

/** Ends the claim of a message that was not processed: it is due again after `delayMs`. */
export async function releaseEventMessage(
  sql: Sql,
  { accountId, id, attempts }: ClaimedMessage,
  delayMs: number,
): Promise<void> {
  await sql.execute(release, [accountId, id, attempts, delayMs]);
}

const finish = withNames(
  {
    name: "event-messages.finish",
    text: `
    UPDATE event_messages SET due_at = NULL, claimed_until = NULL, event_count = :events, applied_count = :applied,
      inactive_count = :inactive, unknown_count = :unknown, skipped_count = :skipped,
      new_fact_count = new_fact_count + :newFacts, unapplied_rows = :unappliedRows
    WHERE account_id = :accountId AND id = :id AND attempts = :attempts`,
  },
  ["id", "attempts", "events", "applied", "inactive", "unknown", "skipped", "newFacts", "unappliedRows"],
);

/** Records the result and ends the claim. Nothing is written when another worker has claimed the message since. */
export async function finishEventMessage(
  sql: Sql,
  { accountId, id, attempts }: ClaimedMessage,
  result: Omit<EventMessageState, "id" | "receivedAt" | "isProcessed">,
): Promise<void> {
  await sql.execute(finish, finish.values({ ...result, accountId, id, attempts }));
}
