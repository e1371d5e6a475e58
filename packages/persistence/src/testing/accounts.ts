import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";

/** A new, empty account. */
export async function addAccount({ prisma }: Database): Promise<string> {
  const id = uuidV7.next();
  await prisma.account.create({ data: { id, companyName: "Harbour", createdAt: new Date() } });
  return id;
}

/** A new user who is a member of the account. */
export async function addMember(
  { prisma }: Database,
  accountId: string,
  { role = "developer", email }: { readonly role?: string; readonly email?: string } = {},
): Promise<{ readonly userId: string; readonly email: string }> {
  const id = uuidV7.next();
  const memberships = { create: { accountId, role } };
  const user = { id, email: email ?? `${id}@example.test`, passwordHash: "x", createdAt: new Date(), memberships };
  await prisma.user.create({ data: user });
  return { userId: id, email: user.email };
}
