import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { hashPassword, verifyPassword } from "../sessions/password.ts";
import { createSessionRepository } from "../sessions/session-repository.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { resetPassword } from "./reset-password.ts";

const now = instant("2026-11-21T10:00:00Z");
const accountId = uuidV7.next();

let database: Database;

beforeAll(async () => {
  ({ database } = await openTestDatabase());
  await database.prisma.account.create({ data: { id: accountId, companyName: "Harbour", createdAt: now } });
});
afterAll(() => database.close());

async function addUser(email: string, password: string) {
  const [id, tokenSha256] = [uuidV7.next(), createHash("sha256").update(randomBytes(8)).digest()];
  const memberships = { create: { accountId, role: "developer" } } as const;
  const passwordHash = await hashPassword(password);
  await database.prisma.user.create({ data: { id, email, passwordHash, createdAt: now, memberships } });
  const session = { tokenSha256, userId: id, accountId, createdAt: now, expiresAt: addMs(now, dayMs) };
  await createSessionRepository(database.sql).create(session);
  return { id, tokenSha256 };
}

test("replaces the password and ends the user's sessions, but not those of others", async () => {
  const sessions = createSessionRepository(database.sql);
  const anna = await addUser("Anna@example.test", "kite harbour lamp");
  const ben = await addUser("ben@example.test", "kite harbour lamp");
  const password = await resetPassword(database.sql, "anna@EXAMPLE.test");
  const stored = (await sessions.findCredentials("anna@example.test"))?.passwordHash ?? "";
  expect(await verifyPassword(password ?? "", stored)).toBe(true);
  expect(await verifyPassword("kite harbour lamp", stored)).toBe(false);
  expect(await sessions.findOwner(anna.tokenSha256, now)).toBeNull();
  expect(await sessions.findOwner(ben.tokenSha256, now)).toMatchObject({ userId: ben.id });
  expect(await resetPassword(database.sql, "anna@example.test")).not.toBe(password);
});

test("does nothing for an unknown address", async () => {
  expect(await resetPassword(database.sql, "carl@example.test")).toBeNull();
  expect(await resetPassword(database.sql, "%")).toBeNull();
});
