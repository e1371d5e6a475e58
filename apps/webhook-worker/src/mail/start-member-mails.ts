import type { Database } from "@svc/persistence";
import { readAssignedEntries } from "@svc/persistence/alerts";
import { type ClaimedMemberMail, claimMemberMails, settleMemberMail } from "@svc/persistence/member-mails";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import type { MailMetric } from "../metrics.ts";
import { assignmentMail } from "./assignment-mail.ts";
import type { Mailer } from "./mailer.ts";
import { mentionMail } from "./mention-mail.ts";
import { startMails } from "./start-mails.ts";

/** Real time. */
const sentEveryMs = 5_000;

export interface MemberMailsOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** URL of the web application, without a slash at its end. */
  readonly appUrl: string;
  readonly logger: Logger;
  readonly onSettled: MailMetric;
  readonly watched?: WatchedLoop;
  /** Default 5 s. */
  readonly everyMs?: number;
}

/** Sends the mails to members whom notes mention, and to whom exceptions were assigned. */
export function startMemberMails(options: MemberMailsOptions): { stop(): Promise<void> } {
  const { database, mailer, appUrl, logger, onSettled, watched, everyMs = sentEveryMs } = options;

  /** Null: the member has none of the exceptions any more. */
  const compose = async (mail: ClaimedMemberMail) => {
    const { exceptionIds } = mail;
    if (exceptionIds === null) return mentionMail(mail, appUrl);
    const entries = await readAssignedEntries(database.sql, { ...mail, exceptionIds });
    return entries.length === 0 ? null : assignmentMail(mail, entries, appUrl);
  };

  return startMails({
    events: {
      attempted: "mention_mail.attempted",
      notRecorded: "mention_mail.not_recorded",
      notSent: "mention_mails.not_sent",
    },
    everyMs,
    logger,
    watched,
    claim: () => claimMemberMails(database.sql),
    send: async (mail) => {
      const composed = await compose(mail);
      return composed && mailer.send({ id: mail.id, to: mail.email, ...composed });
    },
    settle: (mail, failure) => settleMemberMail(database.sql, mail, failure),
    kindOf: ({ exceptionIds }) => (exceptionIds === null ? "mention" : "assignment"),
    onSettled,
    fieldsOf: ({ accountId }) => ({ account_id: accountId }),
  });
}
