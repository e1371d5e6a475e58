/** Why a message was not sent, in words for its receiver. `cause` is for the log. */
export interface SendFailure {
  readonly text: string;
  /** Whether another attempt would fail as well. */
  readonly isPermanent: boolean;
  readonly cause?: unknown;
}

/** The properties of nodemailer's errors. */
interface SmtpError {
  readonly name?: string;
  /** The SMTP command that the server refused. */
  readonly command?: string;
  readonly response?: string;
  /** False: the server did not answer. */
  readonly responseCode?: number | false;
}

/** The status code of RFC 3463 at the beginning of a response, or in the form of qmail, `(#5.1.1)`. */
const enhancedStatus = /(?:^\d{3}[ -]|#)(\d\.\d{1,3}\.\d{1,3})\b/;
/** Address statuses of RFC 3463, except those of the sender's address: 5.1.7 and 5.1.8. */
const recipientStatus = /^5\.1\.(?!7$|8$)/;
/** RFC 5321: mailbox unavailable, user not local, mailbox name not allowed. */
const recipientCodes: ReadonlySet<number> = new Set([550, 551, 553]);
/** Servers refuse a sender, or to relay, in response to RCPT TO as well, and not all with an enhanced status. */
const refusesSender = /\b(?:relay|sender)/i;

/**
 * Whether the server refused the recipient's address, which will not change. Other refusals are about the sender, the
 * message, a quota or the server's settings (MAIL FROM, DATA, 5.7.x), which its operator can correct.
 */
function refusesRecipient({ command, response = "", responseCode }: SmtpError): boolean {
  if (command !== "RCPT TO" || typeof responseCode !== "number" || responseCode < 500) return false;
  if (refusesSender.test(response)) return false;
  const status = enhancedStatus.exec(response)?.[1];
  return status === undefined ? recipientCodes.has(responseCode) : recipientStatus.test(status);
}

/** Describes an error of nodemailer. */
export function toSendFailure(cause: unknown): SendFailure {
  const error = (cause ?? {}) as SmtpError;
  if (error.name === "AbortError") {
    return { text: "The mail server did not accept the mail in time.", isPermanent: false, cause };
  }
  const { responseCode } = error;
  const isRefused = typeof responseCode === "number";
  const text = isRefused ? `The mail server refused (${responseCode}).` : "The mail server does not answer.";
  return { text, isPermanent: refusesRecipient(error), cause };
}
