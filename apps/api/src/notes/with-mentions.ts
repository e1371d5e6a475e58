import { hasMentions } from "@svc/domain/notes";
import { type NoteChange, planMentionMails } from "@svc/persistence/member-mails";
import type { Member } from "@svc/persistence/members";
import type { Caller } from "../http/authenticator.ts";
import type { Services } from "../services.ts";

/** The members of whom a written note may mention some; empty when it has no mention or no mail can be sent. */
export const mentionable = async (
  { settings, members }: Services,
  accountId: string,
  note: string | null | undefined,
): Promise<readonly Member[]> => (settings.sendsMail && hasMentions(note ?? null) ? members.list(accountId) : []);

type Plan = (change: Pick<NoteChange, "subject" | "before" | "after">) => Promise<void>;

/**
 * Writes a note. One that may mention members is written in a transaction, and `plan` adds the mails to it. For all
 * others `plan` is null.
 */
export async function withMentions<T>(
  { services, caller }: { readonly services: Services; readonly caller: Caller },
  note: string | null | undefined,
  write: (services: Services, plan: Plan | null) => Promise<T>,
): Promise<T> {
  const { accountId, userId: authorUserId } = caller;
  const members = await mentionable(services, accountId, note);
  if (members.length === 0) return write(services, null);
  return services.transaction(accountId, (sql, inside) =>
    write(inside, (change) => planMentionMails(sql, accountId, { ...change, authorUserId, members })),
  );
}
