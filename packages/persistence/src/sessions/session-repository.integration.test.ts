import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { addMs, hourMs, instant } from "@svc/domain";
import { defaultPreferences } from "@svc/domain/members";
import { started } from "@svc/testkit/started";
import { uuidV7 } from "../ids.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createSessionRepository } from "./session-repository.ts";

const database = started(openTestDatabase);
const [accountId, userId] = [uuidV7.next(), uuidV7.next()];
const start = instant("2026-11-21T10:00:00Z");
const end = instant("2026-11-22T10:00:00Z");
const soon = instant("2026-11-21T10:00:01Z");

const sessions = started(() => createSessionRepository(database.sql));
beforeAll(async () => {
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

async function newSession(): Promise<Buffer> {
  const tokenSha256 = createHash("sha256").update(randomBytes(8)).digest();
  await sessions.create({ tokenSha256, userId, accountId, createdAt: start, expiresAt: end });
  return tokenSha256;
}

describe("sessions", () => {
  test("finds a user by the address, ignoring case", async () => {
    expect(await sessions.findCredentials("aNNA@EXAMPLE.test")).toEqual({
      userId,
      accountId,
      passwordHash: "scrypt$",
      passwordMethod: "password",
    });
    expect(await sessions.findCredentials("unknown@example.test")).toBeNull();
  });

  test("authenticates its user until it expires", async () => {
    const token = await newSession();
    const member = { userId, accountId, email: "Anna@example.test", companyName: "Harbour", role: "owner" };
    const owner = {
      ...member,
      hasOtherAccounts: false,
      method: "password",
      twoFactor: "optional",
      preferences: defaultPreferences,
    };
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

describe("a session of a user of several accounts", () => {
  const digest = () => createHash("sha256").update(randomBytes(8)).digest();
  const [accountId, userId] = [uuidV7.next(), uuidV7.next()];
  beforeAll(async () => {
    await database.prisma.account.create({ data: { id: accountId, companyName: "Own", createdAt: start } });
    const memberships = { create: { accountId, role: "owner" } };
    const user = { id: userId, email: "ben@example.test", passwordHash: "scrypt$", createdAt: start, memberships };
    await database.prisma.user.create({ data: user });
  });
  const addAccount = async (isMember: boolean) => {
    const id = uuidV7.next();
    await database.prisma.account.create({ data: { id, companyName: "Other", createdAt: start } });
    if (isMember) await database.prisma.membership.create({ data: { accountId: id, userId, role: "viewer" } });
    return id;
  };
  /** Opens a session at the real time, by which the API authenticates. */
  const openSession = async () => {
    const tokenSha256 = digest();
    const now = instant(Date.now());
    await sessions.create({ tokenSha256, userId, accountId, createdAt: now, expiresAt: addMs(now, hourMs) });
    return { from: tokenSha256, now };
  };

  test("is replaced by one of the other account, with its role, and works no longer itself", async () => {
    const other = await addAccount(true);
    const { from, now } = await openSession();
    const to = digest();
    expect(await sessions.switchAccount({ userId, from, to, accountId: other, now })).toBe(addMs(now, hourMs));
    expect([await sessions.findOwner(from, now), await sessions.authenticate(from)]).toEqual([null, null]);
    expect(await sessions.findOwner(to, now)).toMatchObject({
      accountId: other,
      role: "viewer",
      hasOtherAccounts: true,
    });
    expect(await sessions.authenticate(to)).toMatchObject({ accountId: other, userId, role: "viewer" });
  });

  test("begins in the account that requires single sign-on by the operator's link, and in another by password", async () => {
    const { prisma } = database;
    const [anna, strict, free] = [uuidV7.next(), uuidV7.next(), uuidV7.next()];
    const email = `${anna}@example.test`;
    for (const [id, requiresSingleSignOn] of [[strict, true] as const, [free, false] as const]) {
      await prisma.account.create({ data: { id, companyName: "Own", createdAt: start, requiresSingleSignOn } });
    }
    const memberships = { create: [strict, free].map((id) => ({ accountId: id, role: "owner" })) };
    await prisma.user.create({ data: { id: anna, email, passwordHash: "scrypt$", createdAt: start, memberships } });
    const use = (id: string) =>
      sessions.create({ tokenSha256: digest(), userId: anna, accountId: id, createdAt: start, expiresAt: end });
    await use(free);
    expect(await sessions.findCredentials(email)).toMatchObject({ accountId: free, passwordMethod: "password" });
    await prisma.user.update({ where: { id: anna }, data: { passwordAllowedUntil: new Date(Date.now() + hourMs) } });
    const byLink = { accountId: strict, passwordMethod: "operator_link" };
    expect(await sessions.findCredentials(email)).toMatchObject(byLink);
    expect(await sessions.findCredentialsOf(anna, "operator_link")).toMatchObject(byLink);
    expect(await sessions.findCredentialsOf(anna, "single_sign_on")).toMatchObject({ accountId: free });
    await prisma.userSession.updateMany({ where: { userId: anna }, data: { accountId: strict } });
    expect(await sessions.findCredentialsOf(anna, "password")).toMatchObject({ accountId: free });
    expect(await sessions.findCredentialsOf(anna, "single_sign_on")).toMatchObject({ accountId: strict });
  });

  test("is not switched to an account of others, nor is the session of another user, nor one that is over", async () => {
    const [foreign, other] = [await addAccount(false), await addAccount(true)];
    const { from, now } = await openSession();
    const change = { userId, from, to: digest(), accountId: other, now };
    for (const wrong of [
      { accountId: foreign },
      { userId: uuidV7.next() },
      { from: digest() },
      { now: addMs(now, 2 * hourMs) },
    ]) {
      expect(await sessions.switchAccount({ ...change, ...wrong })).toBeNull();
    }
    expect(await sessions.findOwner(from, now)).toMatchObject({ accountId });
    const both = await Promise.all([1, 2].map(() => sessions.switchAccount({ ...change, to: digest() })));
    expect(both.filter((expiresAt) => expiresAt !== null)).toHaveLength(1);
  });
});
