import { createHash, randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import { dayMs, instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { createInvitationRepository } from "@svc/persistence/members";
import { startedEach } from "@svc/testkit/started";
import {
  appUrl,
  cookieOf,
  known,
  open,
  session,
  signIn,
  signInContext,
  startSignInContext,
} from "../testing/sign-in-context.ts";

startSignInContext();

const path = "/login/single-sign-on/harbour/logout";
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

let subject: string;

const member = startedEach(() => signInContext.app.addMember(signInContext.account, "operator"));
beforeEach(async () => {
  known("anna", member);
  subject = signInContext.provider.users.get("anna")?.subject ?? "";
  signInContext.provider.logoutUri = `${signInContext.app.url}${path}`;
});

const post = (token: string, to = path) => signInContext.app.request(to, { form: { logout_token: token } });
const logged = (event: string) =>
  signInContext.app
    .log()
    .split("\n")
    .filter((line) => line.includes(`"${event}"`))
    .map((line) => JSON.parse(line));
const openSessions = () =>
  signInContext.app.database.prisma.userSession.findMany({
    where: { userId: member.userId, revokedAt: null },
    orderBy: { createdAt: "asc" },
  });
const providerSessions = async () => (await openSessions()).map(({ providerSession }) => providerSession);

describe("a provider ends sessions by back-channel logout", () => {
  test("ends one session by its id, and no other session of the user", async () => {
    const [first, second] = [session(await signIn("anna")), session(await signIn("anna"))];
    const [one] = await providerSessions();
    expect(one).toMatch(/^[\w-]{20,}$/);
    await signInContext.provider.logOut(subject, one ?? "");
    expect([await open(first), await open(second)]).toEqual([302, 200]);
    expect(logged("single_sign_on.logged_out")).toMatchObject([{ provider: "harbour", sessions: 1 }]);
  });

  test("ends every session of a user at the provider, but none by password or of another user", async () => {
    const byPassword = await signInContext.app.logIn(member);
    const [first, second] = [session(await signIn("anna")), session(await signIn("anna", "trusted"))];
    const other = await signInContext.app.addMember(signInContext.account, "operator");
    known("ben", other);
    const otherSession = session(await signIn("ben"));
    const response = await post(signInContext.provider.logoutToken({ sub: subject }));
    expect([response.status, await response.text(), response.headers.get("cache-control")]).toEqual([
      200,
      "",
      "no-store",
    ]);
    expect(await Promise.all([first, second, byPassword, otherSession].map((cookie) => open(cookie)))).toEqual([
      302, 302, 200, 200,
    ]);
  });

  test("ends the session also in the account to which the user switched", async () => {
    const second = await signInContext.app.addAccount();
    await signInContext.app.database.prisma.membership.create({
      data: { userId: member.userId, accountId: second.id, role: "viewer" },
    });
    const cookie = session(await signIn("anna"));
    const switched = await signInContext.app.request("/account/accounts/switch", {
      form: { account: second.id },
      headers: { cookie, origin: appUrl },
    });
    const after = session(switched);
    expect([switched.status, await open(after)]).toEqual([303, 200]);
    await post(signInContext.provider.logoutToken({ sub: subject }));
    expect(await open(after)).toBe(302);
  });

  test("ends the session also in an account whose invitation the user accepted", async () => {
    const second = await signInContext.app.addAccount();
    const secret = randomBytes(32).toString("base64url");
    await createInvitationRepository(signInContext.app.database.sql).create(second.id, {
      id: uuidV7.next(),
      email: member.email,
      role: "viewer",
      tokenSha256: createHash("sha256").update(secret).digest(),
      createdAt: instant(Date.now()),
      expiresAt: instant(Date.now() + dayMs),
    });
    const cookie = session(await signIn("anna"));
    const [before] = await openSessions();
    const accepted = await signInContext.app.request(`/join/${secret}`, {
      form: {},
      headers: { cookie, origin: appUrl },
    });
    const after = session(accepted);
    expect([accepted.status, await open(cookie), await open(after)]).toEqual([303, 302, 200]);
    const lasting = { ...before, tokenSha256: expect.anything(), lastUsedAt: expect.anything() };
    expect(await openSessions()).toEqual([{ ...lasting, accountId: second.id }]);
    await post(signInContext.provider.logoutToken({ sub: subject }));
    expect(await open(after)).toBe(302);
  });

  test("ends a sign-in that waits for the code of the second factor", async () => {
    await signInContext.app.database.prisma.userTotp.create({
      data: {
        userId: member.userId,
        sealedSecret: Buffer.from("sealed"),
        createdAt: new Date(),
        confirmedAt: new Date(),
      },
    });
    const waiting = cookieOf(await signIn("anna"), "svc_challenge");
    const readSession = async () =>
      (await signInContext.app.request("/login/code", { headers: { cookie: waiting } })).headers.get("location");
    expect(await readSession()).toBeNull();
    await post(signInContext.provider.logoutToken({ sub: subject }));
    expect(await readSession()).toBe("/login?done=challenge");
  });

  test("ends a session that has no id of the provider by its user", async () => {
    const cookie = session(await signIn("anna"));
    await signInContext.app.database.prisma.userSession.updateMany({
      where: { userId: member.userId },
      data: { providerSession: null },
    });
    expect((await post(signInContext.provider.logoutToken({ sid: "another" }))).status).toBe(200);
    expect(await open(cookie)).toBe(200);
    expect((await post(signInContext.provider.logoutToken({ sub: subject, sid: "another" }))).status).toBe(200);
    expect(await open(cookie)).toBe(302);
  });

  test("ends nothing for an unknown user or session, with the same response", async () => {
    const cookie = session(await signIn("anna"));
    for (const claims of [{ sub: "unknown" }, { sid: "unknown" }, { sub: "unknown", sid: "unknown" }]) {
      const response = await post(signInContext.provider.logoutToken(claims));
      expect([response.status, await response.text()]).toEqual([200, ""]);
    }
    expect(await open(cookie)).toBe(200);
  });
});

describe("a logout token is refused, and ends nothing", () => {
  const seconds = Math.floor(Date.now() / 1_000);
  interface Wrong {
    readonly claims?: object;
    readonly header?: Readonly<Record<string, unknown>>;
    readonly isForged?: boolean;
  }
  const wrong: readonly [what: string, reason: string, wrong: Wrong][] = [
    ["of another issuer", "claim_iss", { claims: { iss: "https://evil.example" } }],
    ["for another client", "claim_aud", { claims: { aud: "another-client" } }],
    ["without an audience", "claim_aud", { claims: { aud: undefined } }],
    ["that is expired", "claim_exp", { claims: { iat: seconds - 300, exp: seconds - 120 } }],
    ["without an expiry", "claim_exp", { claims: { exp: undefined } }],
    ["of an hour ago, that lasts for a day", "claim_iat", { claims: { iat: seconds - 3_600, exp: seconds + 80_000 } }],
    ["of the future", "claim_iat", { claims: { iat: seconds + 600, exp: seconds + 900 } }],
    ["without a time of issue", "claim_iat", { claims: { iat: undefined } }],
    ["without an identifier", "claim_jti", { claims: { jti: undefined } }],
    ["without events", "claim_events", { claims: { events: undefined } }],
    ["with another event", "claim_events", { claims: { events: { "https://example.test/other": {} } } }],
    ["with an event that is no object", "claim_events", { claims: { events: { [logoutEvent]: true } } }],
    ["with a nonce, as an ID token has", "claim_nonce", { claims: { nonce: "of-a-sign-in" } }],
    ["without user and session", "claim_sub", { claims: { sub: undefined } }],
    ["with a user that is no text", "claim_sub", { claims: { sub: 7 } }],
    ["signed with another key", "jws_signature_verification_failed", { isForged: true }],
    ["with the identifier of an unknown key", "jwks_no_matching_key", { header: { kid: "unknown" } }],
    ["without a signature", "jose_alg_not_allowed", { header: { alg: "none" } }],
    ["signed with a secret", "jose_alg_not_allowed", { header: { alg: "HS256" } }],
  ];

  test.each(wrong)("%s", async (_what, reason, { claims, ...signing }) => {
    const cookie = session(await signIn("anna"));
    const response = await post(signInContext.provider.logoutToken({ sub: subject, ...claims }, signing));
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: "invalid_request", error_description: `The logout token is not valid: ${reason}.` },
    ]);
    expect(logged("single_sign_on.logout_failed")).toMatchObject([{ provider: "harbour", reason }]);
    expect(await open(cookie)).toBe(200);
  });

  test("has been used before, also through another provider of the same issuer", async () => {
    const token = signInContext.provider.logoutToken({ sub: subject });
    expect((await post(token)).status).toBe(200);
    const cookie = session(await signIn("anna"));
    for (const to of [path, "/login/single-sign-on/trusted/logout"]) {
      const response = await post(token, to);
      expect([response.status, await response.text()]).toEqual([400, expect.stringContaining("used_before")]);
    }
    expect(await open(cookie)).toBe(200);
  });

  test("an ID token, a text that is no token, a missing one, and none of a browser's other forms", async () => {
    const idToken = signInContext.provider.logoutToken({ sub: subject, nonce: "n", events: undefined, jti: undefined });
    for (const token of [idToken, "no token", "a.b.c", ""]) expect((await post(token)).status).toBe(400);
    expect((await signInContext.app.request(path, { form: {} })).status).toBe(400);
    expect((await signInContext.app.request(path)).status).toBe(405);
    expect((await signInContext.app.request("/login/single-sign-on/unknown/logout", { form: {} })).status).toBe(404);
    for (const token of [idToken]) expect(signInContext.app.log()).not.toContain(token);
  });

  test("while the keys of the provider cannot be read; it is accepted once they can", async () => {
    const cookie = session(await signIn("anna"));
    const token = signInContext.provider.logoutToken({ sub: subject });
    signInContext.provider.answer = (_request, response) => void response.writeHead(503).end();
    const reply = await post(token);
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining("cannot be read")]);
    expect(await open(cookie)).toBe(200);
    signInContext.provider.answer = null;
    expect((await post(token)).status).toBe(200);
    expect(await open(cookie)).toBe(302);
  });
});
