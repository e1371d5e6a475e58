import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { addMs, hourMs, instant } from "@svc/domain";
import type { Database } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createSessionRepository, type SessionRepository } from "./session-repository.ts";

let database: Database;
let sessions: SessionRepository;
const [accountId, userId] = [uuidV7.next(), uuidV7.next()];
const start = instant("2026-11-21T10:00:00Z");
const end = instant("2026-11-22T10:00:00Z");
const soon = instant("2026-11-21T10:00:01Z");

beforeAll(async () => {
  ({ database } = await openTestDatabase());
  sessions = createSessionRepository(database.sql);
  await database.prisma.account.create({ data: { id: accountId, companyName: "Harbour", createdAt: start } });
  await database.prisma.user.create({
    data: {
      id: userId,
      email: "Anna@example.test",
      passwordHash: "scrypt$",
      createdAt: start,
      memberships: { create: { accountId, role: "owner" } },
    },
  });
});
afterAll(() => database.close());

async function newSession(): Promise<Buffer> {
  const tokenSha256 = createHash("sha256").update(randomBytes(8)).digest();
  await sessions.create({ tokenSha256, userId, accountId, createdAt: start, expiresAt: end });
  return tokenSha256;
}

describe("sessions", () => {
  test("finds a user by the address, ignoring case", async () => {
    expect(await sessions.findCredentials("aNNA@EXAMPLE.test")).toEqual({ userId, accountId, passwordHash: "scrypt$" });
    expect(await sessions.findCredentials("nobody@example.test")).toBeNull();
  });

  test("authenticates its user until it expires", async () => {
    const token = await newSession();
    const owner = { userId, accountId, email: "Anna@example.test", companyName: "Harbour", role: "owner" };
    expect(await sessions.findOwner(token, soon)).toEqual(owner);
    expect(await sessions.findOwner(token, end)).toBeNull();
    expect(await sessions.findOwner(Buffer.alloc(32), soon)).toBeNull();
  });

  test("expires after 12 hours without use", async () => {
    const [idle, used] = [await newSession(), await newSession()];
    const at = (hours: number) => addMs(start, hours * hourMs);
    const isOpen = async (token: Buffer, hours: number) => (await sessions.findOwner(token, at(hours))) !== null;
    expect([await isOpen(used, 11.9), await isOpen(used, 23.8), await isOpen(used, 24)]).toEqual([true, true, false]);
    expect(await isOpen(idle, 12)).toBe(false);
    expect((await sessions.listOpen(userId, at(12))).map(({ tokenSha256 }) => tokenSha256)).toEqual([used]);
    expect(await isOpen(idle, 0.05)).toBe(true);
    const unwritten = await database.prisma.userSession.findUniqueOrThrow({
      where: { tokenSha256: new Uint8Array(idle) },
    });
    expect(unwritten.lastUsedAt).toEqual(new Date(start));
  });

  test("rejects a revoked session and accepts others", async () => {
    const [token, other] = [await newSession(), await newSession()];
    await sessions.revoke(token, soon);
    expect(await sessions.findOwner(token, soon)).toBeNull();
    expect(await sessions.findOwner(other, soon)).not.toBeNull();
  });

  test("deletes the user's expired sessions with a new one", async () => {
    await newSession();
    const tokenSha256 = createHash("sha256").update(randomBytes(8)).digest();
    const expiresAt = instant("2027-01-01T00:00:00Z");
    await sessions.create({ tokenSha256, userId, accountId, createdAt: end, expiresAt });
    expect(await database.prisma.userSession.count()).toBe(1);
    expect(await sessions.findOwner(tokenSha256, end)).not.toBeNull();
  });

  test("rejects the session of a removed member at once", async () => {
    const token = await newSession();
    await database.prisma.membership.deleteMany({ where: { userId } });
    expect(await sessions.findOwner(token, soon)).toBeNull();
    expect(await sessions.findCredentials("anna@example.test")).toBeNull();
  });
});
