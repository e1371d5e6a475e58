import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { connectDatabase, uuidV7 } from "@svc/persistence";
import { createInvitation, createInvitationRepository } from "@svc/persistence/members";
import { eventually } from "@svc/testkit";
import { Secret, TOTP } from "otpauth";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { logIn, openUserMenu, typeInto } from "./harness/typing.ts";

inBrowser("signing in", (running) => {
  let password = "";

  beforeAll(async () => {
    ({ password } = running.system.runtime().login);
  }, timeoutMs);

  const open = (javaScriptEnabled: boolean): Promise<Visit> =>
    running.browser.visit(running.system.runtime().app, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });

  /** The link of an invitation to a new account. */
  async function invitationTo(companyName: string, email: string): Promise<string> {
    const { app, databaseUrl: url } = running.system.runtime();
    const database = connectDatabase({ url, applicationName: "browser-test", onIdleError: () => undefined });
    try {
      const id = uuidV7.next();
      await database.prisma.account.create({ data: { id, companyName, createdAt: new Date() } });
      const { invitation, path: link } = createInvitation({ email, role: "operator" }, Date.now());
      await createInvitationRepository(database.sql).create(id, invitation);
      return `${app}${link}`;
    } finally {
      await database.close();
    }
  }

  /** The newest link for a lost password in the mails that the installation kept. */
  const mailedLink = (before: number): Promise<string> =>
    eventually("the mail has arrived", () => mailedLinks()[before]);
  const mailedLinks = (): string[] => {
    const folder = path.join(running.system.runtime().dataDir, "mails");
    const mails = fs.readdirSync(folder).filter((name) => name.endsWith(".eml"));
    return mails.sort().flatMap((name) => {
      const text = fs.readFileSync(path.join(folder, name), "utf8").replaceAll("=\r\n", "");
      return /http:\S+\/login\/reset\/[\w-]{43}/.exec(text)?.[0] ?? [];
    });
  };

  test.each([true, false])(
    "two-factor authentication is turned on and asked for, and a recovery code replaces it once (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const { app, login } = running.system.runtime();
      const visit = await open(javaScriptEnabled);
      const { page } = visit;
      await page.goto(`${app}/login?next=/account/two-factor`);
      await logIn(page, { email: login.email, password });
      await page.waitForURL(`${app}/account/two-factor`);
      await typeInto(page.getByLabel("Current password"), password);
      if (javaScriptEnabled) await capture(visit, "two-factor-off");
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("img", { name: "QR code of the key below" }).waitFor();
      if (javaScriptEnabled) await capture(visit, "two-factor-set-up");
      const key = ((await page.locator(".totp-key").textContent()) ?? "").replaceAll(" ", "");
      const code = () => new TOTP({ secret: Secret.fromBase32(key), digits: 6, period: 30 }).generate();
      await typeInto(page.getByLabel("Code from the app"), code());
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
      const codes = await page.locator(".recovery-codes code").allTextContents();
      if (javaScriptEnabled) await capture(visit, "two-factor-codes");
      await page.getByRole("link", { name: "I have kept them" }).click();
      await page.getByText("Recovery codes left: 10 of 10.").waitFor();
      if (javaScriptEnabled) await capture(visit, "two-factor-on");

      await openUserMenu(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await logIn(page, { email: login.email, password });
      await page.getByRole("heading", { name: "Enter a code" }).waitFor();
      if (javaScriptEnabled) await capture(visit, "two-factor-code");
      // The code that turned it on was used.
      await typeInto(page.getByLabel("Code of your authenticator app"), codes[0] ?? "");
      await page.keyboard.press("Enter");
      await page.waitForURL(`${app}/shipments`);
      await page.goto(`${app}/account/two-factor`);
      await page.getByText("Recovery codes left: 9 of 10.").waitFor();
      await typeInto(page.getByLabel("Current password"), password);
      await page.getByRole("button", { name: "Turn off" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Two-factor authentication is off.").waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([true, false])(
    "a user joins a second account by an invitation, and switches between the two (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const { app, login } = running.system.runtime();
      const visit = await open(javaScriptEnabled);
      const { page } = visit;
      const company = javaScriptEnabled ? "Northwind Forwarding" : "Quay Traders";
      await page.goto(await invitationTo(company, login.email));
      await page.getByRole("heading", { name: `Join ${company}` }).waitFor();
      if (javaScriptEnabled) await capture(visit, "join-sign-in");
      await typeInto(page.getByLabel("Password", { exact: true }), password);
      await page.keyboard.press("Enter");
      await page.getByText("You are signed in as").waitFor();
      if (javaScriptEnabled) await capture(visit, "join-as");
      await page.getByRole("button", { name: "Join" }).click();
      await page.waitForURL(`${app}/shipments`);
      await openUserMenu(page);
      await page.getByRole("link", { name: `${company}, switch account` }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Your accounts" }).waitFor();
      if (javaScriptEnabled) await capture(visit, "own-accounts");
      await page.getByRole("button", { name: "Switch to Demo Forwarding" }).click();
      await page.waitForURL(`${app}/attention`);
      await page.locator(".user-menu", { hasText: "Demo Forwarding" }).waitFor();
      if (javaScriptEnabled) await capture(visit, "switched");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([true, false])(
    "a lost password is replaced by a mailed link (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const { app, login } = running.system.runtime();
      const visit = await open(javaScriptEnabled);
      const { page } = visit;
      const links = mailedLinks().length;
      await page.goto(`${app}/login`);
      await page.getByRole("link", { name: "Forgot your password?" }).click();
      await page.waitForURL(`${app}/login/forgotten`);
      if (javaScriptEnabled) await capture(visit, "forgotten");
      await typeInto(page.getByLabel("Email address"), login.email);
      await page.keyboard.press("Enter");
      await page.getByText("an email with a link is on its way").waitFor();
      if (javaScriptEnabled) await capture(visit, "forgotten-sent");

      await page.goto(await mailedLink(links));
      await typeInto(page.getByLabel("New password", { exact: true }), "short");
      await typeInto(page.getByLabel("Repeat new password"), "short");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      password = javaScriptEnabled ? "three blue lighthouses" : "four green lighthouses";
      await typeInto(page.getByLabel("New password", { exact: true }), password);
      await typeInto(page.getByLabel("Repeat new password"), password);
      if (javaScriptEnabled) await capture(visit, "reset");
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("Your password is changed. Sign in with it.").waitFor();
      if (javaScriptEnabled) await capture(visit, "reset-done");
      await logIn(page, { email: login.email, password });
      await page.waitForURL(`${app}/shipments`);
      await page.goto(await mailedLink(links));
      await page.getByRole("heading", { name: "This link is no longer valid" }).waitFor();
      if (javaScriptEnabled) await capture(visit, "reset-over");
      await page.goto(`${app}/account/mail`);
      await page.getByRole("link", { name: "Your password was changed" }).first().click();
      if (javaScriptEnabled) await capture(visit, "password-changed-mail");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
