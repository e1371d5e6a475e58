import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sizes, type Visit } from "./harness/browser.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { layoutProblems } from "./harness/sweep.ts";
import { logIn, openUserMenu, typeInto } from "./harness/typing.ts";

inBrowser("the search and the command palette", (running) => {
  let visit: Visit;

  const open = async (path: string, session = visit): Promise<void> => {
    await session.page.goto(`${running.system.runtime().app}${path}`);
  };

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    expect((await running.system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
    await eventually("a container is known", async () => (await running.system.api.get("/containers")).body.data[0]);
    visit = await running.signIn();
  }, timeoutMs);

  test(
    "opens over the page, finds a shipment during typing and opens it, by keyboard only",
    async () => {
      const { page } = visit;
      await open("/developers");
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("sbxdir000123");
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("option", { name: /SBXDIR000123 Shipment/ }).waitFor();
      expect(await visit.accessibilityProblems()).toEqual([]);
      await visit.picture("palette");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/shipments\/[0-9a-f-]{36}/);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "arrows highlight a result while typing goes on, and Escape returns to the page",
    async () => {
      const { page } = visit;
      await open("/shipments");
      await page.keyboard.press("ControlOrMeta+k");
      // "create" alone also finds the names of vessels that are spelled alike, which come later.
      // Results of the first letters, which may arrive later on a busy host, would replace the highlighted one.
      const found = page.waitForResponse((response) => new URL(response.url()).searchParams.get("q") === "create a");
      await page.keyboard.type("create a");
      await (await found).finished();
      const dialog = page.getByRole("dialog");
      const [field, selected] = [dialog.getByRole("combobox"), dialog.getByRole("option", { selected: true })];
      const link = dialog.getByRole("option", { name: "Create a webhook", exact: true });
      const first = dialog.getByRole("option").first();
      await dialog.getByRole("option", { name: "Create an API token" }).waitFor();
      await selected.and(first).waitFor();
      await page.keyboard.press("ArrowDown");
      await selected.and(dialog.getByRole("option").nth(1)).waitFor();
      expect(await selected.getAttribute("id")).toBe(await field.getAttribute("aria-activedescendant"));
      await page.keyboard.press("ArrowUp");
      await selected.and(first).waitFor();
      await page.keyboard.press("ArrowUp");
      await selected.and(dialog.getByRole("option").last()).waitFor();
      await page.keyboard.type(" webhook");
      expect(await field.inputValue()).toBe("create a webhook");
      expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
      await selected.and(link).waitFor();
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(new URL(page.url()).pathname).toBe("/shipments");
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("hook");
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("create a web");
      await link.click();
      await page.waitForURL(/\/developers\/webhooks\/new/);
    },
    timeoutMs,
  );

  test(
    "Enter opens the highlighted result, and a part of a number is not called the best match",
    async () => {
      const { page } = visit;
      await open("/developers");
      await page.keyboard.press("ControlOrMeta+k");
      await page.keyboard.type("SBXU000");
      const dialog = page.getByRole("dialog");
      const options = dialog.getByRole("option", { name: /^SBXU000\d+ Container/ });
      await options
        .first()
        .and(dialog.getByRole("option", { selected: true }))
        .waitFor();
      await dialog.getByText(/^[2-9] results$/).waitFor();
      expect(await dialog.getByRole("option", { name: /Best match/ }).count()).toBe(0);
      await page.keyboard.press("ArrowDown");
      const second = await options
        .nth(1)
        .and(dialog.getByRole("option", { selected: true }))
        .getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${second}`);
    },
    timeoutMs,
  );

  test(
    "without JavaScript, a page finds the same",
    async () => {
      const plain = await running.browser.visit(running.system.runtime().app, { javaScriptEnabled: false });
      await open("/login", plain);
      await logIn(plain.page, running.system.runtime().login);
      await openUserMenu(plain.page);
      await plain.page.getByRole("link", { name: "Search everything" }).click();
      await typeInto(plain.page.getByRole("searchbox"), "SBXDIR000123");
      await plain.page.getByRole("main").getByRole("button", { name: "Search" }).click();
      await plain.page.getByRole("link", { name: /SBXDIR000123 Shipment ·/ }).click();
      await plain.page.waitForURL(/\/shipments\/[0-9a-f-]{36}/);
      await plain.close();
    },
    timeoutMs,
  );

  test(
    "fits a phone in both themes",
    async () => {
      const { page } = visit;
      await page.setViewportSize(sizes.phone);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await open("/track/search?q=SBXU");
        expect(await layoutProblems(page)).toEqual([]);
        expect(await visit.accessibilityProblems()).toEqual([]);
        await visit.picture(`search-phone-${colorScheme}`);
        await page.keyboard.press("ControlOrMeta+k");
        await page.getByRole("dialog").getByRole("option").first().waitFor();
        await visit.picture(`palette-phone-${colorScheme}`);
      }
    },
    timeoutMs,
  );
});
