import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { type IdentityProvider, startIdentityProvider } from "../../apps/web/src/testing/identity-provider.ts";
import { startBrowser, type TestBrowser } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { chromium } from "./harness/chromium.ts";
import { logIn, openUserMenu, typeInto } from "./harness/typing.ts";
import { password, startWebProcess, type WebProcess } from "./harness/web-process.ts";

const timeoutMs = 240_000;

/** Skipped on a machine without a browser. */
const withBrowser = chromium ? describe : describe.skip;

withBrowser("signing in with a provider", () => {
  let provider: IdentityProvider;
  let web: WebProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    const { issuer, clientId, clientSecret } = provider;
    const client = { name: "harbour", label: "Harbour Group", issuer, clientId, clientSecret };
    web = await startWebProcess((url) => {
      provider.redirectUris.push(`${url}/login/single-sign-on/harbour/callback`);
      return { SVC_SIGN_IN_PROVIDERS: JSON.stringify([{ ...client, domains: ["example.test"] }]) };
    });
    browser = await startBrowser();
  }, timeoutMs);
  afterAll(async () => {
    await browser?.close();
    await web?.stop();
    await provider?.close();
  });

  async function logInAtProvider(page: Page, name: string): Promise<void> {
    await page.waitForURL(`${provider.issuer}/**`);
    await typeInto(page.getByLabel("User name"), name);
    await page.keyboard.press("Enter");
  }

  test.each([true, false])(
    "signs in, sets the rule of an owner, refuses a password and cancels a sign-in (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const owner = await web.addOwner();
      const name = `owner-${javaScriptEnabled}`;
      provider.users.set(name, { subject: owner.userId, email: owner.email, email_verified: true });
      const visit = await browser.visit(web.url, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
      const { page } = visit;
      await page.goto(`${web.url}/login?next=/account/sign-in-rules`);
      if (javaScriptEnabled) await capture(visit, "login-with-provider");
      await page.getByRole("link", { name: "Continue with Harbour Group" }).click();
      await logInAtProvider(page, name);
      await page.waitForURL(`${web.url}/account/sign-in-rules`);
      if (javaScriptEnabled) await capture(visit, "sign-in-rules");
      await page.getByLabel("Require single sign-on").focus();
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The sign-in rules are saved.").waitFor();
      expect(await page.getByLabel("Require single sign-on").isChecked()).toBe(true);

      await openUserMenu(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await logIn(page, { email: owner.email, password });
      await page.getByText("Your account requires single sign-on, so passwords are not accepted.").waitFor();
      if (javaScriptEnabled) await capture(visit, "login-refused-password");
      await page.context().clearCookies();
      await page.getByRole("link", { name: "Continue with Harbour Group" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForURL(`${provider.issuer}/**`);
      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Harbour Group refused the sign-in, or you cancelled it there.").waitFor();
      await page.getByRole("link", { name: "Continue with Harbour Group" }).focus();
      await page.keyboard.press("Enter");
      await logInAtProvider(page, name);
      await page.locator(".user-menu").waitFor();
      const otherOrigin = `other origin: ${provider.issuer}/`;
      expect(visit.takeProblems().filter((problem) => !problem.startsWith(otherOrigin))).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
