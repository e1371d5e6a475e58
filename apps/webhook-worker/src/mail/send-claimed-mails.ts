import { type LogEvent, type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";
import type { SendFailure } from "./mailer.ts";

interface ClaimedMail {
  readonly id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

export interface ClaimedMailsOptions<Mail extends ClaimedMail> {
  readonly events: {
    readonly attempted: LogEvent<"info"> & LogEvent<"warn">;
    readonly notRecorded: LogEvent<"error">;
    readonly notSent: LogEvent<"warn">;
  };
  readonly everyMs: number;
  readonly logger: Logger;
  readonly watched: WatchedLoop | undefined;
  /** Claims due mails by a lease. */
  readonly claim: () => Promise<readonly Mail[]>;
  /** Null: it is sent, or there is no receiver any more. */
  readonly send: (mail: Mail) => Promise<SendFailure | null>;
  /** Stores the outcome. @returns whether the mail is retried. */
  readonly settle: (mail: Mail, sendFailure: SendFailure | null) => Promise<boolean>;
  /** Returns the fields that are logged of a mail besides its id: neither address nor text. */
  readonly fieldsOf: (mail: Mail) => Readonly<Record<string, string>>;
}

/** Sends stored mails until it is stopped. Several processes may do so: a mail is leased while it is sent. */
export function sendClaimedMails<Mail extends ClaimedMail>(
  options: ClaimedMailsOptions<Mail>,
): { stop(): Promise<void> } {
  const { events, everyMs, logger, watched, claim, send, settle, fieldsOf } = options;

  const sendOne = async (mail: Mail): Promise<void> => {
    const sendFailure = await send(mail);
    const isRepeated = await settle(mail, sendFailure);
    const fields = { ...fieldsOf(mail), mail_id: mail.id, attempt: mail.attempt };
    if (sendFailure === null) return logger.info(fields, events.attempted);
    const failure = { is_repeated: isRepeated, problem: sendFailure.text, err: sendFailure.cause };
    logger.warn({ ...fields, ...failure }, events.attempted);
  };

  const sendClaimed = async (): Promise<boolean> => {
    const claimed = await claim();
    // One whose outcome could not be stored is repeated when its lease ends.
    await Promise.all(
      claimed.map((mail) =>
        sendOne(mail).catch((error) => logger.error({ err: error, mail_id: mail.id }, events.notRecorded)),
      ),
    );
    return claimed.length > 0;
  };

  const sendDue = (signal: AbortSignal): Promise<void> => runBatches(sendClaimed, { signal, watched });
  return repeat(everyMs, sendDue, (error) => logger.warn({ err: error }, events.notSent), watched);
}
