import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestDatabase, eventually, type ServiceProcess, startServiceProcess } from "@svc/testkit";
import { repository } from "../e2e/harness/system.ts";
import { sizes, startBrowser, type TestBrowser, type Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { chromium } from "./harness/chromium.ts";
import { typeInto } from "./harness/typing.ts";

const timeoutMs = 120_000;
const [chosen, other] = ["paper boat morning", "copper lantern field"];

/** Skips the tests if the machine has no browser. */
const withBrowser = chromium ? describe : describe.skip;

withBrowser("the first account of an installation", () => {
  let service: ServiceProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    const DATABASE_URL = await createTestDatabase();
    [service, browser] = await Promise.all([
      startServiceProcess(path.join(repository, "apps/deeplink/src/main.ts"), { DATABASE_URL, LOG_LEVEL: "info" }),
      startBrowser(),
    ]);
  }, timeoutMs);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  async function choose(visit: Visit, password: string): Promise<void> {
    await typeInto(visit.page.getByLabel("New password", { exact: true }), password);
    await typeInto(visit.page.getByLabel("Repeat new password"), password);
  }

  test(
    "is created with the setup code of the log, and its owner invites a member who joins",
    async () => {
      const owner = await browser.visit(service.url, { viewport: sizes.phone, colorScheme: "dark" });
      await owner.page.goto(`${service.url}/`);
      await owner.page.waitForURL(`${service.url}/setup`);
      await capture(owner, "setup-dark");
      const [, code = ""] = await eventually("the code is in the log", () =>
        /"setup_code":"([\w-]+)"/.exec(service.output()),
      );
      await typeInto(owner.page.getByLabel("Set-up code"), "wrong");
      await typeInto(owner.page.getByLabel("Company"), "Harbour & Sons");
      await typeInto(owner.page.getByLabel("Your email address"), "anna@example.test");
      await choose(owner, chosen);
      await owner.page.getByRole("button", { name: "Create account" }).click();
      await capture(owner, "setup-refused-dark");
      await typeInto(owner.page.getByLabel("Set-up code"), code);
      await choose(owner, chosen);
      await owner.page.getByRole("button", { name: "Create account" }).click();
      await owner.page.waitForURL(`${service.url}/developers`);

      await owner.page.goto(`${service.url}/account/members/invite`);
      await typeInto(owner.page.getByLabel("Email address"), "bert@example.test");
      await owner.page.getByRole("button", { name: "Create invite link" }).click();
      await capture(owner, "invited-dark");
      const link = await owner.page.getByLabel("Invite link").getByRole("textbox").inputValue();

      const guest = await browser.visit(service.url);
      await guest.page.goto(link.replace(/^http:\/\/localhost:4002/, service.url));
      await capture(guest, "join");
      await choose(guest, other);
      await guest.page.getByRole("button", { name: "Join" }).click();
      await guest.page.waitForURL(`${service.url}/shipments`);
      await guest.page.goto(`${service.url}/account/members`);
      expect(await guest.page.getByRole("main").textContent()).toContain("anna@example.test");
      await capture(guest, "members-as-member");

      await owner.page.goto(`${service.url}/account/members`);
      await owner.page.getByRole("link", { name: "Remove bert@example.test" }).click();
      await owner.page.getByRole("button", { name: "Remove" }).click();
      await guest.page.reload();
      expect(guest.page.url()).toContain("/login");
      for (const visit of [owner, guest]) {
        expect(visit.takeProblems()).toEqual([]);
        await visit.close();
      }
    },
    timeoutMs,
  );
});
