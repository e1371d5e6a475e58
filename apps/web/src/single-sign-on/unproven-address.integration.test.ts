import { randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { uuidV7 } from "@svc/persistence";
import { createPasswordReset } from "@svc/persistence/access";
import { createInvitation, createInvitationRepository } from "@svc/persistence/members";
import {
  actions,
  appUrl,
  domain,
  known,
  open,
  session,
  signIn,
  signInContext,
  startSignInContext,
} from "../testing/sign-in-context.ts";
import { password } from "../testing/start-test-web.ts";

startSignInContext();

const byPassword = (email: string) => signInContext.app.request("/login", { form: { email, password } });
const subjectOf = (userId: string) => `${signInContext.account.id}:${userId}`;
const secret = () => new Uint8Array(randomBytes(32));

/** Adds every access besides a session that a user may have. */
async function addAccess(userId: string): Promise<void> {
  const { prisma } = signInContext.app.database;
  const [accountId, createdAt, grantId] = [signInContext.account.id, new Date(), randomBytes(8).toString("hex")];
  const common = { accountId, createdAt, name: "own" };
  const token = { ...common, hint: "aaaa", createdByUserId: userId };
  await prisma.apiToken.createMany({
    data: [
      { ...token, id: uuidV7.next(), tokenSha256: secret() },
      { ...token, id: uuidV7.next(), tokenSha256: secret(), oauthGrantId: grantId },
    ],
  });
  await prisma.oAuthRecord.createMany({
    data: [
      { model: "Grant", payload: { accountId: subjectOf(userId) } },
      { model: "RefreshToken", payload: { accountId: subjectOf(userId) } },
    ].map((record) => ({ ...record, accountId, grantId, idSha256: secret(), createdAt })),
  });
  await prisma.calendarFeed.create({
    data: { ...common, id: uuidV7.next(), userId, tokenSha256: secret(), renewedAt: createdAt },
  });
  await prisma.userTotp.create({ data: { userId, sealedSecret: secret(), confirmedAt: createdAt, createdAt } });
  await prisma.recoveryCode.create({ data: { userId, codeSha256: secret() } });
  const lasting = { userId, tokenSha256: secret(), expiresAt: new Date(Date.now() + 600_000) };
  await prisma.signInChallenge.create({ data: lasting });
  await prisma.passwordReset.create({ data: { ...lasting, createdAt } });
}

async function countAccess(userId: string) {
  const { prisma } = signInContext.app.database;
  const where = { userId };
  return {
    tokens: await prisma.apiToken.count({ where: { createdByUserId: userId, revokedAt: null } }),
    applications: await prisma.oAuthRecord.count({
      where: { payload: { path: ["accountId"], equals: subjectOf(userId) } },
    }),
    calendars: await prisma.calendarFeed.count({ where }),
    totp: await prisma.userTotp.count({ where }),
    recoveryCodes: await prisma.recoveryCode.count({ where }),
    challenges: await prisma.signInChallenge.count({ where }),
    resets: await prisma.passwordReset.count({ where }),
  };
}

test("a stranger who opened the invitation loses all access when the invited user first signs in by a provider", async () => {
  const { prisma, sql } = signInContext.app.database;
  const email = `invited-${signInContext.account.userId}@${domain}`;
  const { invitation, path } = createInvitation({ email, role: "developer" }, Date.now());
  await createInvitationRepository(sql).create(signInContext.account.id, invitation);
  const form = { password, again: password };
  const otherSession = session(await signInContext.app.request(path, { form, headers: { origin: appUrl } }));
  expect([await open(otherSession), await open(session(await byPassword(email)))]).toEqual([200, 200]);
  const { id } = await prisma.user.findFirstOrThrow({ where: { email } });
  await addAccess(id);

  signInContext.provider.users.set("invited", { subject: "invited", email, email_verified: true });
  const invited = session(await signIn("invited"));
  expect([await open(invited), await open(otherSession)]).toEqual([200, 302]);
  const refused = await byPassword(email);
  expect([refused.status, session(refused)]).toEqual([401, ""]);
  expect(await countAccess(id)).toEqual({
    tokens: 0,
    applications: 0,
    calendars: 0,
    totp: 0,
    recoveryCodes: 0,
    challenges: 0,
    resets: 0,
  });
  const events = await actions(signInContext.account);
  for (const action of ["user.password_changed", "user.totp_disabled", "api_token.revoked", "calendar_feed.deleted"]) {
    expect(events).toContainEqual({ actorName: email, action, changes: expect.anything() });
  }

  // Once: what the user does afterwards stays.
  await addAccess(id);
  expect((await signIn("invited", "trusted")).status).toBe(303);
  expect(await open(invited)).toBe(200);
  expect(await countAccess(id)).toMatchObject({ tokens: 2, totp: 1 });
});

test("a user with a proven address keeps password and access at the first sign-in by a provider", async () => {
  const member = await signInContext.app.addMember(signInContext.account, "developer");
  known("anna", member);
  const before = session(await byPassword(member.email));
  await addAccess(member.userId);
  expect(await open(session(await signIn("anna", "trusted")))).toBe(200);
  expect(await open(before)).toBe(200);
  expect(await countAccess(member.userId)).toEqual({
    tokens: 2,
    applications: 2,
    calendars: 1,
    totp: 1,
    recoveryCodes: 1,
    challenges: 1,
    resets: 1,
  });
});

describe("a mailed link for a new password", () => {
  const reset = async (email: string, form: Readonly<Record<string, string>> = {}) => {
    const link = await createPasswordReset(signInContext.app.database.sql, email);
    const fields = { password: "another harbour lamp", again: "another harbour lamp", ...form };
    const response = await signInContext.app.request(link?.path ?? "", { form: fields, headers: { origin: appUrl } });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login?done=reset"]);
  };
  const lasting = async ({ userId }: { userId: string }) => {
    const { tokens, applications, calendars, totp } = await countAccess(userId);
    return { tokens, applications, calendars, totp };
  };
  const all = { tokens: 2, applications: 2, calendars: 1, totp: 1 };
  const none = { tokens: 0, applications: 0, calendars: 0, totp: 1 };

  test("ends the lasting access of a user whose address was not proven, once, but no second factor", async () => {
    const { prisma } = signInContext.app.database;
    const member = await signInContext.app.addMember(signInContext.account, "developer");
    await prisma.user.update({ where: { id: member.userId }, data: { emailProvenAt: null } });
    await addAccess(member.userId);
    const other = await signInContext.app.addMember(signInContext.account, "developer");
    await addAccess(other.userId);
    await reset(member.email);
    expect([await lasting(member), await lasting(other)]).toEqual([none, all]);
    const recorded = (await actions(signInContext.account)).filter(({ actorName }) => actorName === member.email);
    for (const action of ["user.password_changed", "api_token.revoked", "calendar_feed.deleted"]) {
      expect(recorded.map((event) => event.action)).toContain(action);
    }
  });

  test("keeps that of a user with a proven address, unless the user wants it to end", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "developer");
    await addAccess(member.userId);
    await reset(member.email);
    expect(await lasting(member)).toEqual(all);
    await reset(member.email, { revoke: "yes" });
    expect(await lasting(member)).toEqual(none);
  });
});
