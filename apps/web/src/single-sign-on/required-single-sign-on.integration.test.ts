import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { createPasswordReset, usePasswordReset } from "@svc/persistence/access";
import { createInvitationRepository, makeInvitation, setSignInRules } from "@svc/persistence/members";
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
  startSignInWorld,
  world,
} from "../testing/sign-in-world.ts";
import { password, type TestWeb } from "../testing/start-test-web.ts";

startSignInWorld();

describe("an account that requires single sign-on", () => {
  const rules = "/account/sign-in-rules";
  const strict = startedEach(() => world.app.addAccount());
  beforeEach(async () => {
    known("owner", strict);
  });
  const post = (path: string, cookie: string, form: Record<string, string>) =>
    world.app.request(path, { form, headers: { cookie, origin: appUrl } });
  const require = () => setSignInRules(world.app.database.sql, strict.id, { requiresSingleSignOn: true });
  const byPassword = () => world.app.request("/login", { form: { email: strict.email, password } });

  test("is required by an owner who signed in with it, ends password sessions at once, and is recorded", async () => {
    const other = await world.app.addMember(strict, "operator");
    const [theirs, mine] = [await world.app.logIn(other), await world.app.logIn(strict)];
    const refused = await post(rules, mine, { single_sign_on: "required" });
    expect([refused.status, await problemOf(refused)]).toEqual([422, expect.stringContaining("lock you out")]);
    expect(await open(theirs, rules)).toBe(403);
    const owner = session(await signIn("owner"));
    expect((await post(rules, owner, { single_sign_on: "required" })).status).toBe(303);
    expect([await open(theirs), await open(mine), await open(owner)]).toEqual([302, 302, 200]);
    expect(await actions(strict)).toContainEqual({
      actorName: strict.email,
      action: "account.updated",
      changes: { requires_single_sign_on: { from: false, to: true } },
    });
    expect((await post(rules, owner, {})).status).toBe(303);
    expect(await open(theirs)).toBe(200);
  });

  test("is offered only where a provider is configured", async () => {
    const read = async (app: TestWeb) => (await (await app.visit(strict)).get(rules)).text();
    const box = (page: string) => /<input type="checkbox" name="single_sign_on"[^>]*>/.exec(page)?.[0];
    const rescue = "the operator of this service can let an owner in again";
    const [offered, without] = await Promise.all([read(world.app), read(world.shared)]);
    expect([box(offered)?.includes(" disabled"), offered.includes(rescue)]).toEqual([false, true]);
    expect([box(without)?.includes(" disabled"), without.includes(rescue)]).toEqual([true, false]);
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
    const wrong = await world.app.request("/login", { form: { email: strict.email, password: "wrong password" } });
    expect(await problemOf(wrong)).toBe("This email address and password do not match.");
  });

  test("an owner signs in by the password of the operator's link, not by an earlier one; another member does not", async () => {
    await require();
    const { database } = world.app;
    const member = await world.app.addMember(strict, "developer");
    const operator = connectDatabase({
      url: world.app.databaseUrl,
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
    expect((await world.app.request("/login", { form: { email: member.email, password } })).status).toBe(403);
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
    const second = await world.app.addAccount();
    await world.app.database.prisma.membership.create({
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
    const { invitation, path } = makeInvitation({ email, role: "viewer" }, Date.now());
    await createInvitationRepository(world.app.database.sql).create(strict.id, invitation);
    const page = await (await world.app.request(path)).text();
    expect(page).toContain("Continue with Harbour Group");
    expect(page).not.toContain('type="password"');
    expect((await post(path, "", { password, again: password })).status).toBe(403);
    world.provider.users.set("new", { subject: `new-${strict.userId}`, email, email_verified: true });
    expect(await open(session(await signIn("new", "harbour", path)))).toBe(200);
  });
});
