import type { Database } from "@svc/persistence";
import { listMailboxMessages } from "@svc/persistence/alerts";

/** Maximum number of mails that are kept (apps/standalone, `startMailCatcher`). */
const messagesMax = 200;

/** The ids of the newest messages of an account to mailboxes of no member, to show kept mails (docs/alerts.md). */
export interface MailboxMessages {
  of(accountId: string): Promise<ReadonlySet<string>>;
}

export const createMailboxMessages = ({ sql }: Pick<Database, "sql">): MailboxMessages => ({
  of: async (accountId) => new Set(await listMailboxMessages(sql, accountId, messagesMax)),
});
