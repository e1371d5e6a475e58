import type { Database } from "@svc/persistence";
import {
  type ClaimedSignInMail,
  claimSignInMails,
  createPasswordReset,
  settleSignInMail,
} from "@svc/persistence/access";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { Mailer, SendingProblem } from "./mailer.ts";
import { passwordChangedMail, passwordResetMail } from "./sign-in-mail.ts";

/** Real time. A person waits for the mail. */
const sentEveryMs = 2_000;

export interface SignInMailsOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** Of the web application, without a slash at its end. */
  readonly appUrl: string;
  readonly logger: Logger;
  readonly watched?: WatchedLoop;
  /** Default 2 s. */
  readonly everyMs?: number;
}

/**
 * Sends the mails about the sign-in. The secret of a link exists here only: its hash is stored just before it is sent,
 * and each attempt makes a new one.
 */
export function startSignInMails(options: SignInMailsOptions): { stop(): Promise<void> } {
  const { database, mailer, appUrl, logger, watched, everyMs = sentEveryMs } = options;
  let isStopping = false;

  /** @returns null when it is sent, or when no user has the address. */
  const send = async ({ id, kind, email }: ClaimedSignInMail): Promise<SendingProblem | null> => {
    if (kind === "password_changed") return mailer.send({ id, to: email, ...passwordChangedMail(email, appUrl) });
    const reset = await createPasswordReset(database.sql, email);
    if (!reset) return null;
    // To the stored address: another spelling of it may be of another mailbox.
    return mailer.send({ id, to: reset.email, ...passwordResetMail(reset.email, `${appUrl}${reset.path}`) });
  };

  const sendOne = async (mail: ClaimedSignInMail): Promise<void> => {
    const problem = await send(mail);
    const isRepeated = await settleSignInMail(database.sql, mail, problem);
    const fields = { mail_id: mail.id, kind: mail.kind, attempt: mail.attempt };
    if (problem === null) logger.info(fields, "sign_in_mail.attempted");
    else
      logger.warn(
        { ...fields, is_repeated: isRepeated, problem: problem.text, err: problem.cause },
        "sign_in_mail.attempted",
      );
  };

  const sendDue = async (): Promise<void> => {
    while (!isStopping) {
      const claimed = await claimSignInMails(database.sql);
      if (claimed.length === 0) return;
      // One whose outcome could not be stored is repeated when its lease ends.
      await Promise.all(
        claimed.map((mail) =>
          sendOne(mail).catch((error) => logger.error({ err: error, mail_id: mail.id }, "sign_in_mail.not_recorded")),
        ),
      );
      watched?.step();
    }
  };

  const repetition = repeat(
    everyMs,
    sendDue,
    (error) => logger.warn({ err: error }, "sign_in_mails.not_sent"),
    watched,
  );
  return {
    async stop() {
      isStopping = true;
      await repetition.stop();
    },
  };
}
