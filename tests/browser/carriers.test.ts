import { afterAll, expect, test } from "@jest/globals";
import { type FakeCarrier, startFakeCarrier } from "@svc/testkit";
import type { Page } from "playwright-core";
import { startSystem } from "../e2e/harness/system.ts";
import { inBrowser, type Running, timeoutMs } from "./harness/in-browser.ts";
import { layoutProblems } from "./harness/sweep.ts";
import { typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];

let maersk: FakeCarrier;
let hapag: FakeCarrier;

async function start(dataDir: string) {
  maersk = await startFakeCarrier({
    headers: { "Consumer-Key": "k3y" },
    client: { id: "k3y", secret: "right-s3cret" },
  });
  hapag = await startFakeCarrier({ headers: { "X-IBM-Client-Id": "hapag", "X-IBM-Client-Secret": "right-s3cret" } });
  const carriers = [
    { catalogue: "MAEU", ownCredentialsOnly: true, baseUrl: maersk.origin, tokenUrl: `${maersk.origin}/token` },
    { catalogue: "HLCU", ownCredentialsOnly: true, baseUrl: hapag.origin },
  ];
  return startSystem({ dataDir, environment: { SVC_CARRIERS: JSON.stringify(carriers) } });
}

const tests = (running: Running) => {
  afterAll(async () => {
    await Promise.all([maersk?.close(), hapag?.close()]);
  });

  async function open(javaScriptEnabled: boolean) {
    return running.signIn("/carriers", { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
  }
  const rowOf = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) });

  test(
    "connects two carriers by mouse and keyboard, and explains a wrong secret until it is corrected",
    async () => {
      const visit = await open(true);
      const { page } = visit;
      const picture = async (name: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect(await layoutProblems(page)).toEqual([]);
          await visit.picture(`${name}-${width}`);
        }
        expect(await visit.accessibilityProblems()).toEqual([]);
      };
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Carriers" }).click();
      expect(await rowOf(page, "Maersk").textContent()).toMatch(/Consumer key and client secret/);
      await page.getByRole("link", { name: "Connect Maersk" }).click();
      await picture("carriers-connect");
      await typeInto(page.getByLabel("Consumer key"), "k3y");
      await typeInto(page.getByLabel("Client secret", { exact: true }), "wrong-s3cret");
      await page.getByRole("button", { name: "Connect and test" }).click();

      const test = page.getByRole("region", { name: "Health" });
      await test.getByText("The test failed.").waitFor();
      expect(await test.textContent()).toMatch(
        /token endpoint of Maersk.*rejected the Consumer key or the Client secret/,
      );
      expect(await test.textContent()).toContain("Client secret (developer portal, My apps)");
      await picture("carriers-rejected");
      // The form is open, because the carrier rejected what is stored.
      await page.getByRole("form", { name: /^Replace credentials/ }).waitFor();
      await typeInto(page.getByLabel("Consumer key"), "k3y");
      await typeInto(page.getByLabel("Client secret", { exact: true }), "right-s3cret");
      await page.getByRole("button", { name: "Replace and test" }).click();
      await test.getByText("The credentials work.").waitFor();
      await picture("carriers-connected");
      expect(await page.content()).not.toContain("s3cret");

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Carriers" }).click();
      await page.getByRole("link", { name: "Connect Hapag-Lloyd" }).click();
      await typeInto(page.getByLabel("Client ID"), "hapag");
      await typeInto(page.getByLabel("Client secret", { exact: true }), "right-s3cret");
      await page.getByRole("button", { name: "Connect and test" }).click();
      await test.getByText("The credentials work.").waitFor();

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Carriers" }).click();
      expect(await rowOf(page, "Hapag-Lloyd").textContent()).toMatch(/Connected[\s\S]*1 of 6,000[\s\S]*Accepted/);
      expect(await rowOf(page, "Maersk").textContent()).toMatch(/Connected[\s\S]*Last success[\s\S]*3[\s\S]*Accepted/);
      await picture("carriers-list");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "without JavaScript: a missing field is named, a test repeated, the connection disabled and erased",
    async () => {
      const visit = await open(false);
      const { page } = visit;
      await page.getByRole("link", { name: "Connect CMA CGM" }).click();
      const publicTier = page.getByRole("form", { name: "Connect: Public tier" });
      await typeInto(publicTier.getByLabel("API key"), " ");
      await publicTier.getByRole("button", { name: "Connect and test" }).click();
      expect(await publicTier.getByRole("alert").textContent()).toContain("Check these fields");
      expect(await publicTier.textContent()).toContain("Enter the API key.");

      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Carriers" }).click();
      hapag.behave("rate_limited");
      await page.getByRole("button", { name: "Test Hapag-Lloyd" }).click();
      const region = page.getByRole("region", { name: "Health" });
      expect(await region.textContent()).toMatch(/Hapag-Lloyd limits the rate of requests.*tryout plan/);
      await page.getByText("Replace the credentials").click();
      const form = page.getByRole("form", { name: /^Replace credentials/ });
      await typeInto(form.getByLabel("Client ID"), " ");
      await typeInto(form.getByLabel("Client secret", { exact: true }), " ");
      await form.getByRole("button", { name: "Replace and test" }).click();
      expect(await form.getByRole("alert").isVisible()).toBe(true);
      await page.getByRole("button", { name: "Disable" }).click();
      expect(await page.getByRole("status").textContent()).toBe("Polling with your credentials is off.");
      await page.getByLabel("More actions").click();
      await page.getByRole("link", { name: "Disconnect" }).click();
      await page.getByRole("button", { name: "Disconnect" }).click();
      expect(await page.getByRole("status").textContent()).toBe("Disconnected. The credentials are erased.");
      await page.getByRole("link", { name: "Connect Hapag-Lloyd" }).waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
};

inBrowser("issues 17, 2.3 and 18, 1.3: a member connects carriers", tests, { start });
