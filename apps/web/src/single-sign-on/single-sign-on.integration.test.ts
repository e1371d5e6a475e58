import { describe, expect, test } from "@jest/globals";
import { createInvitation, createInvitationRepository } from "@svc/persistence/members";
import { startIdentityProvider } from "../testing/identity-provider.ts";
import {
  actions,
  appUrl,
  begin,
  comeBack,
  cookieOf,
  domain,
  failures,
  known,
  open,
  problemOf,
  providerConfig,
  redirectUris,
  session,
  signIn,
  signInContext,
  startSignInContext,
} from "../testing/sign-in-context.ts";
import { startTestWeb } from "../testing/start-test-web.ts";

startSignInContext();

describe("single sign-on by OpenID Connect", () => {
  test("signs a member in by the verified address, and later by issuer and subject", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "operator");
    known("anna", member);
    const first = await signIn("anna");
    expect([first.status, first.headers.get("location")]).toEqual([303, "/containers"]);
    expect(await open(session(first))).toBe(200);
    expect(await actions(signInContext.account)).toEqual(
      expect.arrayContaining([
        {
          actorName: member.email,
          action: "user.identity_linked",
          changes: { issuer: { from: null, to: signInContext.provider.issuer } },
        },
        {
          actorName: member.email,
          action: "user.signed_in",
          changes: { method: { from: null, to: "single_sign_on" } },
        },
      ]),
    );
    signInContext.provider.users.set("anna", {
      subject: `subject-of-anna-${member.email}`,
      email: `married@${domain}`,
      email_verified: false,
    });
    const unverified = await signIn("anna");
    expect(await problemOf(unverified)).toContain("has not verified your address");
    signInContext.provider.users.set("anna", {
      subject: `subject-of-anna-${member.email}`,
      email: `married@${domain}`,
      email_verified: true,
    });
    expect(await open(session(await signIn("anna")))).toBe(200);
    expect(await signInContext.app.database.prisma.userIdentity.count({ where: { userId: member.userId } })).toBe(1);
  });

  test("sends code challenge, state and nonce, each new, and no secret", async () => {
    const [one, two] = [new URL((await begin()).url).searchParams, new URL((await begin()).url).searchParams];
    expect(one.get("code_challenge_method")).toBe("S256");
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(one.get(name)?.length).toBeGreaterThanOrEqual(43);
      expect(one.get(name)).not.toBe(two.get(name));
    }
    expect([...one.keys()].sort()).toEqual([
      "client_id",
      "code_challenge",
      "code_challenge_method",
      "nonce",
      "redirect_uri",
      "response_type",
      "scope",
      "state",
    ]);
  });

  test("accepts the address in the ID token as well", async () => {
    const other = await startIdentityProvider({ redirectUris, isConforming: false });
    signInContext.opened.push(other);
    const member = await signInContext.shared.addMember(signInContext.account, "viewer");
    other.users.set("anna", { subject: "1", email: member.email, email_verified: true });
    const web = await startTestWeb({ appUrl, database: signInContext.shared, providers: [providerConfig(other)] });
    const response = await web.request("/login/single-sign-on/harbour");
    const url = await other.logIn(response.headers.get("location") ?? "", "anna");
    const { pathname, search } = new URL(url);
    const cookie = cookieOf(response, "svc_single_sign_on");
    expect((await web.request(pathname + search, { headers: { cookie } })).status).toBe(303);
    await web.close();
  });

  test("refuses an address that is missing, not verified, of another domain, or of no user", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "operator");
    known("unverified", member, false);
    signInContext.provider.users.set("nameless", { subject: "nameless" });
    signInContext.provider.users.set("stranger", {
      subject: "stranger",
      email: "a@example.test.evil",
      email_verified: true,
    });
    signInContext.provider.users.set("unknown", {
      subject: "unknown",
      email: `nobody@${domain}`,
      email_verified: true,
    });
    const expected = [
      ["unverified", "email_not_verified", "has not verified your address"],
      ["nameless", "email_missing", "states no email address"],
      ["stranger", "email_domain", "Only addresses of @example.test sign in with Harbour Group"],
      ["unknown", "unknown_user", "Ask an owner of your account for an invitation"],
    ] as const;
    for (const [name, , problem] of expected) {
      const response = await signIn(name);
      expect([name, response.status, session(response)]).toEqual([name, 403, ""]);
      expect(await problemOf(response)).toContain(problem);
    }
    expect(failures()).toEqual(expected.map(([, reason]) => reason));
    expect(await signInContext.app.database.prisma.userIdentity.count({ where: { userId: member.userId } })).toBe(0);
  });

  test("refuses another subject with the address of a linked user until the operator unlinks it", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "operator");
    known("former", member);
    expect((await signIn("former")).status).toBe(303);
    signInContext.provider.users.set("new", { subject: "another", email: member.email, email_verified: true });
    const response = await signIn("new");
    expect([response.status, await problemOf(response)]).toEqual([403, expect.stringContaining("another user")]);
  });

  test("unknown users join the account and role of the provider only when it is configured", async () => {
    const email = `new-${signInContext.account.userId}@${domain}`;
    signInContext.provider.users.set("new", { subject: "new", email, email_verified: true });
    expect((await signIn("new")).status).toBe(403);
    const responses = await Promise.all([signIn("new", "open"), signIn("new", "open")]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    const users = await signInContext.app.database.prisma.user.findMany({
      where: { email },
      include: { memberships: true },
    });
    expect(users).toMatchObject([{ memberships: [{ accountId: signInContext.account.id, role: "operator" }] }]);
    expect(await actions(signInContext.account)).toEqual(
      expect.arrayContaining([{ actorName: email, action: "member.created", changes: expect.anything() }]),
    );
    expect((await signInContext.app.request("/login", { form: { email, password: "" } })).status).toBe(422);
  });

  test("an invitation is accepted by its link and the invited address alone, once", async () => {
    const email = `invited-${signInContext.account.userId}@${domain}`;
    const { invitation, path } = createInvitation({ email, role: "developer" }, Date.now());
    await createInvitationRepository(signInContext.app.database.sql).create(signInContext.account.id, invitation);
    signInContext.provider.users.set("other", { subject: "other", email: `other@${domain}`, email_verified: true });
    expect((await signIn("other", "harbour", path)).status).toBe(403);
    signInContext.provider.users.set("invited", { subject: "invited", email, email_verified: true });
    expect((await signIn("invited")).status).toBe(403);
    const response = await signIn("invited", "harbour", path);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/shipments"]);
    const user = await signInContext.app.database.prisma.user.findFirst({
      where: { email },
      include: { memberships: true },
    });
    expect(user?.memberships).toMatchObject([{ role: "developer" }]);
    expect(await signInContext.app.database.prisma.invitation.count({ where: { id: invitation.id } })).toBe(0);
  });

  test("asks for the second factor unless the provider is trusted with it", async () => {
    const member = await signInContext.app.addMember(signInContext.account, "operator");
    known("careful", member);
    await signInContext.app.database.prisma.userTotp.create({
      data: { userId: member.userId, sealedSecret: new Uint8Array(8), confirmedAt: new Date(), createdAt: new Date() },
    });
    const challenged = await signIn("careful");
    expect([challenged.status, session(challenged)]).toEqual([200, ""]);
    expect(await challenged.text()).toContain("Enter a code");
    expect(await open(session(await signIn("careful", "trusted")))).toBe(200);
  });
});

describe("a response that is not of this sign-in", () => {
  const member = () => signInContext.app.addMember(signInContext.account, "operator");

  test("without the attempt of the browser, of another provider, or older than ten minutes", async () => {
    known("anna", await member());
    const pending = await begin();
    const url = await signInContext.provider.logIn(pending.url, "anna");
    const old = JSON.parse(Buffer.from(pending.cookie.split("=")[1] ?? "", "base64url").toString());
    const aged = Buffer.from(JSON.stringify({ ...old, begunMs: old.begunMs - 601_000 })).toString("base64url");
    const attempts = [
      await comeBack({ ...pending, cookie: "" }, url),
      await comeBack(await begin("trusted"), url),
      await comeBack({ ...pending, cookie: `svc_single_sign_on=${aged}` }, url),
      await comeBack({ ...pending, cookie: "svc_single_sign_on=e30" }, url),
    ];
    for (const response of attempts) {
      expect([response.status, session(response)]).toEqual([400, ""]);
      expect(await problemOf(response)).toContain("longer than 10 minutes, or was begun in another tab");
    }
    expect((await comeBack(pending, url)).status).toBe(303);
  });

  test.each(["state", "nonce", "iss"])("with another %s", async (name) => {
    known("anna", await member());
    const pending = await begin();
    const url = new URL(await signInContext.provider.logIn(pending.url, "anna"));
    const attempt = JSON.parse(Buffer.from(pending.cookie.split("=")[1] ?? "", "base64url").toString());
    if (name === "nonce") attempt.nonce = "another";
    else url.searchParams.set(name, "https://another.example");
    const cookie = `svc_single_sign_on=${Buffer.from(JSON.stringify(attempt)).toString("base64url")}`;
    const response = await comeBack({ ...pending, cookie }, url.href);
    expect([response.status, session(response)]).toEqual([502, ""]);
    expect(await problemOf(response)).toBe("The response of Harbour Group is not valid for this sign-in. Start again.");
  });

  test("with a code that was used, or another verifier", async () => {
    known("anna", await member());
    const pending = await begin();
    const url = await signInContext.provider.logIn(pending.url, "anna");
    expect((await comeBack(pending, url)).status).toBe(303);
    const again = await comeBack(pending, url);
    expect([again.status, await problemOf(again)]).toEqual([400, expect.stringContaining("used before")]);
    const other = await begin();
    const [one, two] = [pending, other].map(({ cookie }) =>
      JSON.parse(Buffer.from(cookie.split("=")[1] ?? "", "base64url").toString()),
    );
    const mixed = Buffer.from(JSON.stringify({ ...two, verifier: one.verifier })).toString("base64url");
    const refused = await comeBack(
      { ...other, cookie: `svc_single_sign_on=${mixed}` },
      await signInContext.provider.logIn(other.url, "anna"),
    );
    expect([refused.status, session(refused)]).toEqual([400, ""]);
  });
});
