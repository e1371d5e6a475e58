import type { Database } from "@svc/persistence";
import { claimMentionMails, settleMentionMail } from "@svc/persistence/mentions";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import type { Mailer } from "./mailer.ts";
import { mentionMail } from "./mention-mail.ts";
import { sendClaimedMails } from "./send-claimed-mails.ts";

/** Real time. */
const sentEveryMs = 5_000;

export interface MentionMailsOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** Of the web application, without a slash at its end. */
  readonly appUrl: string;
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
  /** Default 5 s. */
  readonly everyMs?: number;
}

/** Sends the mails to members whom notes mention. */
export function startMentionMails(options: MentionMailsOptions): { stop(): Promise<void> } {
  const { database, mailer, appUrl, logger, watched, everyMs = sentEveryMs } = options;
  return sendClaimedMails({
    ...{ name: "mention_mail", everyMs, logger, watched },
    claim: () => claimMentionMails(database.sql),
    send: (mail) => mailer.send({ id: mail.id, to: mail.email, ...mentionMail(mail, appUrl) }),
    settle: (mail, problem) => settleMentionMail(database.sql, mail, problem),
    fieldsOf: ({ accountId }) => ({ account_id: accountId }),
  });
}
