import type { Database } from "@svc/persistence";
import { listMailboxMessages } from "@svc/persistence/alerts";

/** The ids of an account's messages to mailboxes of no member, to show the mails that are kept (docs/alerts.md). */
export interface MailboxMessages {
  of(accountId: string): Promise<ReadonlySet<string>>;
}

export const createMailboxMessages = ({ sql }: Pick<Database, "sql">): MailboxMessages => ({
  of: async (accountId) => new Set(await listMailboxMessages(sql, accountId)),
});
