import { alertEntriesMax } from "@svc/domain/alerts";
import { type EgressAgent, type EgressPolicy, postOnce, responseStatus } from "@svc/egress";
import type { SecretBox } from "@svc/persistence";
import type { ClaimedAlert } from "@svc/persistence/alerts";
import type { Mailer } from "../mail/mailer.ts";
import type { SendFailure } from "../mail/send-failure.ts";
import { slackBody, teamsBody } from "./chat-bodies.ts";
import { confirmationMail } from "./confirmation-mail.ts";
import { describeAlert } from "./describe-alert.ts";
import { htmlBody, plainBody } from "./mail-bodies.ts";

export interface AlertSenderOptions {
  /** Null: e-mail is not sent. */
  readonly mailer: Mailer | null;
  readonly appUrl: string;
  readonly box: SecretBox;
  readonly agent: EgressAgent;
  readonly policy: EgressPolicy;
}

export interface AlertSender {
  /** Never rejects. @returns null when the receiver has accepted the message. */
  send(alert: ClaimedAlert): Promise<SendFailure | null>;
}

/** A message in a chat that is longer is cut off there. */
const chatEntriesMax = 20;

/** Whether another attempt may succeed after this status. */
const isTemporary = (status: number): boolean => status >= 500 || status === 408 || status === 429;

export function createAlertSender(options: AlertSenderOptions): AlertSender {
  const { mailer, appUrl, box, agent, policy } = options;

  async function sendMail(alert: ClaimedAlert): Promise<SendFailure | null> {
    const { id, email, name, companyName, unsubscribeToken, content } = alert;
    if (!mailer) return { text: "This service sends no e-mail.", isPermanent: false };
    if (email === null) return { text: "The member has left the account.", isPermanent: true };
    const { reason } = content;
    if (reason === "confirmation") {
      const confirmUrl = `${appUrl}/alerts/confirm/${unsubscribeToken}`;
      return mailer.send({ id, to: email, ...confirmationMail({ name, companyName, confirmUrl }) });
    }
    const text = describeAlert({ ...content, reason }, { name, companyName, appUrl, maximum: alertEntriesMax });
    const unsubscribeUrl = `${appUrl}/alerts/unsubscribe/${unsubscribeToken}`;
    const footer = { name, companyName, unsubscribeUrl };
    return mailer.send({
      id,
      to: email,
      subject: text.subject,
      text: plainBody(text, footer),
      html: htmlBody(text, footer),
      list: { unsubscribe: { url: unsubscribeUrl, comment: "" } },
      headers: { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    });
  }

  async function post({ channel, name, companyName, sealedUrl, content }: ClaimedAlert): Promise<SendFailure | null> {
    const { reason } = content;
    if (reason === "confirmation") return { text: "A channel has nothing to confirm.", isPermanent: true };
    const text = describeAlert({ ...content, reason }, { name, companyName, appUrl, maximum: chatEntriesMax });
    let url: string;
    try {
      url = box.open(sealedUrl ?? Buffer.alloc(0));
    } catch (cause) {
      return { text: "The address of the channel cannot be decrypted. Enter it again.", isPermanent: true, cause };
    }
    const body = channel === "slack" ? slackBody(text) : teamsBody(text);
    const exchange = await postOnce(agent, policy, { url, headers: { "content-type": "application/json" }, body });
    const status = responseStatus(exchange);
    if (status !== null) {
      if (status >= 200 && status < 300) return null;
      return { text: `The channel answered with status ${status}.`, isPermanent: !isTemporary(status) };
    }
    const { error } = exchange;
    const isPermanent = error?.fault === "blocked_address" || error?.fault === "invalid_target";
    return { text: error?.message ?? "The channel did not answer.", isPermanent };
  }

  return { send: (alert) => (alert.channel === "email" ? sendMail(alert) : post(alert)) };
}
