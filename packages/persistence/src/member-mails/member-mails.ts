import { alertRetryDelayMs } from "@svc/domain/alerts";
import { newlyMentioned } from "@svc/domain/notes";
import type { Member } from "../members/index.ts";
import type { AccountSql, Sql, Statement } from "../sql.ts";

/** Lease of a mail, longer than a sender takes for it; then another one resends it. */
const leaseMs = 120_000;
const claimBatchMax = 10;

const insert: Statement = {
  name: "mention-mails.insert",
  text: `
    INSERT INTO mention_mails (account_id, user_id, author_user_id, subject_type, subject_id, subject_name, note,
      next_attempt_at, created_at)
    SELECT $1, user_id, $3, $4, $5, $6, $7, now(), now() FROM unnest($2::uuid[]) AS user_id`,
};

/** The change of a note. */
export interface NoteChange {
  readonly subject: { readonly type: "shipment" | "exception"; readonly id: string; readonly name: string };
  readonly before: string | null;
  readonly after: string | null;
  /** The user who changes it; null: unknown, for example an API token of a partner. */
  readonly authorUserId: string | null;
  readonly members: readonly Pick<Member, "userId" | "email" | "receivesMentionMails">[];
}

/**
 * Plans a mail to each member whom only the new text mentions and who wants it. Call it in the transaction of the
 * change.
 */
export async function planMentionMails(
  sql: AccountSql,
  accountId: string,
  { subject, before, after, authorUserId, members }: NoteChange,
): Promise<void> {
  const emails = newlyMentioned(
    before,
    after,
    members.map(({ email }) => email),
  );
  const receivers = members
    .filter(({ receivesMentionMails }) => receivesMentionMails)
    .filter(({ userId, email }) => userId !== authorUserId && emails.includes(email.toLowerCase()))
    .map(({ userId }) => userId);
  if (receivers.length === 0) return;
  await sql.execute(insert, [accountId, receivers, authorUserId, subject.type, subject.id, subject.name, after]);
}

/** Assignments within this time are one mail. */
const assignmentsWithin = "20 seconds";

const insertAssignment: Statement = {
  name: "mention-mails.insert-assignment",
  text: `
    INSERT INTO mention_mails (account_id, user_id, author_user_id, subject_type, subject_id, subject_name, note,
      exception_ids, next_attempt_at, created_at)
    VALUES ($1, $2, $3, 'exception', $4, $5, '', ARRAY[$4::uuid], now() + interval '${assignmentsWithin}', now())
    ON CONFLICT (account_id, user_id, author_user_id) WHERE exception_ids IS NOT NULL AND attempts = 0
    DO UPDATE SET exception_ids = mention_mails.exception_ids || EXCLUDED.exception_ids`,
};

/** Plans a mail to the new owner of an exception who wants it and is not the author. Call it in the transaction. */
export async function planAssignmentMail(
  sql: AccountSql,
  accountId: string,
  {
    exception,
    owner,
    authorUserId,
  }: {
    readonly exception: { readonly id: string; readonly number: string };
    readonly owner: Pick<Member, "userId" | "receivesMentionMails">;
    /** Null: unknown, as of a note. */
    readonly authorUserId: string | null;
  },
): Promise<void> {
  if (!owner.receivesMentionMails || owner.userId === authorUserId) return;
  await sql.execute(insertAssignment, [accountId, owner.userId, authorUserId, exception.id, exception.number]);
}

export interface ClaimedMemberMail {
  readonly accountId: string;
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly companyName: string;
  /** Null: an API token, or a user who was deleted. */
  readonly authorEmail: string | null;
  readonly subjectType: "shipment" | "exception";
  readonly subjectId: string;
  readonly subjectName: string;
  readonly note: string;
  /** Assigned to the member; null: a note mentions them. */
  readonly exceptionIds: readonly string[] | null;
  /** Counted from 1. */
  readonly attempt: number;
}

/** Nothing is sent to a member who was removed, or does not want these mails. */
const dropRemoved: Statement = {
  name: "mention-mails.drop-removed",
  text: `
    DELETE FROM mention_mails m WHERE m.next_attempt_at <= statement_timestamp() AND NOT EXISTS (
      SELECT FROM memberships own
      WHERE own.account_id = m.account_id AND own.user_id = m.user_id AND own.mention_mails)`,
};

/** Mails of suspended accounts wait. */
const claim: Statement = {
  name: "mention-mails.claim",
  text: `
    WITH due AS (
      SELECT m.account_id, m.id FROM mention_mails m
      JOIN accounts account ON account.id = m.account_id AND account.suspended_at IS NULL
      JOIN memberships own ON own.account_id = m.account_id AND own.user_id = m.user_id AND own.mention_mails
      WHERE m.next_attempt_at <= statement_timestamp()
      ORDER BY m.next_attempt_at LIMIT $1 FOR UPDATE OF m SKIP LOCKED),
    claimed AS (
      UPDATE mention_mails m SET attempts = m.attempts + 1,
        next_attempt_at = clock_timestamp() + $2::int * interval '1 millisecond'
      FROM due WHERE m.account_id = due.account_id AND m.id = due.id RETURNING m.*)
    SELECT m.account_id AS "accountId", m.id, m.user_id AS "userId", u.email, account.company_name AS "companyName",
      author.email AS "authorEmail", m.subject_type AS "subjectType", m.subject_id AS "subjectId",
      m.subject_name AS "subjectName", m.note, m.exception_ids AS "exceptionIds", m.attempts AS attempt
    FROM claimed m JOIN accounts account ON account.id = m.account_id JOIN users u ON u.id = m.user_id
    LEFT JOIN users author ON author.id = m.author_user_id`,
};

/** Claims due mails. Their lease ends by itself. */
export async function claimMemberMails(sql: Sql): Promise<ClaimedMemberMail[]> {
  await sql.execute(dropRemoved, []);
  return sql.rows<ClaimedMemberMail>(claim, [claimBatchMax, leaseMs]);
}

/** Writes the outcome only for the sender that has the lease: another one may have claimed it since. */
const remove: Statement = {
  name: "mention-mails.remove",
  text: "DELETE FROM mention_mails WHERE account_id = $1 AND id = $2 AND attempts = $3",
};

const postpone: Statement = {
  name: "mention-mails.postpone",
  text: `
    UPDATE mention_mails SET next_attempt_at = clock_timestamp() + $4::int * interval '1 millisecond'
    WHERE account_id = $1 AND id = $2 AND attempts = $3`,
};

/** @returns whether the mail is retried: after a failure that is not permanent, with the delays of alerts. */
export async function settleMemberMail(
  sql: Sql,
  { accountId, id, attempt }: ClaimedMemberMail,
  failure: { readonly isPermanent: boolean } | null,
): Promise<boolean> {
  const delayMs = failure === null || failure.isPermanent ? null : alertRetryDelayMs(attempt);
  if (delayMs === null) await sql.execute(remove, [accountId, id, attempt]);
  else await sql.execute(postpone, [accountId, id, attempt, delayMs]);
  return delayMs !== null;
}
