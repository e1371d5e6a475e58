import { type LogEvent, type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";
import type { MailKind, MailMetric } from "../metrics.ts";
import { type Outbox, sendClaimed } from "../outbox.ts";
import type { SendFailure } from "./send-failure.ts";

interface ClaimedMail {
  readonly id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

export interface MailsOptions<Mail extends ClaimedMail> {
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
  readonly kindOf: (mail: Mail) => MailKind;
  readonly onSettled: MailMetric;
  /** Returns the fields that are logged of a mail besides its id: neither address nor text. */
  readonly fieldsOf: (mail: Mail) => Readonly<Record<string, string>>;
}

/** Sends stored mails until it is stopped. Several processes may do so: a mail is leased while it is sent. */
export function startMails<Mail extends ClaimedMail>(options: MailsOptions<Mail>): { stop(): Promise<void> } {
  const { events, everyMs, logger, watched, claim, send, settle, kindOf, fieldsOf } = options;

  const outbox: Outbox<Mail, boolean> = {
    claim,
    send,
    settle,
    onSettled(mail, failure, isRepeated) {
      const fields = { ...fieldsOf(mail), mail_id: mail.id, attempt: mail.attempt };
      if (failure === null) {
        options.onSettled(kindOf(mail), "sent");
        return logger.info(fields, events.attempted);
      }
      options.onSettled(kindOf(mail), isRepeated ? "retry" : "failed");
      const { text: problem, cause: err } = failure;
      logger.warn({ ...fields, is_repeated: isRepeated, problem, err }, events.attempted);
    },
    onUnrecorded: ({ id }, error) => logger.error({ err: error, mail_id: id }, events.notRecorded),
  };

  const sendDue = (signal: AbortSignal): Promise<void> => runBatches(() => sendClaimed(outbox), { signal, watched });
  return repeat(everyMs, sendDue, (error) => logger.warn({ err: error }, events.notSent), watched);
}
