import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Page } from "playwright-core";
import type { Resource } from "../../e2e/harness/api-client.ts";
import { sandboxClock } from "../../e2e/harness/sandbox-clock.ts";
import { sizes, type TestBrowser, type Visit } from "../harness/browser.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { typeInto } from "../harness/typing.ts";

const number = "SBXSPL000123";

/** Renews every part of the open page, as if all of them had changed. */
async function renewParts(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll("[data-part]")) part.append("changed");
    document.querySelector("[data-live]")?.setAttribute("data-live", "before");
    window.dispatchEvent(new Event("online"));
  });
  await page.waitForFunction(() => !document.querySelector("main")?.textContent?.endsWith("changed"));
  await page.waitForFunction(() => document.querySelector("[data-live]:not([data-live=before])"));
}

inBrowser("what the reader has in hand while a page is renewed", (running) => {
  let shipment: Resource;

  const visitAs = async (options: Parameters<TestBrowser["visit"]>[1]): Promise<Visit> => {
    return running.signIn("/shipments", options);
  };

  beforeAll(async () => {
    // The carrier knows the first one only.
    for (const request_number of [number, "SBXNEVER1"]) {
      const attributes = { request_type: "bill_of_lading", request_number, scac: "SBXL" };
      expect((await running.system.api.create("/tracking_requests", "tracking_request", attributes)).status).toBe(201);
    }
    shipment = await eventually("the shipment has all its containers", async () => {
      const { body } = await running.system.api.get(`/shipments?filter[number]=${number}&include=containers`);
      return body.included?.length === 3 ? body.data[0] : undefined;
    });
    // Events of the voyage would add elements to the open page.
    await sandboxClock.pause(running.system);
  }, timeoutMs);

  test(
    "keeps what the reader has opened, closed or focused when every part of the page is renewed",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      for (const path of ["/shipments", `/shipments/${shipment.id}`]) {
        await page.goto(`${running.system.runtime().app}${path}`);
        const opened = await page.evaluate(() => {
          const all = [...document.querySelectorAll<HTMLDetailsElement>("[data-part] details")];
          for (const details of all) details.open = !details.open;
          return all.map(({ open }) => open);
        });
        expect(opened.length).toBeGreaterThan(0);
        const inHand = page
          .locator("[data-part] :is(a[href], button, summary, input:not([type='hidden']), select, [tabindex='0'])")
          .filter({ visible: true });
        for (let index = 0; index < (await inHand.count()); index++) {
          await inHand.nth(index).focus();
          await renewParts(page);
          const lost = await inHand
            .nth(index)
            .evaluate((element) => (element === document.activeElement ? null : element.outerHTML));
          expect([path, lost]).toEqual([path, null]);
        }
        const still = await page.evaluate(() =>
          [...document.querySelectorAll<HTMLDetailsElement>("[data-part] details")].map(({ open }) => open),
        );
        expect([path, still]).toEqual([path, opened]);
      }
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "keeps what is entered in an open menu when its part is renewed, also where a phone shows it folded",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      await page.goto(`${running.system.runtime().app}/shipments?carrier=SBXL`);
      await page.getByText("Save view", { exact: true }).first().click();
      const name = page.getByLabel("Name", { exact: true });
      await typeInto(name, "Reefers");
      await page.getByText("Share with the account").click();
      await name.focus();
      await renewParts(page);
      expect(await name.inputValue()).toBe("Reefers");
      // A wide window shows the tools without the summary of their fold, which is closed.
      expect(await name.evaluate((input) => input === document.activeElement)).toBe(true);
      await page.setViewportSize(sizes.phone);
      await renewParts(page);
      expect(await name.inputValue()).toBe("Reefers");
      expect(await page.getByLabel("Share with the account").isChecked()).toBe(true);
      expect(await page.getByLabel("Make this my default view").isChecked()).toBe(false);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "keeps focus, selection and later text of the search field while a search runs",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(/\?q=/, async (route) => {
        await released;
        await route.continue();
      });
      const searchBox = page.getByRole("searchbox").first();
      const measureSearchBox = () =>
        searchBox.evaluate((input: HTMLInputElement) => [
          input === document.activeElement,
          input.value,
          input.selectionStart,
          input.selectionEnd,
        ]);
      await typeInto(searchBox, number.slice(0, 6));
      await searchBox.press("Enter");
      await page.keyboard.type(number.slice(6));
      await page.keyboard.press("Shift+ArrowLeft");
      release();
      await page.waitForURL(/q=/);
      expect(page.url()).toContain(`q=${number.slice(0, 6)}&`);
      expect(await measureSearchBox()).toEqual([true, number, number.length - 1, number.length]);
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(`q=${number}&`));
      expect(await measureSearchBox()).toEqual([true, number, number.length - 1, number.length]);
      // Going back shows the earlier search.
      await page.goBack();
      await page.waitForURL(new RegExp(`q=${number.slice(0, 6)}&`));
      await eventually(
        "the box has the search before",
        async () => (await searchBox.inputValue()) === number.slice(0, 6),
      );
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
