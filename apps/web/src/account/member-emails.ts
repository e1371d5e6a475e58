import { type MemberAction, mayDo } from "@svc/domain/members";
import type { Database } from "@svc/persistence";
import { createMemberRepository } from "@svc/persistence/members";

/** The email addresses of the members of an account, for pages that name them. */
export interface MemberEmails {
  /** `action`: only of those whose role may do this. Default: of all. */
  list(accountId: string, action?: MemberAction): Promise<readonly string[]>;
  /** Null for a user who is not a member. */
  find(accountId: string, userId: string): Promise<string | null>;
}

export function createMemberEmails({ sql }: Pick<Database, "sql">): MemberEmails {
  const members = createMemberRepository(sql);
  return {
    list: async (accountId, action = "read") =>
      (await members.list(accountId)).flatMap(({ email, role }) => (mayDo(role, action) ? email : [])),
    find: async (accountId, userId) => (await members.find(accountId, userId))?.email ?? null,
  };
}
