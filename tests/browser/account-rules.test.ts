import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { uuidV7 } from "@svc/persistence";
import { createAccountTokenRepository, generateApiToken } from "@svc/persistence/tokens";
import { Secret, TOTP } from "otpauth";
import { startBrowser, type TestBrowser } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { chromium } from "./harness/chromium.ts";
import { logIn, typeInto } from "./harness/typing.ts";
import { password, startWebProcess, type WebMember, type WebProcess } from "./harness/web-process.ts";

const timeoutMs = 240_000;

/** Skipped on a machine without a browser. */
const withBrowser = chromium ? describe : describe.skip;

withBrowser("what owners decide about members", () => {
  let web: WebProcess;
  let browser: TestBrowser;
  let owner: WebMember;
  let member: WebMember;

  beforeAll(async () => {
    [web, browser] = await Promise.all([startWebProcess(), startBrowser()]);
    owner = await web.addOwner();
    member = await web.addMember(owner.accountId, "developer");
  }, timeoutMs);
  afterAll(async () => {
    await browser?.close();
    await web?.stop();
  });

  async function addToken(name: string): Promise<string> {
    const { hint, tokenSha256 } = generateApiToken();
    const id = uuidV7.next();
    const token = { id, name, scopes: ["read"], hint, tokenSha256, expiresAt: null } as const;
    const creation = { createdByUserId: member.userId, createdAt: instant(Date.now()) };
    await createAccountTokenRepository(web.database.sql).create(member.accountId, { ...token, ...creation });
    return id;
  }

  test(
    "the removal of a member shows their API tokens, and an owner keeps one",
    async () => {
      const [active, revoked] = [await addToken("Nightly import"), await addToken("Laptop")];
      const visit = await browser.visit(web.url, { viewport: { width: 1440, height: 900 } });
      const { page } = visit;
      await page.goto(`${web.url}/login?next=/account/members`);
      await logIn(page, { email: owner.email, password });
      await page.getByRole("link", { name: `Remove ${member.email}` }).click();
      await page.getByRole("checkbox", { name: "Nightly import" }).focus();
      await page.keyboard.press("Space");
      await capture(visit, "remove-member");
      await page.getByRole("button", { name: "Remove" }).click();
      await page.getByText("The member was removed.").waitFor();
      const tokens = await web.database.prisma.apiToken.findMany({ where: { createdByUserId: member.userId } });
      expect(tokens.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id)).toEqual([active]);
      expect(tokens.map(({ id }) => id)).toContain(revoked);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "an owner requires two-factor authentication, and is led to its set-up",
    async () => {
      const visit = await browser.visit(web.url, { viewport: { width: 1440, height: 900 } });
      const { page } = visit;
      await page.goto(`${web.url}/login?next=/account/sign-in-rules`);
      await logIn(page, { email: owner.email, password });
      await page.getByLabel("Require two-factor authentication").focus();
      await page.keyboard.press("Space");
      await page.getByRole("button", { name: "Save" }).click();
      await page.waitForURL(`${web.url}/account/two-factor`);
      await capture(visit, "two-factor-required");
      await page.getByRole("link", { name: "Members" }).click();
      await page.waitForURL(`${web.url}/account/two-factor`);
      await typeInto(page.getByLabel("Current password"), password);
      await page.keyboard.press("Enter");
      await page.getByRole("img", { name: "QR code of the key below" }).waitFor();
      const key = ((await page.locator(".totp-key").textContent()) ?? "").replaceAll(" ", "");
      const code = new TOTP({ secret: Secret.fromBase32(key), digits: 6, period: 30 }).generate();
      await typeInto(page.getByLabel("Code from the app"), code);
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "I have kept them" }).click();
      await page.getByText("requires it, so it stays on.").waitFor();
      await capture(visit, "two-factor-stays-on");
      await page.getByRole("link", { name: "Members" }).click();
      await page.getByRole("heading", { name: "Members of Harbour & Sons" }).waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
