import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sizes, type Visit } from "./harness/browser.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { logIn, typeInto } from "./harness/typing.ts";

const label = "Number, reference, port, vessel, customer or page";
const shipmentPage = /\/shipments\/[0-9a-f-]{36}/;

inBrowser("the search field of the header", (running) => {
  let visit: Visit;
  const header = (session = visit) => session.page.getByRole("banner");
  const field = (session = visit) => header(session).getByLabel(label);
  const options = () => header().getByRole("option");
  const open = async (session = visit): Promise<void> => {
    await session.page.goto(`${running.system.runtime().app}/attention`);
  };

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    expect((await running.system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
    await eventually("a container is known", async () => (await running.system.api.get("/containers")).body.data[0]);
    visit = await running.signIn();
  }, timeoutMs);

  beforeEach(() => open());

  test(
    "shows results while typing; arrow keys highlight one, Enter opens it, and Escape closes the list",
    async () => {
      const { page } = visit;
      await page.keyboard.press("/");
      await page.keyboard.type("SBXU000");
      await options().first().waitFor();
      expect(await header().getByRole("option", { selected: true }).count()).toBe(0);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.keyboard.press("Escape");
      await options().first().waitFor({ state: "hidden" });
      expect(await field().inputValue()).toBe("SBXU000");
      await page.keyboard.press("ArrowDown");
      const second = options().nth(1);
      await second.waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowDown");
      const selected = header().getByRole("option", { selected: true });
      await selected.and(second).waitFor();
      expect(await selected.getAttribute("id")).toBe(await field().getAttribute("aria-activedescendant"));
      const path = await second.getAttribute("href");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**${path}`);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "a click opens a result, and one elsewhere closes the list",
    async () => {
      const { page } = visit;
      await typeInto(field(), "direct");
      await typeInto(field(), "webhook");
      await header().getByRole("option", { name: "Create a webhook", exact: true }).waitFor();
      await page.getByRole("heading", { level: 1 }).click();
      await options().first().waitFor({ state: "hidden" });
      await typeInto(field(), "create a web");
      await header().getByRole("option", { name: "Create a webhook", exact: true }).click();
      await page.waitForURL(/\/developers\/webhooks\/new/);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "Enter opens a record by its whole number, and shows the results of a part that several have",
    async () => {
      const { page } = visit;
      await typeInto(field(), "SBXU");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/track\/search\?q=SBXU/);
      await page.getByText(/^\d+ results$/).waitFor();
      await open();
      await typeInto(field(), "sbxdir000123");
      await page.keyboard.press("Enter");
      await page.waitForURL(shipmentPage);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "without JavaScript, the form does the same",
    async () => {
      const plain = await running.browser.visit(running.system.runtime().app, { javaScriptEnabled: false });
      await plain.page.goto(`${running.system.runtime().app}/login`);
      await logIn(plain.page, running.system.runtime().login);
      await open(plain);
      await typeInto(field(plain), "SBXDIR000123");
      await plain.page.keyboard.press("Enter");
      await plain.page.waitForURL(shipmentPage);
      await plain.close();
    },
    timeoutMs,
  );

  test(
    "the list fits every width in both themes",
    async () => {
      const { page } = visit;
      for (const [width, size] of Object.entries(sizes)) {
        await page.setViewportSize(size);
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await open();
          await typeInto(field(), "SBXU");
          await options().first().waitFor();
          expect(await visit.accessibilityProblems()).toEqual([]);
          const list = await header().locator(".header-results").boundingBox();
          expect(list && list.x >= 0 && list.x + list.width <= size.width).toBe(true);
          await visit.picture(`header-search-${width}-${colorScheme}`);
        }
      }
      await options().first().click();
      await page.waitForURL(/\/shipments\/|\/containers\//);
    },
    timeoutMs,
  );
});
