import fs from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";

/** A mail that was kept instead of sent (apps/standalone, `startMailCatcher`). */
export interface CaughtMail {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  /** The Date header; null when it has none. */
  readonly sentAt: string | null;
  readonly text: string;
}

/** Reader of mails: sees those to this address, and these messages to others. */
export interface MailReader {
  readonly email: string;
  /** Their ids, as in the Message-ID. */
  readonly messageIds: ReadonlySet<string>;
}

const fileShape = /^([0-9a-f-]{36})\.eml$/;
const messageIdShape = /^message-id: <([0-9a-f-]{36})@/im;

/** The mails in a folder. */
export function createCaughtMails(folder: string) {
  /** Null: not for this reader, or removed meanwhile, because the newest are kept. */
  async function read(id: string, { email, messageIds }: MailReader): Promise<CaughtMail | null> {
    const content = await fs.readFile(path.join(folder, `${id}.eml`), "utf8").catch(() => null);
    if (content === null) return null;
    const [head = ""] = content.split("\r\n", 1);
    const isTo = head.toLowerCase() === `delivered-to: ${email.toLowerCase()}`;
    if (!isTo && !messageIds.has(messageIdShape.exec(content)?.[1] ?? "")) return null;
    const mail = await PostalMime.parse(content);
    const date = Date.parse(mail.date ?? "");
    return {
      id,
      from: mail.from?.address ?? "",
      to: mail.to?.[0]?.address ?? "",
      subject: mail.subject ?? "",
      sentAt: Number.isNaN(date) ? null : new Date(date).toISOString(),
      text: mail.text ?? "",
    };
  }

  return {
    /** The newest first. */
    async list(reader: MailReader): Promise<CaughtMail[]> {
      const files = await fs.readdir(folder).catch(() => []);
      const ids = files.flatMap((file) => fileShape.exec(file)?.[1] ?? []);
      const mails = await Promise.all(ids.sort().map((id) => read(id, reader)));
      return mails.filter((mail) => mail !== null).reverse();
    },
    read,
  };
}
