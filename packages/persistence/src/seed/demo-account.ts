import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { paidFeatures } from "../members/first-account.ts";
import { sha256 } from "../secrets.ts";
import { hashPassword, verifyPassword } from "../sessions/password.ts";

export interface DemoAccount {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  readonly now: Date;
}

/**
 * Creates an account with one user and one API token with both scopes. A second run with the same values changes
 * nothing; another token is added, and another password replaces the first.
 */
export async function seedDemoAccount(database: Database, demo: DemoAccount): Promise<void> {
  const tokenSha256 = sha256(demo.token);
  const { prisma } = database;
  const known = await prisma.user.findFirst({ where: { email: demo.email }, include: { memberships: true } });
  const accountId = known?.memberships[0]?.accountId ?? uuidV7.next();
  const userId = known?.id ?? uuidV7.next();
  const unchanged = known !== null && (await verifyPassword(demo.password, known.passwordHash));
  const passwordHash = unchanged ? known.passwordHash : await hashPassword(demo.password);
  await prisma.$transaction(async (transaction) => {
    if (!known) {
      await transaction.account.create({
        data: { id: accountId, companyName: "Demo Forwarding", features: [...paidFeatures], createdAt: demo.now },
      });
      await transaction.user.create({
        data: {
          id: userId,
          email: demo.email,
          name: "Demo",
          passwordHash,
          createdAt: demo.now,
          emailProvenAt: demo.now,
          memberships: { create: { accountId, role: "owner" } },
        },
      });
    } else if (!unchanged) {
      await transaction.user.update({ where: { id: known.id }, data: { passwordHash } });
    }
    await transaction.apiToken.upsert({
      where: { tokenSha256 },
      update: {},
      create: {
        id: uuidV7.next(),
        accountId,
        name: "Demo",
        hint: demo.token.slice(-4),
        tokenSha256,
        scopes: ["read", "write"],
        role: "owner",
        createdByUserId: userId,
        createdAt: demo.now,
      },
    });
  });
}
