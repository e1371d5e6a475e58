import type { Database } from "@svc/persistence";
import { createMemberRepository } from "@svc/persistence/members";
import type { SignedInCaller } from "../access/api-clients.ts";

/** Whether mails about mentions and assignments are written for a member. */
export interface MentionSettings {
  receives(caller: SignedInCaller): Promise<boolean>;
  change(caller: SignedInCaller, receives: boolean): Promise<void>;
}

export function createMentionSettings(database: Database): MentionSettings {
  const members = createMemberRepository(database.sql);
  return {
    async receives({ accountId, user }) {
      return (await members.find(accountId, user.userId))?.receivesMentionMails ?? false;
    },
    change: ({ accountId, user }, receives) => members.setMentionMails(accountId, user.userId, receives),
  };
}
