import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { createPasswordReset } from "@svc/persistence/access";
import { createInvitationRepository, makeInvitation, setSignInRules } from "@svc/persistence/members";
import { type IdentityProvider, startIdentityProvider } from "../testing/identity-provider.ts";
import { password, startTestWeb, type TestAccount, type TestWeb } from "../testing/start-test-web.ts";
import type { ProviderConfig } from "./provider-config.ts";

const appUrl = "http://127.0.0.1:49999";
const domain = "example.test";
const redirectUris = ["harbour", "trusted", "open"].map((name) => `${appUrl}/login/single-sign-on/${name}/callback`);

let shared: TestWeb;
let provider: IdentityProvider;
let app: TestWeb;
let account: TestAccount;
const opened: IdentityProvider[] = [];

const configOf = ({ issuer, clientId, clientSecret }: IdentityProvider): ProviderConfig => ({
  name: "harbour",
  label: "Harbour Group",
  issuer,
  clientId,
  clientSecret,
  domains: [domain],
  verifiedEmailClaim: "email_verified",
  coversTwoFactor: false,
  join: null,
  networks: [],
});

beforeAll(async () => {
  shared = await startTestWeb();
  provider = await startIdentityProvider({ redirectUris });
  account = await shared.addAccount();
});
beforeEach(async () => {
  provider.answer = null;
  provider.users.clear();
  const config = configOf(provider);
  app = await startTestWeb({
    appUrl,
    database: shared,
    providers: [
      config,
      { ...config, name: "trusted", coversTwoFactor: true },
      { ...config, name: "open", join: { accountId: account.id, role: "operator" } },
    ],
  });
});
afterEach(async () => {
  await app.close();
  await Promise.all(opened.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await provider.close();
  await shared.close();
});

const cookieOf = (response: Response, name: string): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0] ?? "")
    .find((cookie) => cookie.startsWith(`${name}=`)) ?? "";

interface Begun {
  readonly cookie: string;
  readonly url: string;
}

async function begin(name = "harbour", next = "/containers"): Promise<Begun> {
  const response = await app.request(`/login/single-sign-on/${name}?next=${encodeURIComponent(next)}`);
  expect(response.status).toBe(302);
  return { cookie: cookieOf(response, "svc_single_sign_on"), url: response.headers.get("location") ?? "" };
}

/** The browser returns from the provider. */
const comeBack = ({ cookie }: Begun, url: string): Promise<Response> => {
  const { pathname, search } = new URL(url);
  return app.request(`${pathname}${search}`, { headers: { cookie } });
};

async function signIn(user: string, name = "harbour", next = "/containers"): Promise<Response> {
  const begun = await begin(name, next);
  return comeBack(begun, await provider.logIn(begun.url, user));
}

const session = (response: Response): string => cookieOf(response, "svc_session");
const open = async (cookie: string, path = "/account/sessions") =>
  (await app.request(path, { headers: { cookie } })).status;
const problemOf = async (response: Response): Promise<string> =>
  /<p class="problem" role="alert">([^<]*)</.exec(await response.text())?.[1]?.replaceAll("&#39;", "'") ?? "";
const failures = (): string[] =>
  app
    .log()
    .split("\n")
    .filter((line) => line.includes("single_sign_on.failed"))
    .map((line) => String(JSON.parse(line).reason));
const actions = async ({ id }: TestAccount) =>
  (await app.database.prisma.auditEvent.findMany({ where: { accountId: id }, orderBy: { id: "asc" } })).map(
    ({ actorName, action, changes }) => ({ actorName, action, changes }),
  );

/** A user of the provider with a member's address. */
function known(name: string, { email }: Pick<TestAccount, "email">, isVerified = true): void {
  provider.users.set(name, { subject: `subject-of-${name}-${email}`, email, email_verified: isVerified });
}

describe("single sign-on by OpenID Connect [issue 17.2.6]", () => {
  test("signs a member in by the verified address, and later by issuer and subject", async () => {
    const member = await app.addMember(account, "operator");
    known("anna", member);
    const first = await signIn("anna");
    expect([first.status, first.headers.get("location")]).toEqual([303, "/containers"]);
    expect(await open(session(first))).toBe(200);
    expect(await actions(account)).toEqual(
      expect.arrayContaining([
        {
          actorName: member.email,
          action: "user.identity_linked",
          changes: { issuer: { from: null, to: provider.issuer } },
        },
        {
          actorName: member.email,
          action: "user.signed_in",
          changes: { method: { from: null, to: "single_sign_on" } },
        },
      ]),
    );
    provider.users.set("anna", {
      subject: `subject-of-anna-${member.email}`,
      email: `married@${domain}`,
      email_verified: false,
    });
    const unverified = await signIn("anna");
    expect(await problemOf(unverified)).toContain("has not verified your address");
    provider.users.set("anna", {
      subject: `subject-of-anna-${member.email}`,
      email: `married@${domain}`,
      email_verified: true,
    });
    expect(await open(session(await signIn("anna")))).toBe(200);
    expect(await app.database.prisma.userIdentity.count({ where: { userId: member.userId } })).toBe(1);
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
    opened.push(other);
    const member = await shared.addMember(account, "viewer");
    other.users.set("anna", { subject: "1", email: member.email, email_verified: true });
    const web = await startTestWeb({ appUrl, database: shared, providers: [configOf(other)] });
    const response = await web.request("/login/single-sign-on/harbour");
    const url = await other.logIn(response.headers.get("location") ?? "", "anna");
    const { pathname, search } = new URL(url);
    const cookie = cookieOf(response, "svc_single_sign_on");
    expect((await web.request(pathname + search, { headers: { cookie } })).status).toBe(303);
    await web.close();
  });

  test("refuses an address that is missing, not verified, of another domain, or of no user", async () => {
    const member = await app.addMember(account, "operator");
    known("unverified", member, false);
    provider.users.set("nameless", { subject: "nameless" });
    provider.users.set("stranger", { subject: "stranger", email: "a@example.test.evil", email_verified: true });
    provider.users.set("unknown", { subject: "unknown", email: `nobody@${domain}`, email_verified: true });
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
    expect(await app.database.prisma.userIdentity.count({ where: { userId: member.userId } })).toBe(0);
  });

  test("refuses another subject with the address of a linked user until the operator unlinks it", async () => {
    const member = await app.addMember(account, "operator");
    known("former", member);
    expect((await signIn("former")).status).toBe(303);
    provider.users.set("new", { subject: "another", email: member.email, email_verified: true });
    const response = await signIn("new");
    expect([response.status, await problemOf(response)]).toEqual([403, expect.stringContaining("another user")]);
  });

  test("unknown users join the account and role of the provider only when it is configured", async () => {
    const email = `new-${account.userId}@${domain}`;
    provider.users.set("new", { subject: "new", email, email_verified: true });
    expect((await signIn("new")).status).toBe(403);
    const answers = await Promise.all([signIn("new", "open"), signIn("new", "open")]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const users = await app.database.prisma.user.findMany({ where: { email }, include: { memberships: true } });
    expect(users).toMatchObject([{ memberships: [{ accountId: account.id, role: "operator" }] }]);
    expect(await actions(account)).toEqual(
      expect.arrayContaining([{ actorName: email, action: "member.created", changes: expect.anything() }]),
    );
    expect((await app.request("/login", { form: { email, password: "" } })).status).toBe(422);
  });

  test("an invitation is accepted by its link and the invited address alone, once", async () => {
    const email = `invited-${account.userId}@${domain}`;
    const { invitation, path } = makeInvitation({ email, role: "developer" }, Date.now());
    await createInvitationRepository(app.database.sql).create(account.id, invitation);
    provider.users.set("other", { subject: "other", email: `other@${domain}`, email_verified: true });
    expect((await signIn("other", "harbour", path)).status).toBe(403);
    provider.users.set("invited", { subject: "invited", email, email_verified: true });
    expect((await signIn("invited")).status).toBe(403);
    const response = await signIn("invited", "harbour", path);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/shipments"]);
    const user = await app.database.prisma.user.findFirst({ where: { email }, include: { memberships: true } });
    expect(user?.memberships).toMatchObject([{ role: "developer" }]);
    expect(await app.database.prisma.invitation.count({ where: { id: invitation.id } })).toBe(0);
  });

  test("asks for the second factor unless the provider is trusted with it", async () => {
    const member = await app.addMember(account, "operator");
    known("careful", member);
    await app.database.prisma.userTotp.create({
      data: { userId: member.userId, sealedSecret: new Uint8Array(8), confirmedAt: new Date(), createdAt: new Date() },
    });
    const asked = await signIn("careful");
    expect([asked.status, session(asked)]).toEqual([200, ""]);
    expect(await asked.text()).toContain("Enter a code");
    expect(await open(session(await signIn("careful", "trusted")))).toBe(200);
  });
});

describe("a response that is not of this sign-in", () => {
  const member = () => app.addMember(account, "operator");

  test("without the attempt of the browser, of another provider, or older than ten minutes", async () => {
    known("anna", await member());
    const begun = await begin();
    const url = await provider.logIn(begun.url, "anna");
    const old = JSON.parse(Buffer.from(begun.cookie.split("=")[1] ?? "", "base64url").toString());
    const aged = Buffer.from(JSON.stringify({ ...old, begunMs: old.begunMs - 601_000 })).toString("base64url");
    const attempts = [
      await comeBack({ ...begun, cookie: "" }, url),
      await comeBack(await begin("trusted"), url),
      await comeBack({ ...begun, cookie: `svc_single_sign_on=${aged}` }, url),
      await comeBack({ ...begun, cookie: "svc_single_sign_on=e30" }, url),
    ];
    for (const response of attempts) {
      expect([response.status, session(response)]).toEqual([400, ""]);
      expect(await problemOf(response)).toContain("longer than 10 minutes, or was begun in another tab");
    }
    expect((await comeBack(begun, url)).status).toBe(303);
  });

  test.each(["state", "nonce", "iss"])("with another %s", async (name) => {
    known("anna", await member());
    const begun = await begin();
    const url = new URL(await provider.logIn(begun.url, "anna"));
    const attempt = JSON.parse(Buffer.from(begun.cookie.split("=")[1] ?? "", "base64url").toString());
    if (name === "nonce") attempt.nonce = "another";
    else url.searchParams.set(name, "https://another.example");
    const cookie = `svc_single_sign_on=${Buffer.from(JSON.stringify(attempt)).toString("base64url")}`;
    const response = await comeBack({ ...begun, cookie }, url.href);
    expect([response.status, session(response)]).toEqual([502, ""]);
    expect(await problemOf(response)).toBe("The response of Harbour Group is not valid for this sign-in. Start again.");
  });

  test("with a code that was used, or another verifier", async () => {
    known("anna", await member());
    const begun = await begin();
    const url = await provider.logIn(begun.url, "anna");
    expect((await comeBack(begun, url)).status).toBe(303);
    const again = await comeBack(begun, url);
    expect([again.status, await problemOf(again)]).toEqual([400, expect.stringContaining("used before")]);
    const other = await begin();
    const [one, two] = [begun, other].map(({ cookie }) =>
      JSON.parse(Buffer.from(cookie.split("=")[1] ?? "", "base64url").toString()),
    );
    const mixed = Buffer.from(JSON.stringify({ ...two, verifier: one.verifier })).toString("base64url");
    const refused = await comeBack(
      { ...other, cookie: `svc_single_sign_on=${mixed}` },
      await provider.logIn(other.url, "anna"),
    );
    expect([refused.status, session(refused)]).toEqual([400, ""]);
  });
});

describe("failures of the provider", () => {
  const webOf = async (config: ProviderConfig): Promise<Response> => {
    await app.close();
    app = await startTestWeb({ appUrl, database: shared, providers: [config] });
    return app.request("/login/single-sign-on/harbour?next=/containers");
  };

  test("a refusal, and any other error, is named on the sign-in page", async () => {
    for (const [error, status, problem] of [
      ["access_denied", 403, "Harbour Group refused the sign-in, or you cancelled it there."],
      ["server_error", 502, "Harbour Group refused the sign-in (server_error)."],
      ["<b>secret</b>", 502, "Harbour Group refused the sign-in (unknown)."],
    ] as const) {
      const begun = await begin();
      const query = { error, error_description: "<i>secret</i>", iss: provider.issuer };
      const back = new URLSearchParams({ ...query, state: new URL(begun.url).searchParams.get("state") ?? "" });
      const response = await comeBack(begun, `${redirectUris[0]}?${back}`);
      expect([response.status, await problemOf(response)]).toEqual([status, expect.stringContaining(problem)]);
    }
    expect(failures()).toEqual(["authorization_access_denied", "authorization_server_error", "authorization_unknown"]);
    expect(app.log()).not.toContain("secret</");
  });

  test.each([
    ["HTML", 200, "text/html", "<html>", "does not answer as an OpenID Connect provider"],
    ["an error", 503, "text/plain", "", "does not answer as an OpenID Connect provider"],
    ["broken JSON", 200, "application/json", "{", "does not answer as an OpenID Connect provider"],
    ["another issuer", 200, "application/json", '{"issuer":"https://evil.example"}', "is not valid for this sign-in"],
  ])("discovery answers with %s", async (_what, status, type, body, problem) => {
    provider.answer = (_request, response) => void response.writeHead(status, { "Content-Type": type }).end(body);
    const response = await app.request("/login/single-sign-on/harbour?next=/containers");
    expect([response.status, await problemOf(response)]).toEqual([502, expect.stringContaining(problem)]);
    expect(failures()).toHaveLength(1);
    // The next one asks the provider again.
    provider.answer = null;
    expect((await begin()).url).toContain(provider.issuer);
  });

  test("an issuer that cannot be reached, or is at a private address, is not available", async () => {
    const closed = await webOf({ ...configOf(provider), issuer: "http://127.0.0.1:1" });
    expect([closed.status, await problemOf(closed)]).toEqual([502, expect.stringContaining("cannot be reached")]);
    const metadata = await webOf({ ...configOf(provider), issuer: "https://169.254.169.254" });
    expect([metadata.status, await problemOf(metadata)]).toEqual([502, expect.stringContaining("does not call")]);
    expect(failures()).toEqual(["blocked_address"]);
  });

  test("an expired ID token is a matter of clocks, and a wrong client secret of the operator", async () => {
    const late = await startIdentityProvider({ redirectUris, clockSeconds: -600 });
    opened.push(late);
    late.users.set("anna", { subject: "1", email: account.email, email_verified: true });
    const begun = await webOf(configOf(late));
    const attempt = { cookie: cookieOf(begun, "svc_single_sign_on"), url: begun.headers.get("location") ?? "" };
    const response = await comeBack(attempt, await late.logIn(attempt.url, "anna"));
    expect([response.status, await problemOf(response)]).toEqual([502, expect.stringContaining("clocks")]);
    const wrong = await webOf({ ...configOf(provider), clientSecret: "wrong-secret" });
    const other = { cookie: cookieOf(wrong, "svc_single_sign_on"), url: wrong.headers.get("location") ?? "" };
    const refused = await comeBack(other, await provider.logIn(other.url, "anna"));
    expect([refused.status, await problemOf(refused)]).toEqual([502, expect.stringContaining("the client secret")]);
  });

  test("no code, token or secret is logged", async () => {
    const member = await app.addMember(account, "operator");
    known("anna", member);
    const begun = await begin();
    const url = await provider.logIn(begun.url, "anna");
    await comeBack(begun, url);
    await comeBack(begun, url);
    const attempt = JSON.parse(Buffer.from(begun.cookie.split("=")[1] ?? "", "base64url").toString());
    const { searchParams } = new URL(url);
    expect(failures()).toEqual(["token_invalid_grant"]);
    for (const secret of [
      searchParams.get("code"),
      attempt.state,
      attempt.verifier,
      attempt.nonce,
      provider.clientSecret,
    ]) {
      expect(app.log()).not.toContain(String(secret));
    }
  });
});

describe("an account that requires single sign-on", () => {
  let strict: TestAccount;
  const rules = "/account/sign-in-rules";
  beforeEach(async () => {
    strict = await app.addAccount();
    known("owner", strict);
  });
  const post = (path: string, cookie: string, form: Record<string, string>) =>
    app.request(path, { form, headers: { cookie, origin: appUrl } });
  const require = () => setSignInRules(app.database.sql, strict.id, { requiresSingleSignOn: true });
  const byPassword = () => app.request("/login", { form: { email: strict.email, password } });

  test("is required by an owner who signed in with it, ends password sessions at once, and is recorded", async () => {
    const other = await app.addMember(strict, "operator");
    const [theirs, mine] = [await app.logIn(other), await app.logIn(strict)];
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
    const wrong = await app.request("/login", { form: { email: strict.email, password: "wrong password" } });
    expect(await problemOf(wrong)).toBe("This email address and password do not match.");
  });

  test("an owner signs in by password after the operator made a link, another member does not", async () => {
    await require();
    const member = await app.addMember(strict, "developer");
    const operator = connectDatabase({
      url: app.databaseUrl,
      applicationName: "test-operator",
      onIdleError: () => undefined,
      actor: { type: "operator" },
    });
    await createPasswordReset(app.database.sql, strict.email);
    expect((await byPassword()).status).toBe(403);
    await createPasswordReset(operator.sql, strict.email);
    await createPasswordReset(operator.sql, member.email);
    await operator.close();
    const response = await byPassword();
    expect([response.status, await open(session(response))]).toEqual([303, 200]);
    expect((await app.request("/login", { form: { email: member.email, password } })).status).toBe(403);
    await app.database.prisma.user.update({
      where: { id: strict.userId },
      data: { passwordAllowedUntil: new Date(Date.now() - 1) },
    });
    expect((await byPassword()).status).toBe(403);
  });

  test("a user of several accounts works by password in those that allow it, and cannot switch", async () => {
    await require();
    const second = await app.addAccount();
    await app.database.prisma.membership.create({
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
    await createInvitationRepository(app.database.sql).create(strict.id, invitation);
    const page = await (await app.request(path)).text();
    expect(page).toContain("Continue with Harbour Group");
    expect(page).not.toContain('type="password"');
    expect((await post(path, "", { password, again: password })).status).toBe(403);
    provider.users.set("new", { subject: `new-${strict.userId}`, email, email_verified: true });
    expect(await open(session(await signIn("new", "harbour", path)))).toBe(200);
  });
});
