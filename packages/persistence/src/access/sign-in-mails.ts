import { alertRetryDelayMs } from "@svc/domain/alerts";
import type { Sql, Statement } from "../sql.ts";

/** A link for a lost password; a notice that the password was changed. */
export type SignInMailKind = "password_reset" | "password_changed";

/** Lease of a mail, longer than a sender takes for it; then another one resends it. */
const leaseMs = 120_000;
const claimBatchMax = 10;
/** Within half an hour: after that the user has requested another mail, or no longer waits. */
const resetAttemptsMax = 4;

export interface ClaimedSignInMail {
  readonly id: string;
  /** Address of the receiver; that of a password reset is as typed, and perhaps of no user. */
  readonly email: string;
  readonly kind: SignInMailKind;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Queues a mail, and deletes those that could not be sent for a day, so that the table does not grow. */
const insert: Statement = {
  name: "sign-in-mails.insert",
  text: `
    WITH over AS (DELETE FROM sign_in_mails WHERE next_attempt_at < now() - interval '1 day')
    INSERT INTO sign_in_mails (email, kind, next_attempt_at, created_at) VALUES ($1, $2, now(), now())`,
};

export const enqueue = async (sql: Sql, email: string, kind: SignInMailKind): Promise<void> => {
  await sql.execute(insert, [email, kind]);
};

/**
 * Requests a mail with a link for a lost password. The same work for every address: the sender looks up whether a user
 * has it, so that neither the response nor its time shows it.
 */
export const requestPasswordReset = (sql: Sql, email: string): Promise<void> => enqueue(sql, email, "password_reset");

/** Deletes password resets that a later request for the address supersedes: its link ends the others. */
const dropSuperseded: Statement = {
  name: "sign-in-mails.drop-superseded",
  text: `
    DELETE FROM sign_in_mails old USING sign_in_mails new
    WHERE old.kind = 'password_reset' AND new.kind = old.kind AND lower(new.email) = lower(old.email)
      AND (new.created_at, new.id) > (old.created_at, old.id) AND old.next_attempt_at <= statement_timestamp()`,
};

const claim: Statement = {
  name: "sign-in-mails.claim",
  text: `
    WITH due AS (
      SELECT id FROM sign_in_mails WHERE next_attempt_at <= statement_timestamp()
      ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
    UPDATE sign_in_mails m SET attempts = m.attempts + 1,
      next_attempt_at = clock_timestamp() + $2::int * interval '1 millisecond'
    FROM due WHERE m.id = due.id RETURNING m.id, m.email, m.kind, m.attempts AS attempt`,
};

/** Claims due mails. Their lease ends by itself. */
export async function claimSignInMails(sql: Sql): Promise<ClaimedSignInMail[]> {
  await sql.execute(dropSuperseded, []);
  return sql.rows<ClaimedSignInMail>(claim, [claimBatchMax, leaseMs]);
}

/** Writes the outcome only for the sender that has the lease: another one may have claimed it since. */
const remove: Statement = {
  name: "sign-in-mails.remove",
  text: "DELETE FROM sign_in_mails WHERE id = $1 AND attempts = $2",
};

const postpone: Statement = {
  name: "sign-in-mails.postpone",
  text: `
    UPDATE sign_in_mails SET next_attempt_at = clock_timestamp() + $3::int * interval '1 millisecond'
    WHERE id = $1 AND attempts = $2`,
};

/** @returns whether the mail is retried: after a failure that is not permanent, with the delays of alerts. */
export async function settleSignInMail(
  sql: Sql,
  { id, kind, attempt }: ClaimedSignInMail,
  failure: { readonly isPermanent: boolean } | null,
): Promise<boolean> {
  const isLast = kind === "password_reset" && attempt >= resetAttemptsMax;
  const delayMs = failure === null || failure.isPermanent || isLast ? null : alertRetryDelayMs(attempt);
  if (delayMs === null) await sql.execute(remove, [id, attempt]);
  else await sql.execute(postpone, [id, attempt, delayMs]);
  return delayMs !== null;
}
