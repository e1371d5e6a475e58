import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";

/** Runs something with the database of the system under test. */
export async function withDatabase(url: string, run: (database: Database) => Promise<void>): Promise<void> {
  const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  await run(database);
  await database.close();
}

/** Adds another member to the account, an operator who cannot sign in. */
export async function addColleague(database: Database, email: string): Promise<void> {
  const { id: accountId } = await database.prisma.account.findFirstOrThrow();
  const userId = uuidV7.next();
  await database.prisma.user.create({ data: { id: userId, email, passwordHash: "", createdAt: new Date() } });
  await database.prisma.membership.create({ data: { accountId, userId, role: "operator" } });
}
