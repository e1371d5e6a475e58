import fs from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";

/** A mail that was kept instead of sent (apps/standalone, `startMailCatcher`). */
export interface CaughtMail {
  readonly id: string;
  readonly from: string;
  readonly subject: string;
  /** The Date header; null when it has none. */
  readonly sentAt: string | null;
  readonly text: string;
}

const fileShape = /^([0-9a-f-]{36})\.eml$/;

/** Of the mails in a folder, those to one recipient. */
export function createCaughtMails(folder: string) {
  /** Null: not to this recipient, or removed meanwhile, because the newest are kept. */
  async function read(id: string, recipient: string): Promise<CaughtMail | null> {
    const content = await fs.readFile(path.join(folder, `${id}.eml`), "utf8").catch(() => null);
    const [head = ""] = content?.split("\r\n", 1) ?? [];
    if (content === null || head.toLowerCase() !== `delivered-to: ${recipient.toLowerCase()}`) return null;
    const mail = await PostalMime.parse(content);
    const date = Date.parse(mail.date ?? "");
    return {
      id,
      from: mail.from?.address ?? "",
      subject: mail.subject ?? "",
      sentAt: Number.isNaN(date) ? null : new Date(date).toISOString(),
      text: mail.text ?? "",
    };
  }

  return {
    /** The newest first. */
    async list(recipient: string): Promise<CaughtMail[]> {
      const files = await fs.readdir(folder).catch(() => []);
      const ids = files.flatMap((file) => fileShape.exec(file)?.[1] ?? []);
      const mails = await Promise.all(ids.sort().map((id) => read(id, recipient)));
      return mails.filter((mail) => mail !== null).reverse();
    },
    read,
  };
}
