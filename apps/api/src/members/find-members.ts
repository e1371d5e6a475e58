import { invalidAttribute, type TrackingError } from "@svc/jsonapi";
import type { Member } from "@svc/persistence/members";
import type { Services } from "../services.ts";

/** Returns a function that finds the e-mail address of one of the users; null: no user, or no longer a member. */
export async function readMemberEmails(
  { members }: Pick<Services, "members">,
  accountId: string,
  userIds: readonly (string | null)[],
): Promise<(userId: string | null) => string | null> {
  const isNeeded = userIds.some((userId) => userId !== null);
  const all = isNeeded ? await members.list(accountId) : [];
  const emails = new Map<string | null, string>(all.map(({ userId, email }) => [userId, email]));
  return (userId) => emails.get(userId) ?? null;
}

/** Ignoring case. */
export function findMemberByEmail(members: readonly Member[], email: string): Member | undefined {
  const wanted = email.toLowerCase();
  return members.find((member) => member.email.toLowerCase() === wanted);
}

/** The attribute has an e-mail address of no member. */
export const unknownMember = (attribute: string, email: string): TrackingError =>
  invalidAttribute(attribute, `No member of this account has the e-mail address ${JSON.stringify(email)}.`);
