import { describe, expect, test } from "@jest/globals";
import { started, startedEach } from "@svc/testkit/started";
import { Secret, TOTP } from "otpauth";
import { password, startTestWeb } from "../testing/start-test-web.ts";

const shared = started(startTestWeb);
/** One for each test, because attempts are limited for each client. */
const app = startedEach(() => startTestWeb({ database: shared }));
const account = startedEach(() => app.addAccount());
const user = startedEach(() => app.visit(account));

const path = "/account/two-factor";
const start = (present = password) => user.post(`${path}/start`, { present });

/** Code that an authenticator app shows for the secret of the page. `periods` after now. */
const codeOf = (secret: string, periods = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30, algorithm: "SHA1" }).generate({
    timestamp: Date.now() + periods * 30_000,
  });
const secretOn = (page: string): string =>
  (/<code class="totp-key">([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");

/** Turns it on with the code of the period before, so that the present one is left for a sign-in. */
async function turnedOn(): Promise<{ secret: string; codes: string[] }> {
  await start();
  const secret = secretOn(await (await user.get(path)).text());
  const response = await user.post(`${path}/confirm`, { code: codeOf(secret, -1) });
  expect(response.status).toBe(200);
  const codes = [...(await response.text()).matchAll(/<li><code>([a-z2-7-]{19})</g)].map(([, code = ""]) => code);
  return { secret, codes };
}

const cookiesOf = (response: Response): string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** The cookie of the second step. */
async function withPassword(next = "/containers"): Promise<string> {
  const response = await app.request("/login", { form: { email: account.email, password, next } });
  expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  expect(await response.text()).toContain(`name="next" value="${next}"`);
  const [cookie = "", ...others] = cookiesOf(response);
  expect([cookie.startsWith("svc_challenge="), others]).toEqual([true, []]);
  return cookie;
}
const enter = (cookie: string, code: string, form: Record<string, string> = { next: "/containers" }) =>
  app.request("/login/code", { form: { code, ...form }, headers: { cookie, origin: app.url } });
const actions = async () =>
  (await app.database.prisma.auditEvent.findMany({ where: { accountId: account.id }, orderBy: { id: "asc" } })).map(
    ({ action }) => action,
  );

describe("two-factor authentication", () => {
  test("is turned on with the password and a code, shows the QR code and the key, and ends other sessions", async () => {
    const other = await app.visit(account);
    expect(await (await user.get(path)).text()).toContain("Set up");
    expect((await start("wrong")).status).toBe(422);
    expect((await start()).status).toBe(303);
    const page = await (await user.get(path)).text();
    expect(page).toMatch(/<svg class="qr" viewBox="0 0 \d+ \d+"/);
    expect(secretOn(page)).toHaveLength(32);
    const refused = await user.post(`${path}/confirm`, { code: "000000x" });
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("This code does not match")]);
    const { codes } = await turnedOn();
    expect(new Set(codes).size).toBe(10);
    expect(await (await user.get(path)).text()).toContain("Recovery codes left: 10 of 10");
    expect((await other.get("/account/sessions")).status).toBe(302);
    expect((await user.get("/account/sessions")).status).toBe(200);
    expect(await actions()).toContain("user.totp_enabled");
  });

  test("asks for a code after the password, and leads to the page that was asked for", async () => {
    const { secret } = await turnedOn();
    const cookie = await withPassword();
    expect((await app.request("/shipments", { headers: { cookie } })).status).toBe(302);
    expect((await app.request("/login/code", { headers: { cookie } })).status).toBe(200);
    const response = await enter(cookie, codeOf(secret));
    expect([response.status, response.headers.get("location")]).toEqual([303, "/containers"]);
    const session = cookiesOf(response).find((one) => one.startsWith("svc_session=")) ?? "";
    expect((await app.request("/account/sessions", { headers: { cookie: session } })).status).toBe(200);
    expect((await enter(cookie, codeOf(secret, 1))).headers.get("location")).toBe("/login?done=challenge");
  });

  test("accepts a code once, also of two at the same time, and none before it", async () => {
    const { secret } = await turnedOn();
    const cookies = [await withPassword(), await withPassword(), await withPassword()];
    const code = codeOf(secret);
    const responses = await Promise.all(cookies.slice(0, 2).map((cookie) => enter(cookie, code)));
    expect(responses.map(({ status }) => status).sort()).toEqual([303, 401]);
    expect((await enter(cookies[2] ?? "", codeOf(secret, -1))).status).toBe(401);
    expect((await enter(cookies[2] ?? "", codeOf(secret, 3))).status).toBe(401);
  });

  test("accepts each recovery code once, in any spelling, and records it", async () => {
    const { codes } = await turnedOn();
    const [code = ""] = codes;
    expect((await enter(await withPassword(), ` ${code.toUpperCase().replaceAll("-", " ")}`)).status).toBe(303);
    expect((await enter(await withPassword(), code)).status).toBe(401);
    expect(await actions()).toEqual(expect.arrayContaining(["user.recovery_code_used", "user.sign_in_failed"]));
    const other = await app.addAccount();
    expect(await app.database.prisma.recoveryCode.count({ where: { userId: other.userId } })).toBe(0);
  });

  test("asks for the password again after five codes, which are counted also at the same time", async () => {
    const { secret } = await turnedOn();
    const cookie = await withPassword();
    const responses = await Promise.all(Array.from({ length: 8 }, () => enter(cookie, "000000")));
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect((await enter(cookie, codeOf(secret))).headers.get("location")).toBe("/login?done=challenge");
  });

  test("limits codes for each user, however often the password is entered", async () => {
    const { secret } = await turnedOn();
    for (let round = 0; round < 2; round++) {
      const cookie = await withPassword();
      for (let count = 0; count < 5; count++) await enter(cookie, "000000");
    }
    const response = await enter(await withPassword(), codeOf(secret));
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(800);
  });

  test("a step that is over, unknown or of another site starts no session", async () => {
    const { secret } = await turnedOn();
    const cookie = await withPassword();
    for (const wrong of ["", "svc_challenge=x", `svc_challenge=${"x".repeat(43)}`]) {
      expect((await enter(wrong, codeOf(secret))).headers.get("location")).toBe("/login?done=challenge");
    }
    const foreign = { cookie, origin: "https://evil.example" };
    expect((await app.request("/login/code", { form: { code: codeOf(secret) }, headers: foreign })).status).toBe(403);
    const externalRedirect = await enter(cookie, codeOf(secret), { next: "https://evil.example/" });
    expect(externalRedirect.headers.get("location")).toBe("/shipments");
    const late = await withPassword();
    await app.database.prisma.signInChallenge.updateMany({ data: { expiresAt: new Date(0) } });
    expect((await enter(late, codeOf(secret, 1))).headers.get("location")).toBe("/login?done=challenge");
  });

  test("is turned off, and recovery codes are replaced, only with the password", async () => {
    const { codes } = await turnedOn();
    expect((await user.post(`${path}/change`, { do: "off", present: "wrong" })).status).toBe(422);
    const page = await (await user.post(`${path}/change`, { do: "codes", present: password })).text();
    expect(page).not.toContain(codes[0]);
    expect((await enter(await withPassword(), codes[0] ?? "")).status).toBe(401);
    const off = await user.post(`${path}/change`, { do: "off", present: password });
    expect(off.headers.get("location")).toBe(`${path}?done=off`);
    expect((await app.request("/login", { form: { email: account.email, password } })).status).toBe(303);
    expect(await actions()).toContain("user.totp_disabled");
  });

  test("a set-up that is not confirmed changes no sign-in, and can be cancelled", async () => {
    await start();
    expect((await app.request("/login", { form: { email: account.email, password } })).status).toBe(303);
    await user.post(`${path}/cancel`, {});
    expect(await (await user.get(path)).text()).toContain("Set up");
    expect(await actions()).not.toContain("user.totp_disabled");
  });

  test("stores neither the secret nor the codes, and logs none", async () => {
    const { secret, codes } = await turnedOn();
    const { sealedSecret } = await app.database.prisma.userTotp.findUniqueOrThrow({
      where: { userId: account.userId },
    });
    expect(Buffer.from(sealedSecret).includes(Buffer.from(secret))).toBe(false);
    for (const hidden of [secret, ...codes]) expect(app.log()).not.toContain(hidden);
  });

  test("without the key it cannot be turned on, and a password alone does not sign its users in", async () => {
    const { secret } = await turnedOn();
    const keyless = await startTestWeb({ database: app, secretKey: null });
    try {
      const form = { email: account.email, password };
      const first = await keyless.request("/login", { form });
      const cookie = cookiesOf(first)[0] ?? "";
      const headers = { cookie, origin: keyless.url };
      const second = await keyless.request("/login/code", { form: { code: codeOf(secret) }, headers });
      expect([first.status, cookie.startsWith("svc_challenge="), second.status]).toEqual([200, true, 503]);
      const page = await keyless.request(path, { headers: { cookie: user.cookie } });
      expect(await page.text()).toContain("SVC_SECRET_KEY");
    } finally {
      await keyless.close();
    }
  });
});
