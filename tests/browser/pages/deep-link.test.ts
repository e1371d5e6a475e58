import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Resource } from "../../e2e/harness/api-client.ts";
import { sizes, type Visit } from "../harness/browser.ts";
import { inBrowser } from "../harness/in-browser.ts";
import { logIn, typeInto } from "../harness/typing.ts";

const timeoutMs = 120_000;
const reference = "PO 4711/A";
const number = "SBXDIR000123";

inBrowser("the deep link in a browser", (running) => {
  let shipment: Resource;
  let containers: readonly Resource[];

  beforeAll(async () => {
    const created = await running.system.api.create("/tracking_requests", "tracking_request", {
      request_type: "bill_of_lading",
      request_number: number,
      scac: "SBXL",
      ref_numbers: [reference],
    });
    expect(created.status).toBe(201);
    const list = await eventually("the shipment is tracked", async () => {
      const { body } = await running.system.api.get(`/shipments?filter[number]=${number}&include=containers`);
      return body.included?.length ? body : false;
    });
    [shipment] = list.data as unknown as [Resource];
    containers = list.included ?? [];
  }, timeoutMs);

  describe.each(Object.entries(sizes))("%s", (size, viewport) => {
    let visit: Visit;

    beforeAll(async () => {
      visit = await running.browser.visit(running.system.runtime().app, { viewport });
    });
    afterAll(() => visit?.close());

    const goTo = (query: string) =>
      visit.page.goto(`${running.system.runtime().app}/shipments/find?q=${encodeURIComponent(query)}`);
    const whereabouts = () => visit.page.url().slice(running.system.runtime().app.length);
    const numberOf = (container: Resource) => String(container.attributes.container_number);

    test("leads through the login to the container that was asked for", async () => {
      const [container] = containers as [Resource];
      const { page } = visit;
      await goTo(numberOf(container).toLowerCase());
      await visit.picture(`login-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await logIn(page, running.system.runtime().login);
      await page.waitForURL(/container=/);
      expect(whereabouts()).toBe(`/shipments/${shipment.id}?container=${container.id}`);
      expect(await page.locator('nav[aria-label="Containers"] [aria-current="true"]').textContent()).toContain(
        numberOf(container),
      );
      await visit.picture(`shipment-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
    });

    test("each of the other rules leads to its page", async () => {
      const [container] = containers as [Resource];
      await goTo(number.toLowerCase());
      expect(whereabouts()).toBe(`/shipments/${shipment.id}`);
      await goTo(reference.toLowerCase());
      expect(whereabouts()).toBe(`/shipments/${shipment.id}`);
      await goTo(numberOf(container).slice(4));
      expect(whereabouts()).toBe(`/shipments/${shipment.id}?container=${container.id}`);
      await goTo(number.slice(2, -1));
      expect(whereabouts()).toBe(`/shipments/${shipment.id}`);
      await goTo("NOWHERE 1");
      expect(whereabouts()).toBe("/shipments?q=NOWHERE%201");
      expect(await visit.page.getByRole("searchbox").first().inputValue()).toBe("NOWHERE 1");
      await visit.picture(`nothing-found-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
    });

    test("the list is found by key, and nothing was refused by the browser or asked of another site", async () => {
      const { page } = visit;
      await page.goto(`${running.system.runtime().app}/shipments`);
      await page.keyboard.press("/");
      expect(await page.evaluate(() => document.activeElement?.getAttribute("type"))).toBe("search");
      await visit.picture(`shipments-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    });

    test("searches, sorts and goes back in the list without reloading the page", async () => {
      const { page } = visit;
      await goTo("NOWHERE 1");
      await page.getByText("No shipments match “NOWHERE 1”").waitFor();
      await page.evaluate(() => Object.assign(window, { stillThere: true }));
      const searchBox = page.getByRole("main").getByRole("searchbox");
      await typeInto(searchBox, number.toLowerCase());
      await searchBox.press("Enter");
      await page.locator(".row-link", { hasText: number }).waitFor();
      expect(whereabouts()).toContain(`/shipments?q=${number.toLowerCase()}&`);
      expect(await page.title()).toContain(number.toLowerCase());
      await page.getByRole("link", { name: /Remove the filter/ }).click();
      await page.waitForURL(/\/shipments$/);
      await page.locator(".row-link", { hasText: number }).waitFor();
      expect(await page.locator("[aria-busy=true]").count()).toBe(0);
      await page.getByText("Filter and sort").click();
      await page.getByLabel("Sort by").selectOption("Earliest arrival first");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/sort=arrival/);
      expect(whereabouts()).toBe("/shipments?sort=arrival&page_size=25");
      await page.goBack();
      await page.goBack();
      await page.getByRole("link", { name: `Remove the filter Search ${number.toLowerCase()}` }).waitFor();
      expect(await searchBox.inputValue()).toBe(number.toLowerCase());
      expect(await page.evaluate(() => "stillThere" in window)).toBe(true);
      expect(visit.takeProblems()).toEqual([]);
      // A user whose session ended signs in again and returns to the search.
      await typeInto(searchBox, "NOWHERE 2");
      await page.context().clearCookies();
      await searchBox.press("Enter");
      await page.waitForURL(/\/login\?next=/);
      expect(decodeURIComponent(whereabouts())).toContain("q=NOWHERE+2");
    });
  });
});
