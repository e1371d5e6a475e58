import { alertEntriesMax } from "@svc/domain/alerts";
import { answeredStatus, type EgressAgent, type EgressPolicy, postOnce } from "@svc/egress";
import type { SecretBox } from "@svc/persistence";
import type { ClaimedAlert } from "@svc/persistence/alerts";
import { createTransport } from "nodemailer";
import { slackBody, teamsBody } from "./chat-bodies.ts";
import { describeAlert } from "./describe-alert.ts";
import { htmlBody, plainBody } from "./mail-bodies.ts";

/** Why a message was not sent, in words for the account. `cause` is for the log. */
export interface AlertProblem {
  readonly text: string;
  /** Another attempt would fail as well. */
  readonly isPermanent: boolean;
  readonly cause?: unknown;
}

export interface AlertSenderOptions {
  /** Null: e-mail is not sent. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  readonly appUrl: string;
  readonly box: SecretBox;
  readonly agent: EgressAgent;
  readonly policy: EgressPolicy;
  readonly mailTimeoutMs?: number;
}

export interface AlertSender {
  /** Never rejects. @returns null when the receiver has accepted the message. */
  send(alert: ClaimedAlert): Promise<AlertProblem | null>;
  close(): void;
}

/** A message in a chat that is longer is cut off there. */
const chatEntriesMax = 20;
const smtpConnectTimeoutMs = 10_000;
const smtpSilenceTimeoutMs = 20_000;
const smtpConnections = 5;
/**
 * For one mail, with its waiting for a connection: a server that sends single bytes is never silent. Shorter than the
 * lease of the message, so that no other worker sends it at the same time.
 */
const defaultMailTimeoutMs = 90_000;

function mailProblem(error: unknown): AlertProblem {
  const { code, responseCode = null } = (error ?? {}) as { code?: string; responseCode?: number | null };
  const isRefused = code === "EENVELOPE" || code === "EMESSAGE";
  const isPermanent = isRefused && responseCode !== null && responseCode >= 500;
  if ((error as { name?: string } | null)?.name === "AbortError") {
    return { text: "The mail server did not accept the mail in time.", isPermanent: false, cause: error };
  }
  const what = responseCode === null ? "The mail server does not answer" : `The mail server refused (${responseCode})`;
  return { text: `${what}.`, isPermanent, cause: error };
}

/** Answers that the next attempt may change. */
const isTemporary = (status: number): boolean => status >= 500 || status === 408 || status === 429;

export function createAlertSender(options: AlertSenderOptions): AlertSender {
  const { mail, appUrl, box, agent, policy, mailTimeoutMs = defaultMailTimeoutMs } = options;
  const transport =
    mail &&
    createTransport({
      url: mail.smtpUrl,
      pool: true,
      maxConnections: smtpConnections,
      connectionTimeout: smtpConnectTimeoutMs,
      greetingTimeout: smtpConnectTimeoutMs,
      socketTimeout: smtpSilenceTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });

  async function sendMail(alert: ClaimedAlert): Promise<AlertProblem | null> {
    const { id, email, name, companyName, unsubscribeToken, content } = alert;
    if (!transport || !mail) return { text: "This service sends no e-mail.", isPermanent: false };
    if (email === null) return { text: "The member has left the account.", isPermanent: true };
    const text = describeAlert(content, { name, companyName, appUrl, maximum: alertEntriesMax });
    const unsubscribeUrl = `${appUrl}/alerts/unsubscribe/${unsubscribeToken}`;
    const footer = { name, companyName, unsubscribeUrl };
    try {
      await transport.sendMail({
        signal: AbortSignal.timeout(mailTimeoutMs),
        // The same in every attempt, so that a mail that was sent twice is shown once.
        messageId: `<${id}@${mail.from.split("@").at(-1)}>`,
        from: { name: "Shipment tracking", address: mail.from },
        to: { name: "", address: email },
        subject: text.subject,
        text: plainBody(text, footer),
        html: htmlBody(text, footer),
        list: { unsubscribe: { url: unsubscribeUrl, comment: "" } },
        headers: {
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
          "Auto-Submitted": "auto-generated",
        },
      });
      return null;
    } catch (error) {
      return mailProblem(error);
    }
  }

  async function post({ channel, name, companyName, sealedUrl, content }: ClaimedAlert): Promise<AlertProblem | null> {
    const text = describeAlert(content, { name, companyName, appUrl, maximum: chatEntriesMax });
    let url: string;
    try {
      url = box.open(sealedUrl ?? Buffer.alloc(0));
    } catch (cause) {
      return { text: "The address of the channel cannot be decrypted. Enter it again.", isPermanent: true, cause };
    }
    const body = channel === "slack" ? slackBody(text) : teamsBody(text);
    const exchange = await postOnce(agent, policy, { url, headers: { "content-type": "application/json" }, body });
    const status = answeredStatus(exchange);
    if (status !== null) {
      if (status >= 200 && status < 300) return null;
      return { text: `The channel answered with status ${status}.`, isPermanent: !isTemporary(status) };
    }
    const { error } = exchange;
    const isPermanent = error?.fault === "blocked_address" || error?.fault === "invalid_target";
    return { text: error?.message ?? "The channel did not answer.", isPermanent };
  }

  return {
    send: (alert) => (alert.channel === "email" ? sendMail(alert) : post(alert)),
    close: () => transport?.close(),
  };
}
