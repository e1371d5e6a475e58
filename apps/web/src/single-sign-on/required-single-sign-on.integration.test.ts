import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { createPasswordReset, usePasswordReset } from "@svc/persistence/access";
import { createInvitation, createInvitationRepository, setSignInRules } from "@svc/persistence/members";
import { hashPassword } from "@svc/persistence/sessions";
import { startedEach } from "@svc/testkit/started";
import {
  actions,
  appUrl,
  domain,
  known,
  open,
  problemOf,
  session,
  signIn,
  signInContext,
  startSignInContext,
} from "../testing/sign-in-context.ts";
import { password, type TestWeb } from "../testing/start-test-web.ts";

startSignInContext();

describe("an account that requires single sign-on", () => {
  const rules = "/account/sign-in-rules";
  const strict = startedEach(() => signInContext.app.addAccount());
  beforeEach(async () => {
    known("owner", strict);
  });
  const post = (path: string, cookie: string, form: Record<string, string>) =>
    signInContext.app.request(path, { form, headers: { cookie, origin: appUrl } });
  const require = () => setSignInRules(signInContext.app.database.sql, strict.id, { requiresSingleSignOn: true });
  const byPassword = () => signInContext.app.request("/login", { form: { email: strict.email, password } });

  test("is required by an owner who signed in with it, ends password sessions at once, and is recorded", async () => {
    const other = await signInContext.app.addMember(strict, "operator");
    const [otherCookie, ownCookie] = [await signInContext.app.logIn(other), await signInContext.app.logIn(strict)];
    const refused = await post(rules, ownCookie, { single_sign_on: "required" });
    expect([refused.status, await problemOf(refused)]).toEqual([422, expect.stringContaining("lock you out")]);
    expect(await open(otherCookie, rules)).toBe(403);
    const owner = session(await signIn("owner"));
    expect((await post(rules, owner, { single_sign_on: "required" })).status).toBe(303);
    expect([await open(otherCookie), await open(ownCookie), await open(owner)]).toEqual([302, 302, 200]);
    expect(await actions(strict)).toContainEqual({
      actorName: strict.email,
      action: "account.updated",
      changes: { requires_single_sign_on: { from: false, to: true } },
    });
    expect((await post(rules, owner, {})).status).toBe(303);
    expect(await open(otherCookie)).toBe(200);
  });

  test("is offered only where a provider is configured", async () => {
    const read = async (app: TestWeb) => (await (await app.visit(strict)).get(rules)).text();
    const checkbox = (page: string) => /<input type="checkbox" name="single_sign_on"[^>]*>/.exec(page)?.[0];
    const rescue = "the operator of this service can let an owner in again";
    const [offered, without] = await Promise.all([read(signInContext.app), read(signInContext.shared)]);
    expect([checkbox(offered)?.includes(" disabled"), offered.includes(rescue)]).toEqual([false, true]);
    expect([checkbox(without)?.includes(" disabled"), without.includes(rescue)]).toEqual([true, false]);
    expect(without).not.toContain("svc-admin");
  });

  test("a right password is refused with a clear sentence, a wrong one as ever", async () => {
    await require();
    const response = await byPassword();
    expect([response.status, session(response), await problemOf(response)]).toEqual([
      403,
      "",
      expect.stringContaining(
        "Your account requires single sign-on, so passwords are not accepted. Continue with Harbour",
      ),
    ]);
    const wrong = await signInContext.app.request("/login", {
      form: { email: strict.email, password: "wrong password" },
    });
    expect(await problemOf(wrong)).toBe("This email address and password do not match.");
  });

  test("an owner signs in by the password of the operator's link, not by an earlier one; another member does not", async () => {
    await require();
    const { database } = signInContext.app;
    const member = await signInContext.app.addMember(strict, "developer");
    const operator = connectDatabase({
      url: signInContext.app.databaseUrl,
      applicationName: "test-operator",
      onIdleError: () => undefined,
      actor: { type: "operator" },
    });
    /** The user chooses the same password again, so that `byPassword` tries it after each step. */
    const use = async (path = "") => {
      const sha256 = createHash("sha256")
        .update(path.split("/").at(-1) ?? "")
        .digest();
      const passwordHash = await hashPassword(password);
      expect(await usePasswordReset(database, sha256, { passwordHash, sendsMail: false })).not.toBeNull();
    };
    await use((await createPasswordReset(database.sql, strict.email))?.path);
    expect((await byPassword()).status).toBe(403);
    const link = await createPasswordReset(operator.sql, strict.email);
    expect((await byPassword()).status).toBe(403);
    await use(link?.path);
    await use((await createPasswordReset(operator.sql, member.email))?.path);
    const response = await byPassword();
    expect([response.status, await open(session(response))]).toEqual([303, 200]);
    expect((await signInContext.app.request("/login", { form: { email: member.email, password } })).status).toBe(403);
    await use((await createPasswordReset(database.sql, strict.email))?.path);
    expect((await byPassword()).status).toBe(403);
    await use((await createPasswordReset(operator.sql, strict.email))?.path);
    await operator.close();
    expect((await byPassword()).status).toBe(303);
    await database.prisma.user.update({
      where: { id: strict.userId },
      data: { passwordAllowedUntil: new Date(Date.now() - 1) },
    });
    expect((await byPassword()).status).toBe(403);
  });

  test("a user of several accounts works by password in those that allow it, and cannot switch", async () => {
    await require();
    const second = await signInContext.app.addAccount();
    await signInContext.app.database.prisma.membership.create({
      data: { accountId: second.id, userId: strict.userId, role: "viewer" },
    });
    await signIn("owner");
    const response = await byPassword();
    expect(await open(session(response))).toBe(200);
    const switched = await post("/account/accounts/switch", session(response), { account: strict.id });
    expect([switched.status, await problemOf(switched)]).toEqual([
      403,
      expect.stringContaining("requires single sign-on"),
    ]);
    const bySingleSignOn = session(await signIn("owner"));
    const allowed = await post("/account/accounts/switch", bySingleSignOn, { account: second.id });
    expect(allowed.status).toBe(303);
  });

  test("an invitation offers the providers and no password", async () => {
    await require();
    const email = `new-${strict.userId}@${domain}`;
    const { invitation, path } = createInvitation({ email, role: "viewer" }, Date.now());
    await createInvitationRepository(signInContext.app.database.sql).create(strict.id, invitation);
    const page = await (await signInContext.app.request(path)).text();
    expect(page).toContain("Continue with Harbour Group");
    expect(page).not.toContain('type="password"');
    expect((await post(path, "", { password, again: password })).status).toBe(403);
    signInContext.provider.users.set("new", { subject: `new-${strict.userId}`, email, email_verified: true });
    expect(await open(session(await signIn("new", "harbour", path)))).toBe(200);
  });
});
