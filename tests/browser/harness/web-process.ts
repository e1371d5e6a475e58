import { randomBytes } from "node:crypto";
import path from "node:path";
import type { MemberRole } from "@svc/domain/members";
import { freePort } from "@svc/local-stores";
import { connectDatabase, type Database, uuidV7 } from "@svc/persistence";
import { hashPassword } from "@svc/persistence/sessions";
import { createTestDatabase, eventually, startProgram } from "@svc/testkit";
import { repository } from "../../e2e/harness/system.ts";

export const password = "kite harbour lamp";

export interface WebMember {
  readonly accountId: string;
  readonly userId: string;
  readonly email: string;
}

/** The web application as a process of its own, with its own database, for pages that need no API. */
export interface WebProcess {
  readonly url: string;
  readonly database: Database;
  /** A new account with its owner. */
  addOwner(): Promise<WebMember>;
  addMember(accountId: string, role: MemberRole): Promise<WebMember>;
  stop(): Promise<void>;
}

/** @param environmentAt further variables of the service that has this address. */
export async function startWebProcess(
  environmentAt: (url: string) => Readonly<Record<string, string>> = () => ({}),
): Promise<WebProcess> {
  const databaseUrl = await createTestDatabase();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram([path.join(repository, "apps/deeplink/src/main.ts")], {
    environment: {
      DATABASE_URL: databaseUrl,
      PORT: port,
      SVC_APP_URL: url,
      LOG_LEVEL: "warn",
      SVC_SECRET_KEY: randomBytes(32).toString("base64"),
      ...environmentAt(url),
    },
  });
  await eventually("the web application is ready", async () => (await fetch(`${url}/readyz`)).ok, 90_000).catch(
    async (error: Error) => {
      await program.stop();
      throw new Error(`${error.message}\n${program.output()}`);
    },
  );
  const database = connectDatabase({ url: databaseUrl, applicationName: "browser-test", onIdleError: () => undefined });
  const passwordHash = await hashPassword(password);

  const addMember = async (accountId: string, role: MemberRole): Promise<WebMember> => {
    const userId = uuidV7.next();
    const email = `${role}-${userId}@example.test`;
    const memberships = { create: { accountId, role } };
    const createdAt = new Date();
    const user = { id: userId, email, passwordHash, createdAt, emailProvenAt: createdAt, memberships };
    await database.prisma.user.create({ data: user });
    return { accountId, userId, email };
  };
  return {
    url,
    database,
    addMember,
    async addOwner() {
      const id = uuidV7.next();
      await database.prisma.account.create({ data: { id, companyName: "Harbour & Sons", createdAt: new Date() } });
      return addMember(id, "owner");
    },
    async stop() {
      await program.stop();
      await database.close();
    },
  };
}
