import { describe, expect, test } from "@jest/globals";
import { createPasswordReset } from "@svc/persistence/access";
import { started, startedEach } from "@svc/testkit/started";
import { password, startTestWeb, type TestAccount } from "../testing/start-test-web.ts";

const chosen = "paper boat morning";

const app = started(startTestWeb);
const account = startedEach(() => app.addAccount());

const own = () => ({ origin: app.url });
const requestReset = (email: string, headers: Record<string, string> = own()) =>
  app.request("/login/forgotten", { form: { email }, headers });
const linkOf = async ({ email }: TestAccount) => (await createPasswordReset(app.database.sql, email))?.path ?? "";
const choose = (link: string, form: Record<string, string> = {}, headers: Record<string, string> = own()) =>
  app.request(link, { form: { password: chosen, again: chosen, ...form }, headers });
const logIn = async ({ email }: TestAccount, text: string) =>
  (await app.request("/login", { form: { email, password: text } })).status;
const waiting = (email: string) => app.database.prisma.signInMail.count({ where: { email } });

describe("a lost password", () => {
  test("has a form behind a link of the log-in page, and takes the same response and work for every address", async () => {
    expect(await (await app.request("/login")).text()).toContain('href="/login/forgotten"');
    expect(await (await app.request("/login/forgotten")).text()).toContain("Send the link");
    const responses = await Promise.all(
      [account.email, "unknown@example.test"].map(async (email) => {
        const response = await requestReset(email);
        expect([response.status, await waiting(email)]).toEqual([200, 1]);
        return (await response.text()).replaceAll(email, "");
      }),
    );
    expect(responses[0]).toBe(responses[1]);
    expect(await app.database.prisma.passwordReset.count({ where: { userId: account.userId } })).toBe(0);
  });

  test("rejects a malformed e-mail address at its field", async () => {
    for (const email of ["", "nonsense", `${"x".repeat(250)}@example.test`]) {
      const response = await requestReset(email);
      expect([response.status, (await response.text()).includes("Enter an email address.")]).toEqual([422, true]);
    }
  });

  test("requests are limited for each address, without using up the attempts of the sign-in", async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await requestReset(account.email.toUpperCase())).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await requestReset(account.email);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
    expect(await logIn(account, password)).toBe(303);
  });

  test("requests are limited for each client", async () => {
    const other = await startTestWeb();
    try {
      const statuses: number[] = [];
      for (let count = 0; count < 21; count++) {
        const form = { email: `user${count}@example.test` };
        statuses.push((await other.request("/login/forgotten", { form, headers: { origin: other.url } })).status);
      }
      expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429]);
    } finally {
      await other.close();
    }
  });

  test("a link sets a password once, ends every session, and does not sign in by itself", async () => {
    const before = await app.visit(account);
    const link = await linkOf(account);
    expect(await (await app.request(link)).text()).toContain(account.email);
    // Opening it, as programs that scan mails do, does not use it.
    expect((await app.request(link)).status).toBe(200);
    const response = await choose(link);
    expect([response.status, response.headers.get("location")]).toEqual([303, "/login?done=reset"]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await (await app.request("/login?done=reset")).text()).toContain("Your password is changed.");
    expect((await before.get("/account/sessions")).status).toBe(302);
    expect([await logIn(account, password), await logIn(account, chosen)]).toEqual([401, 303]);
    expect([(await app.request(link)).status, (await choose(link)).status]).toEqual([404, 404]);
    expect(await waiting(account.email)).toBe(1);
    expect(app.log()).not.toContain(link.split("/").at(-1));
  });

  test("ends the wait of a user who guessed too often", async () => {
    for (let count = 0; count < 11; count++) await logIn(account, "wrong");
    expect(await logIn(account, password)).toBe(429);
    await choose(await linkOf(account));
    expect(await logIn(account, chosen)).toBe(303);
  });

  test.each([
    [{ password: "short", again: "short" }, "password-problem"],
    [{ again: "another one" }, "again-problem"],
  ])("a password that will not do leaves the link as it is: %j", async (form, place) => {
    const link = await linkOf(account);
    const refused = await choose(link, form);
    expect([refused.status, (await refused.text()).includes(place)]).toEqual([422, true]);
    expect((await choose(link)).status).toBe(303);
  });

  test("links that do not work get one answer", async () => {
    const link = await linkOf(account);
    await linkOf(account);
    for (const over of [link, `/login/reset/${"x".repeat(43)}`, "/login/reset/x"]) {
      expect([(await app.request(over)).status, (await choose(over)).status]).toEqual([404, 404]);
    }
  });

  test("forms of other sites are refused", async () => {
    const link = await linkOf(account);
    for (const headers of [{}, { origin: "https://evil.example" }] as Record<string, string>[]) {
      expect([(await requestReset(account.email, headers)).status, (await choose(link, {}, headers)).status]).toEqual([
        403, 403,
      ]);
    }
    expect(await logIn(account, password)).toBe(303);
  });

  test("a user who changes the own password is notified by mail", async () => {
    const visitor = await app.visit(account);
    await visitor.post("/account/password", { present: password, password: chosen, again: chosen });
    expect(await waiting(account.email)).toBe(1);
  });
});

test("without e-mail the page names who can help, and stores no mail", async () => {
  const quiet = await startTestWeb({ database: app, sendsMail: false });
  try {
    const page = await (await quiet.request("/login/forgotten")).text();
    expect(page).toContain("svc-admin users reset");
    expect(page).not.toContain("<form");
    const form = { email: account.email };
    await quiet.request("/login/forgotten", { form, headers: { origin: quiet.url } });
    const link = await linkOf(account);
    const passwords = { password: chosen, again: chosen };
    expect((await quiet.request(link, { form: passwords, headers: { origin: quiet.url } })).status).toBe(303);
    expect(await waiting(account.email)).toBe(0);
  } finally {
    await quiet.close();
  }
});
