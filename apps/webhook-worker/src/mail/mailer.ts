import { createTransport, type SendMailOptions } from "nodemailer";
import { type SendFailure, toSendFailure } from "./send-failure.ts";

/** A mail to one person. */
export interface Mail {
  /** Id that every attempt with the same content repeats, so that a mail that was sent twice is shown once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly list?: SendMailOptions["list"];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends mails through the mail server of the installation. */
export interface Mailer {
  /** Never rejects. @returns null when the mail server has accepted the mail. */
  send(mail: Mail): Promise<SendFailure | null>;
  /** Gives up what the mail server has not accepted by then, for shutdown. */
  abortAfter(ms: number): void;
  close(): void;
}

const smtpConnectTimeoutMs = 10_000;
const smtpSilenceTimeoutMs = 20_000;
const smtpConnections = 5;
/**
 * Time limit of one mail, including the wait for a connection: a server that sends single bytes is never silent.
 * Shorter than the lease of the message, so that no other worker sends it at the same time.
 */
const defaultTimeoutMs = 90_000;

export function createMailer(options: {
  readonly smtpUrl: string;
  /** The sender's address. */
  readonly from: string;
  readonly timeoutMs?: number;
}): Mailer {
  const { smtpUrl, from, timeoutMs = defaultTimeoutMs } = options;
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: smtpConnections,
    connectionTimeout: smtpConnectTimeoutMs,
    greetingTimeout: smtpConnectTimeoutMs,
    socketTimeout: smtpSilenceTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const stopping = new AbortController();
  let stopTimer: NodeJS.Timeout | undefined;
  return {
    async send({ id, to, headers, ...content }) {
      try {
        await transport.sendMail({
          ...content,
          signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), stopping.signal]),
          messageId: `<${id}@${from.split("@").at(-1)}>`,
          from: { name: "Shipment tracking", address: from },
          to: { name: "", address: to },
          headers: { ...headers, "Auto-Submitted": "auto-generated" },
        });
        return null;
      } catch (error) {
        return toSendFailure(error);
      }
    },
    abortAfter(ms) {
      stopTimer = setTimeout(() => stopping.abort(), ms);
    },
    close() {
      clearTimeout(stopTimer);
      transport.close();
    },
  };
}
