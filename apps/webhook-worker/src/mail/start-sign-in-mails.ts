import type { Database } from "@svc/persistence";
import {
  type ClaimedSignInMail,
  claimSignInMails,
  createPasswordReset,
  settleSignInMail,
} from "@svc/persistence/access";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import type { MailMetric } from "../metrics.ts";
import type { Mailer } from "./mailer.ts";
import type { SendFailure } from "./send-failure.ts";
import { passwordChangedMail, passwordResetMail } from "./sign-in-mail.ts";
import { startMails } from "./start-mails.ts";

/** Real time. A person waits for the mail. */
const sentEveryMs = 2_000;

export interface SignInMailsOptions {
  readonly database: Database;
  readonly mailer: Mailer;
  /** URL of the web application, without a slash at its end. */
  readonly appUrl: string;
  readonly logger: Logger;
  readonly onSettled: MailMetric;
  readonly watched?: WatchedLoop;
  /** Default 2 s. */
  readonly everyMs?: number;
}

/**
 * Sends the mails about the sign-in. The secret of a link exists here only: its hash is stored just before it is sent,
 * and each attempt makes a new one.
 */
export function startSignInMails(options: SignInMailsOptions): { stop(): Promise<void> } {
  const { database, mailer, appUrl, logger, onSettled, watched, everyMs = sentEveryMs } = options;
  /** @returns null when it is sent, or when no user has the address. */
  const send = async ({ id, kind, email, attempt }: ClaimedSignInMail): Promise<SendFailure | null> => {
    if (kind === "password_changed") return mailer.send({ id, to: email, ...passwordChangedMail(email, appUrl) });
    const reset = await createPasswordReset(database.sql, email);
    if (!reset) return null;
    // The recipient is the stored address: another spelling of it may be of another mailbox.
    // A mailbox shows one of the mails with the same Message-ID: the link of each attempt ends the one before it.
    return mailer.send({
      id: `${id}.${attempt}`,
      to: reset.email,
      ...passwordResetMail(reset.email, `${appUrl}${reset.path}`),
    });
  };

  return startMails({
    events: {
      attempted: "sign_in_mail.attempted",
      notRecorded: "sign_in_mail.not_recorded",
      notSent: "sign_in_mails.not_sent",
    },
    everyMs,
    logger,
    watched,
    send,
    claim: () => claimSignInMails(database.sql),
    settle: (mail, failure) => settleSignInMail(database.sql, mail, failure),
    kindOf: ({ kind }) => kind,
    onSettled,
    fieldsOf: ({ kind }) => ({ kind }),
  });
}
