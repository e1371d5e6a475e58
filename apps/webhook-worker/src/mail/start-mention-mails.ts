import type { Database } from "@svc/persistence";
import { type ClaimedMentionMail, claimMentionMails, settleMentionMail } from "@svc/persistence/mentions";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { Mailer } from "./mailer.ts";
import { mentionMail } from "./mention-mail.ts";

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

/** Sends the mails to members whom notes mention. Several processes may run it: a mail is leased while it is sent. */
export function startMentionMails(options: MentionMailsOptions): { stop(): Promise<void> } {
  const { database, mailer, appUrl, logger, watched, everyMs = sentEveryMs } = options;
  let isStopping = false;

  const sendOne = async (mail: ClaimedMentionMail): Promise<void> => {
    const problem = await mailer.send({ id: mail.id, to: mail.email, ...mentionMail(mail, appUrl) });
    const isRepeated = await settleMentionMail(database.sql, mail, problem);
    const fields = { account_id: mail.accountId, mail_id: mail.id, attempt: mail.attempt };
    if (problem === null) logger.info(fields, "mention_mail.attempted");
    else
      logger.warn(
        { ...fields, is_repeated: isRepeated, problem: problem.text, err: problem.cause },
        "mention_mail.attempted",
      );
  };

  const sendDue = async (): Promise<void> => {
    while (!isStopping) {
      const claimed = await claimMentionMails(database.sql);
      if (claimed.length === 0) return;
      // One whose outcome could not be stored is repeated when its lease ends.
      await Promise.all(
        claimed.map((mail) =>
          sendOne(mail).catch((error) => logger.error({ err: error, mail_id: mail.id }, "mention_mail.not_recorded")),
        ),
      );
      watched?.step();
    }
  };

  const repetition = repeat(
    everyMs,
    sendDue,
    (error) => logger.warn({ err: error }, "mention_mails.not_sent"),
    watched,
  );
  return {
    async stop() {
      isStopping = true;
      await repetition.stop();
    },
  };
}
