import { once } from "node:events";
import type { AddressInfo } from "node:net";
import hoodiecrow from "hoodiecrow-imap";

export interface ImapMailbox {
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** @returns its UID. */
  deliver(raw: string): number;
  flagsOf(uid: number): readonly string[];
  /** Changes UIDVALIDITY, as when the mailbox is created again: its mails have other UIDs from then on. */
  changeValidity(): void;
  stop(): Promise<void>;
}

/** An IMAP server with an empty INBOX. */
export async function startImapMailbox(): Promise<ImapMailbox> {
  const username = "edi@importer.test";
  const password = "correct horse";
  const imap = hoodiecrow({ users: { [username]: { password } }, storage: { INBOX: { messages: [] } } });
  imap.listen(0);
  await once(imap.server, "listening");
  const inbox = () => {
    const found = imap.folderCache.INBOX;
    if (found === undefined) throw new Error("The server has no INBOX.");
    return found;
  };
  return {
    port: (imap.server.address() as AddressInfo).port,
    username,
    password,
    deliver(raw) {
      imap.appendMessage("INBOX", [], new Date(), raw);
      return inbox().messages.at(-1)?.uid ?? 0;
    },
    flagsOf: (uid) => inbox().messages.find((message) => message.uid === uid)?.flags ?? [],
    changeValidity() {
      inbox().uidvalidity += 1;
    },
    stop: () => new Promise((resolve) => imap.close(() => resolve())),
  };
}
