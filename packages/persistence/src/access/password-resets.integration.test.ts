import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, instant } from "@svc/domain";
import { started } from "@svc/testkit/started";
import { connectDatabase } from "../database.ts";
import { uuidV7 } from "../ids.ts";
import { createSessionRepository } from "../sessions/session-repository.ts";
import { openTestDatabase } from "../testing/open-test-database.ts";
import { createPasswordReset, findPasswordReset, replacePassword, usePasswordReset } from "./password-resets.ts";
import { createSignInChallenges } from "./sign-in-challenges.ts";
import { claimSignInMails, requestPasswordReset } from "./sign-in-mails.ts";

const now = instant(Date.now());
const database = started(openTestDatabase);
const operator = started(() => connectDatabase({ ...database.options, actor: { type: "operator" } }));

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest();
const hashOf = (reset: { path: string } | null) => sha256(reset?.path.split("/").at(-1) ?? "");
const changed = { passwordHash: "new", sendsMail: true };

async function addUser(accounts = 1) {
  const id = uuidV7.next();
  const email = `${id}@example.test`;
  const memberships = { create: [] as { accountId: string; role: string }[] };
  for (let count = 0; count < accounts; count++) {
    const accountId = uuidV7.next();
    await database.prisma.account.create({ data: { id: accountId, companyName: "Harbour", createdAt: now } });
    memberships.create.push({ accountId, role: "developer" });
  }
  await database.prisma.user.create({ data: { id, email, passwordHash: "old", createdAt: now, memberships } });
  return { id, email, accounts: memberships.create.map(({ accountId }) => accountId) };
}

async function addSession({ id, accounts: [accountId = ""] }: Awaited<ReturnType<typeof addUser>>) {
  const tokenSha256 = sha256(randomBytes(8));
  const session = { tokenSha256, userId: id, accountId, createdAt: now, expiresAt: addMs(now, dayMs) };
  await createSessionRepository(database.sql).create(session);
  return tokenSha256;
}

const passwordOf = async (id: string) => (await database.prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash;
const isOpen = async (session: Buffer) =>
  (await createSessionRepository(database.sql).findOwner(session, instant(Date.now()))) !== null;

describe("a link for a lost password", () => {
  test("replaces the password once, ends all sessions of the user, and those of no other", async () => {
    const [anna, ben] = [await addUser(), await addUser()];
    const [hers, his] = [await addSession(anna), await addSession(ben)];
    const reset = await createPasswordReset(database.sql, anna.email.toUpperCase());
    expect(reset?.path).toMatch(/^\/login\/reset\/[\w-]{43}$/);
    expect(await findPasswordReset(database.sql, hashOf(reset))).toBe(anna.email);
    expect(await usePasswordReset(database, hashOf(reset), changed)).toBe(anna.email);
    expect([await passwordOf(anna.id), await passwordOf(ben.id)]).toEqual(["new", "old"]);
    expect([await isOpen(hers), await isOpen(his)]).toEqual([false, true]);
    expect(await usePasswordReset(database, hashOf(reset), { ...changed, passwordHash: "again" })).toBeNull();
    expect(await passwordOf(anna.id)).toBe("new");
  });

  test("ends a sign-in that began with the old password, and that of no other user", async () => {
    const [anna, ben] = [await addUser(), await addUser()];
    const challenges = createSignInChallenges(database.sql);
    const firstStep = { method: "password", identity: null } as const;
    const [hers, his] = [sha256(randomBytes(8)), sha256(randomBytes(8))];
    await challenges.create(hers, anna.id, firstStep);
    await challenges.create(his, ben.id, firstStep);
    await usePasswordReset(database, hashOf(await createPasswordReset(database.sql, anna.email)), changed);
    expect([await challenges.find(hers), await challenges.find(his)]).toEqual([null, ben.id]);
  });

  test("proves the address of the user when it was mailed, and not when the operator made it", async () => {
    const [anna, ben] = [await addUser(), await addUser()];
    const isProven = async ({ id }: { id: string }) =>
      (await database.prisma.user.findUniqueOrThrow({ where: { id } })).emailProvenAt !== null;
    await createPasswordReset(database.sql, anna.email);
    await usePasswordReset(database, hashOf(await createPasswordReset(operator.sql, anna.email)), changed);
    await createPasswordReset(operator.sql, ben.email);
    const mailed = await createPasswordReset(database.sql, ben.email);
    await replacePassword(database, anna.id, { ...changed, keptSession: null });
    expect([await isProven(anna), await isProven(ben)]).toEqual([false, false]);
    await usePasswordReset(database, hashOf(mailed), changed);
    expect([await isProven(anna), await isProven(ben)]).toEqual([false, true]);
  });

  test("is accepted once by two concurrent uses", async () => {
    const user = await addUser();
    const hash = hashOf(await createPasswordReset(database.sql, user.email));
    const uses = await Promise.all(
      ["one", "two"].map((passwordHash) => usePasswordReset(database, hash, { passwordHash, sendsMail: false })),
    );
    expect(uses.filter((email) => email !== null)).toEqual([user.email]);
  });

  test("is over after 30 minutes, when a newer one is made, and when the password is changed otherwise", async () => {
    const user = await addUser();
    const first = hashOf(await createPasswordReset(database.sql, user.email));
    const second = hashOf(await createPasswordReset(database.sql, user.email));
    expect(await findPasswordReset(database.sql, first)).toBeNull();
    const { createdAt, expiresAt } = await database.prisma.passwordReset.findUniqueOrThrow({
      where: { userId: user.id },
    });
    expect(expiresAt.getTime() - createdAt.getTime()).toBe(30 * 60_000);
    await database.prisma.passwordReset.update({ where: { userId: user.id }, data: { expiresAt: new Date() } });
    expect(await findPasswordReset(database.sql, second)).toBeNull();
    expect(await usePasswordReset(database, second, changed)).toBeNull();
    const third = hashOf(await createPasswordReset(database.sql, user.email));
    const retained = await addSession(user);
    await replacePassword(database, user.id, { ...changed, keptSession: retained });
    expect(await isOpen(retained)).toBe(true);
    expect(await findPasswordReset(database.sql, third)).toBeNull();
  });

  test("is not made for an unknown address, nor for wildcards", async () => {
    for (const email of ["carl@example.test", "%", ""]) {
      expect(await createPasswordReset(database.sql, email)).toBeNull();
    }
  });

  test("is recorded in each account of the user: who asked for it, and the change by the user", async () => {
    const user = await addUser(2);
    await createPasswordReset(database.sql, user.email);
    const reset = await createPasswordReset(operator.sql, user.email);
    await usePasswordReset(database, hashOf(reset), changed);
    for (const accountId of user.accounts) {
      const events = await database.prisma.auditEvent.findMany({ where: { accountId }, orderBy: { id: "asc" } });
      expect(events.map(({ actorType, action }) => [actorType, action])).toEqual([
        ["unknown", "user.password_reset_requested"],
        ["operator", "user.password_reset_requested"],
        ["user", "user.password_changed"],
      ]);
      expect(JSON.stringify(events)).not.toMatch(/sha256|"new"|"old"/);
    }
  });
});

test("is mailed once by two concurrent senders, also after repeated requests for one address", async () => {
  await database.prisma.signInMail.deleteMany();
  for (let count = 0; count < 15; count++) await requestPasswordReset(database.sql, `user${count % 5}@example.test`);
  const claims = (await Promise.all([1, 2, 3].map(() => claimSignInMails(database.sql)))).flat();
  expect(claims.map(({ email }) => email).sort()).toEqual([0, 1, 2, 3, 4].map((count) => `user${count}@example.test`));
  expect(await claimSignInMails(database.sql)).toEqual([]);
});

test("queues no mail about a changed password without e-mail, and drops mails that wait for a day", async () => {
  await database.prisma.signInMail.deleteMany();
  const user = await addUser();
  await replacePassword(database, user.id, { passwordHash: "new", keptSession: null, sendsMail: false });
  expect(await database.prisma.signInMail.count()).toBe(0);
  await requestPasswordReset(database.sql, "old@example.test");
  await database.prisma.signInMail.updateMany({ data: { nextAttemptAt: new Date(Date.now() - 2 * dayMs) } });
  await requestPasswordReset(database.sql, "new@example.test");
  expect(await database.prisma.signInMail.findMany()).toMatchObject([{ email: "new@example.test" }]);
});
