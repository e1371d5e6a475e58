import { beforeAll, expect, test } from "@jest/globals";
import { connectDatabase } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import type { Page } from "playwright-core";
import { sailUntil, sandboxClock } from "../e2e/harness/sandbox-clock.ts";
import type { Visit } from "./harness/browser.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { logIn } from "./harness/typing.ts";

const widths = [390, 820, 1440];
const numbers = ["SBXROL000123", "SBXROL000124", "SBXDIR000123"] as const;

const manyReferences = ["PO-2026-000124", "PO-2026-000125", "PO-2026-000126", "PO-2026-000127", "PO-2026-000128"];

const rowTops = (page: Page): Promise<readonly number[]> =>
  page.getByRole("row").evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));

/** The longest values of the columns: an appointment after the last free day, two holds, and a late arrival. */
async function storeLongValues(url: string): Promise<void> {
  const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
  await database.prisma.container.updateMany({
    data: {
      podFullOutAt: null,
      pickupLfd: new Date("2026-12-20T12:00:00Z"),
      pickupAppointmentAt: new Date("2026-12-26T12:42:00Z"),
      holdsAtPodTerminal: ["customs", "freight"].map((name) => ({ name, status: "hold", description: null })),
    },
  });
  await database.close();
}

/** The visible texts of a table that go on beyond their cell. Runs in the page. */
function overflowingTexts(table: Element): string[] {
  return [...table.querySelectorAll("th, td")].flatMap((cell) => {
    const end = cell.getBoundingClientRect().right;
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    const overflowing: string[] = [];
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const parent = text.parentElement;
      if (!parent?.checkVisibility({ opacityProperty: true }) || parent.closest(".hidden, .one-line")) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      if (range.getBoundingClientRect().right > end) overflowing.push(text.textContent ?? "");
    }
    return overflowing;
  });
}

const bar = (page: Page) => page.getByRole("form", { name: "Selected rows" });

/** The boxes of rows, without that of all rows. */
const checkboxes = (page: Page) => page.getByRole("rowheader").getByRole("checkbox");

inBrowser("lists of shipments, containers and exceptions", (running) => {
  let visit: Visit;

  const open = (path: string, page = visit.page) => page.goto(`${running.system.runtime().app}${path}`);

  beforeAll(async () => {
    for (const request_number of numbers) {
      const request = { request_type: "bill_of_lading", request_number, scac: "SBXL", shipment_tags: ["a long tag"] };
      await running.system.api.create("/tracking_requests", "tracking_request", {
        ...request,
        ref_numbers: ["PO-2026-000123"],
      });
    }
    await sailUntil(running.system, "both rollovers are exceptions", async () => {
      const { body } = await running.system.api.get("/exceptions?filter[kind]=rollover");
      return body.data.length === 2;
    });
    await sandboxClock.pause(running.system);
    await eventually("every shipment is listed", async () => {
      const { body } = await running.system.api.get("/shipments");
      return body.data.length === numbers.length;
    });
    visit = await running.signIn();
  }, timeoutMs);

  test.each(["/tracking-requests", "/track/edi"])(
    "distinguishes the parts of the section of %s from the filters of the list",
    async (path) => {
      const { page } = visit;
      const linkStyle = (name: string) =>
        page
          .getByRole("navigation", { name })
          .getByRole("link")
          .first()
          .evaluate((link) => {
            const { borderRadius, fontSize, borderTopWidth } = getComputedStyle(link);
            return [borderRadius, fontSize, borderTopWidth];
          });
      await page.setViewportSize({ width: 1440, height: 900 });
      await open("/shipments");
      const shipmentsStyle = await linkStyle("Status");
      await open(path);
      expect(await linkStyle(path === "/track/edi" ? "Files" : "Status")).toEqual(shipmentsStyle);
      expect(await linkStyle("Ways to track")).toEqual(["0px", "16px", "0px"]);
    },
    timeoutMs,
  );

  test(
    "on a phone a list is searched with Enter, everything by the link in the header, and a shipment is shared",
    async () => {
      const { page } = visit;
      await page.setViewportSize({ width: 390, height: 844 });
      await open("/shipments");
      await page.getByLabel("Container, bill of lading, booking or reference").click();
      await page.keyboard.type(numbers[0]);
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.searchParams.get("q") === numbers[0]);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByRole("link", { name: "Search everything" }).click();
      await page.waitForURL("**/track/search");
      await page.goBack();
      await page.getByRole("link", { name: numbers[0], exact: true }).click();
      await page.getByRole("link", { name: `Share: ${numbers[0]}` }).click();
      await page.waitForURL("**/share");
    },
    timeoutMs,
  );

  test.each(["/shipments", "/containers", "/attention"])(
    "selecting rows of %s moves no row; the bar is over the lower end of the window",
    async (path) => {
      const { page } = visit;
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        const before = await rowTops(page);
        await checkboxes(page).first().click();
        await checkboxes(page).nth(1).press("Space");
        await bar(page).getByText("2 selected").waitFor();
        expect([width, await rowTops(page)]).toEqual([width, before]);
        const bounds = await bar(page).boundingBox();
        if (!bounds) throw new Error("The bar is not visible.");
        expect([width, bounds.x >= 0, bounds.x + bounds.width <= width, bounds.y + bounds.height <= 900]).toEqual([
          width,
          true,
          true,
          true,
        ]);
        const highest = width === 390 ? 130 : 90;
        expect([width, bounds.height <= (width === 1440 ? 50 : highest)]).toEqual([width, true]);
        await visit.picture(`selected${path.replace("/", "-")}-${width}`);
        expect(await visit.accessibilityProblems()).toEqual([]);
        // The last row can be scrolled to above the bar.
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        const last = await page.getByRole("row").last().boundingBox();
        expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThan(bounds.y);
      }
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "selects rows with j, x and ., reaches their actions and clears the selection by keyboard",
    async () => {
      const { page } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      await open("/shipments");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await bar(page).getByText("2 selected").waitFor();
      await page.keyboard.press(".");
      await page.keyboard.type("by keyboard");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.locator(".toast").getByText("2 shipments tagged.").waitFor();
      await checkboxes(page).first().press("Space");
      await bar(page).getByRole("button", { name: "Clear the selection" }).press("Enter");
      await bar(page).waitFor({ state: "hidden" });
      expect(await checkboxes(page).first().isChecked()).toBe(false);
      await eventually("the focus is on the box again", () =>
        checkboxes(page)
          .first()
          .evaluate((checkbox) => checkbox === document.activeElement),
      );
    },
    timeoutMs,
  );

  test(
    "without JavaScript, rows are selected, cleared and changed",
    async () => {
      const { app, login } = running.system.runtime();
      const plain = await running.browser.visit(app, { javaScriptEnabled: false });
      const { page } = plain;
      await open("/login?next=/shipments", page);
      await logIn(page, login);
      expect(await bar(page).isVisible()).toBe(false);
      await checkboxes(page).first().click();
      await bar(page).getByRole("button", { name: "Clear the selection" }).click();
      expect(await bar(page).isVisible()).toBe(false);
      await checkboxes(page).first().click();
      await bar(page).getByRole("button", { name: "Refresh now" }).click();
      await page.getByText("1 shipment refreshed.").waitFor();
      await plain.close();
    },
    timeoutMs,
  );

  test(
    "numbers of shipments are shown whole at every width, and no row replaces a value when it is pointed at",
    async () => {
      const { page } = visit;
      for (const width of [...widths, 1090, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await open("/shipments");
        const links = page.locator(".row-link");
        expect(await links.count()).toBe(numbers.length);
        // A name is cut if it is not one line with all its characters inside the cell.
        const cut = await links.evaluateAll((all) =>
          all.filter((link) => {
            const cell = link.closest("th")?.getBoundingClientRect();
            const [line, ...more] = link.getClientRects();
            return more.length > 0 || !cell || !line || line.right > cell.right;
          }),
        );
        expect([width, cut.length]).toEqual([width, 0]);
        const row = page.getByRole("row").filter({ hasText: numbers[0] });
        const age = row.locator("time[data-age]");
        if (width < 1090) continue;
        const [ageBefore, rowBefore] = [await age.boundingBox(), await row.boundingBox()];
        await row.hover({ position: { x: 300, y: 10 } });
        const share = row.getByRole("link", { name: /^Share/ });
        await eventually("the link is shown", () => share.evaluate((one) => getComputedStyle(one).opacity === "1"));
        expect([await age.boundingBox(), await row.boundingBox()]).toEqual([ageBefore, rowBefore]);
        expect(await age.evaluate((one) => getComputedStyle(one).opacity)).toBe("1");
        const [button, others] = [
          await share.boundingBox(),
          await row
            .locator("td:not(.act):visible")
            .evaluateAll((cells) => cells.map((one) => one.getBoundingClientRect().right)),
        ];
        expect([width, others.every((right) => right <= (button?.x ?? 0))]).toEqual([width, true]);
      }
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test.each([
    "/shipments",
    "/shipments?columns=customer,status,route,containers,departure,arrival,last_free_day,carrier,updated",
    "/shipments?columns=customer,status,route,arrival,last_free_day",
    "/containers",
    "/containers?columns=status,equipment,route,last_free_day,pickup,cost,arrival,delay,reason,carrier,updated",
  ])(
    "the text of each cell of %s ends within its column",
    async (path) => {
      await storeLongValues(running.system.runtime().databaseUrl);
      const { page } = visit;
      for (const width of [768, 820, 1088, 1089, 1280, 1361, 1440, 1600, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        const overflowing = await page.getByRole("table").evaluate(overflowingTexts);
        expect([width, overflow, overflowing]).toEqual([width, 0, []]);
      }
    },
    timeoutMs,
  );

  test.each(["/shipments", "/containers"])(
    "more than three references of a row of %s open by keyboard and by mouse",
    async (path) => {
      const { page } = visit;
      const { body } = await running.system.api.get(`/shipments?q=${numbers[0]}`);
      const [shipment] = body.data;
      await running.system.api.edit(`/shipments/${shipment?.id}`, "shipment", { ref_numbers: manyReferences });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await open(path);
        const others = page.getByRole("rowheader").filter({ hasText: numbers[0] }).locator("details.others").first();
        // A card of a phone has no references.
        if (width === 390) {
          expect(await others.isVisible()).toBe(false);
          continue;
        }
        // A container has references of its own, too.
        const more = others.getByText(/^\+[23]$/);
        const last = others.getByText("PO-2026-000128");
        expect([width, await last.isVisible()]).toEqual([width, false]);
        await more.click();
        await last.waitFor();
        await more.press("Enter");
        await last.waitFor({ state: "hidden" });
      }
    },
    timeoutMs,
  );
});
