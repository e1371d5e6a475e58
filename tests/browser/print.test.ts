import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sailUntil } from "../e2e/harness/sandbox-clock.ts";
import type { Visit } from "./harness/browser.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";

/** Widths of A4 less its margins: in portrait, where a screen would show cards, and in landscape. */
const paperWidths = [717, 1047];

inBrowser("printed pages", (running) => {
  let visit: Visit;

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXSPL000123", scac: "SBXL" };
    expect((await running.system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
    await eventually("a container is listed", async () => {
      const { body } = await running.system.api.get("/container_overviews");
      return body.data.length > 0;
    });
    visit = await running.signIn();
  }, timeoutMs);

  const print = async (path: string, width: number) => {
    const { page } = visit;
    await page.setViewportSize({ width, height: 1000 });
    await page.emulateMedia({ media: "print" });
    await page.goto(`${running.system.runtime().app}${path}`);
    return page;
  };

  test.each(["/shipments", "/containers?columns=status,delay,carrier", "/tracking-requests"])(
    "%s is a table without controls, whose heading is repeated, and says what it is of",
    async (path) => {
      for (const width of paperWidths) {
        const page = await print(path, width);
        expect(await page.getByText("Filters: ").textContent()).toMatch(/Order: .* As of /s);
        for (const role of ["button", "checkbox", "searchbox", "navigation", "form"] as const)
          expect([width, role, await page.getByRole(role).count()]).toEqual([width, role, 0]);
        const printStyle = (selector: string, property: "display" | "break-inside") =>
          page
            .locator(selector)
            .first()
            .evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property);
        expect(await printStyle("table.list", "display")).toBe("table");
        expect(await printStyle("table.list thead", "display")).toBe("table-header-group");
        expect(await printStyle("table.list tbody tr", "break-inside")).toBe("avoid");
        const table = await page.locator("table.list").boundingBox();
        expect((table?.x ?? 0) + (table?.width ?? 0)).toBeLessThanOrEqual(width);
      }
    },
    timeoutMs,
  );

  test("columns that are shown stay on narrow paper", async () => {
    const page = await print("/containers", paperWidths[0] ?? 0);
    for (const name of ["Arrival", "Carrier", "Carrier update"])
      expect([name, await page.getByRole("columnheader", { name }).first().isVisible()]).toEqual([name, true]);
  });

  test("a shipment has neither its breadcrumb nor its buttons", async () => {
    const page = await print("/shipments", 1_047);
    const path = await page.getByRole("rowheader").getByRole("link").first().getAttribute("href");
    await print(path ?? "", 1_047);
    expect(await page.getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Shipments", exact: true }).count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).isVisible()).toBe(true);
  });

  test("an earlier state says of when it is, without its controls", async () => {
    const { body } = await running.system.api.get("/shipments?filter[number]=SBXSPL000123");
    const path = `/shipments/${body.data[0]?.id}`;
    const summary = await running.system.api.get(`${path}/tracking_summary`);
    const [firstChange] = summary.body.data.attributes.change_times as string[];
    const page = await print(`${path}?as_of=${firstChange}`, 717);
    expect(await page.getByText("As known on").isVisible()).toBe(true);
    for (const control of ["Previous change", "Next change", "Back to current", "View as of"])
      expect([control, await page.getByText(control).locator("visible=true").count()]).toEqual([control, 0]);
  });

  test(
    "a journey is whole, also the stops that its page folds",
    async () => {
      const { page } = visit;
      const { system } = running;
      await page.emulateMedia({ media: "screen" });
      const request = { request_type: "bill_of_lading", request_number: "SBXTSP000123", scac: "SBXL" };
      expect((await system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
      const path = await sailUntil(system, "the transshipment is over", async () => {
        const { body } = await system.api.get("/shipments?filter[number]=SBXTSP000123");
        const [shipment] = body.data;
        if (!shipment) return null;
        await page.goto(`${system.runtime().app}/shipments/${shipment.id}`);
        return (await page.locator(".passage").count()) > 0 && `/shipments/${shipment.id}`;
      });
      const folded = page.locator(".passage li");
      const areVisible = () => folded.evaluateAll((all) => all.length > 0 && all.every((one) => one.checkVisibility()));
      expect(await areVisible()).toBe(false);
      await print(path, 717);
      expect(await areVisible()).toBe(true);
    },
    timeoutMs,
  );

  test("the menu Export prints the page", async () => {
    const { page } = visit;
    await page.emulateMedia({ media: "screen" });
    await page.setViewportSize({ width: 1_440, height: 900 });
    await page.goto(`${running.system.runtime().app}/containers`);
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute("data-was-printed", "");
    });
    await page.getByText("Export", { exact: true }).click();
    await page.getByRole("button", { name: "Print" }).click();
    await page.locator("body[data-was-printed]").waitFor();
    expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    expect(visit.takeProblems()).toEqual([]);
  });
});
