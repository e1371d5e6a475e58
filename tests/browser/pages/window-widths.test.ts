import { beforeAll, expect, test } from "@jest/globals";
import { connectDatabase, uuidV7 } from "@svc/persistence";
import { eventually } from "@svc/testkit";
import type { Visit } from "../harness/browser.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { openUserMenu } from "../harness/typing.ts";

const height = 844;
/** Widths of a desktop's window at 400 %, and on both sides of each width at which the style changes. */
const widths = [320, 390, 640, 641, 768, 960, 961, 1024, 1151, 1152, 1280];
/** Widths on both sides of each at which the list, from 768 on a table, shows more columns: 6, 8, 9 and 10. */
const tableWidths = [768, 1024, 1088, 1089, 1248, 1249, 1360, 1361];
const columnsAt = (width: number): number => {
  if (width < 1089) return 6;
  if (width < 1249) return 8;
  return width < 1361 ? 9 : 10;
};
const rows = 50;

inBrowser("pages in windows of every width", (running) => {
  let visit: Visit;
  let paths: Readonly<Record<string, string>>;

  async function addShipments(): Promise<void> {
    const url = running.system.runtime().databaseUrl;
    const database = connectDatabase({ url, applicationName: "test", onIdleError: () => undefined });
    const { id: accountId } = await database.prisma.account.findFirstOrThrow();
    const [createdAt, updatedAt] = [new Date(), new Date()];
    await database.prisma.shipment.createMany({
      data: Array.from({ length: rows }, (_, index) => ({
        accountId,
        id: uuidV7.next(),
        billOfLadingNumber: `WIDTHS${String(index).padStart(10, "0")}`,
        normalizedNumber: `WIDTHS${String(index).padStart(10, "0")}`,
        numberKind: "bill_of_lading",
        shippingLineScac: "SBXL",
        refNumbers: ["A-REFERENCE-WITHOUT-ANY-SPACE-THAT-IS-AS-LONG-AS-THOSE-OF-SOME", "שלום עולם"],
        tags: ["cold chain"],
        polAtdAt: createdAt,
        podEtaAt: createdAt,
        createdAt,
        updatedAt,
      })),
    });
    await database.close();
  }

  beforeAll(async () => {
    const { api } = running.system;
    const request = { request_type: "bill_of_lading", request_number: "SBXSPL000123", scac: "SBXL" };
    expect((await api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
    const url = `https://hooks.example.test/narrow/${"a1".repeat(60)}`;
    const attributes = { url, events: ["container.created"], active: false };
    const { body: webhook } = await api.create("/webhooks", "webhook", attributes);
    const container = await eventually("a container is known", async () => (await api.get("/containers")).body.data[0]);
    await addShipments();
    paths = {
      list: `/shipments?page_size=${rows}`,
      container: `/containers/${container.id}`,
      statements: `/containers/${container.id}/raw-events`,
      requests: "/tracking-requests",
      webhook: `/developers/webhooks/${webhook.data.id}`,
      "edit-webhook": `/developers/webhooks/${webhook.data.id}/edit`,
      "delete-webhook": `/developers/webhooks/${webhook.data.id}/delete`,
      notifications: `/developers/notifications?webhook=${webhook.data.id}`,
    };
    visit = await running.signIn();
  }, timeoutMs);

  const open = async (name: string, width: number): Promise<void> => {
    await visit.page.setViewportSize({ width, height });
    await visit.page.goto(`${running.system.runtime().app}${paths[name]}`);
  };

  test.each(widths)(
    "%d wide: nothing scrolls sideways",
    async (width) => {
      for (const name of Object.keys(paths)) {
        await open(name, width);
        const overflow = await visit.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([name, overflow]).toEqual([name, 0]);
      }
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test.each([
    [390, 110],
    [820, 110],
    [1210, 61],
    [1280, 61],
    [1440, 61],
    [1920, 61],
  ])(
    "%d wide: the header is at most %d pixels high, also with the name of a large company",
    async (width, highest) => {
      await open("container", width);
      const top = await visit.page.evaluate(() => {
        const name = document.querySelector(".user-menu > summary span");
        if (name) name.textContent = "Northern European Forwarding and Logistics";
        return document.querySelector("header")?.getBoundingClientRect().height ?? 0;
      });
      expect(top).toBeLessThanOrEqual(highest);
    },
    timeoutMs,
  );

  test.each([320, 390])(
    "%d wide: every section is in the navigation or in its menu, which opens within the window",
    async (width) => {
      const { page } = visit;
      await open("requests", width);
      const main = page.getByRole("navigation", { name: "Main" });
      expect(await main.getByRole("link").filter({ visible: true }).allTextContents()).toEqual([
        expect.stringContaining("Attention"),
        "Shipments",
        "Containers",
      ]);
      expect(await main.evaluate((nav) => nav.getBoundingClientRect().right)).toBeLessThanOrEqual(width);
      await main.locator("summary").focus();
      await page.keyboard.press("Enter");
      for (const name of ["Map", "Carriers", "Developers", "Account"]) {
        const bounds = await main.getByRole("link", { name }).filter({ visible: true }).boundingBox();
        expect(bounds !== null && bounds.height >= 24 && bounds.x > 0 && bounds.x + bounds.width < width).toBe(true);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.keyboard.press("Escape");
      expect(await main.getByRole("link", { name: "Account" }).filter({ visible: true }).count()).toBe(0);
      const track = await page.getByRole("link", { name: "Track", exact: true }).boundingBox();
      expect([track?.width, track?.height]).toEqual([40, 40]);
    },
    timeoutMs,
  );

  test(
    "on a phone the sections behind the first three are reached through a menu, by mouse",
    async () => {
      const { page } = visit;
      await open("list", 390);
      const bounds = await page.getByText("More", { exact: true }).boundingBox();
      await page.mouse.click((bounds?.x ?? 0) + 5, (bounds?.y ?? 0) + 5);
      const carriers = page.locator(".more-sections").getByRole("link", { name: "Carriers" });
      const target = await carriers.boundingBox();
      await page.mouse.click((target?.x ?? 0) + 5, (target?.y ?? 0) + 5);
      await page.getByRole("heading", { name: "Carriers", level: 1 }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/carriers");
    },
    timeoutMs,
  );

  test(
    "the menu of the member opens and closes by mouse and by keyboard, within the window",
    async () => {
      // Without rows: axe finds a target that the menu covers in part too small.
      const { page } = visit;
      await page.setViewportSize({ width: 390, height });
      await page.goto(`${running.system.runtime().app}/shipments?q=NOWHERE+1`);
      const signOut = page.getByRole("button", { name: "Sign out" });
      await openUserMenu(page);
      const bounds = await signOut.boundingBox();
      expect([
        bounds !== null && bounds.x > 0 && bounds.x + bounds.width < 390,
        await visit.accessibilityProblems(),
      ]).toEqual([true, []]);
      await page.mouse.click(20, 700);
      await signOut.waitFor({ state: "hidden" });
      await page.locator(".user-menu > summary").focus();
      await page.keyboard.press("Enter");
      await signOut.waitFor();
      await page.keyboard.press("Escape");
      await signOut.waitFor({ state: "hidden" });
    },
    timeoutMs,
  );

  test.each(tableWidths)(
    "%d wide: the cells of the list stand below their headings",
    async (width) => {
      const columns = columnsAt(width);
      await open("list", width);
      await visit.picture(`list-${width}`);
      const lefts = await visit.page.evaluate(() =>
        [...document.querySelectorAll(".shipments tr")]
          .slice(0, 2)
          .map((row) =>
            [...row.children].filter((cell) => cell.checkVisibility()).map((cell) => cell.getBoundingClientRect().left),
          ),
      );
      const isOverNext = await visit.page
        .locator(".shipments tbody tr")
        .first()
        .evaluate((row) => {
          const [link, next] = [row.querySelector(".row-link"), row.children[1]];
          return !link || !next || link.getBoundingClientRect().right > next.getBoundingClientRect().left;
        });
      expect(isOverNext).toBe(false);
      expect(lefts[0]).toHaveLength(columns);
      expect(lefts[1]).toEqual(lefts[0]);
      await expect(visit.page.getByRole("table").getByRole("columnheader").count()).resolves.toBe(columns);
      await expect(visit.page.getByRole("row").nth(1).getByRole("cell").count()).resolves.toBe(columns - 1);
    },
    timeoutMs,
  );

  test.each([
    ["laptop", 1440, 900, 12],
    ["phone", 390, 844, 3],
  ])("the window of a %s, %d × %d, shows at least %d shipments", async (_, width, height, min) => {
    await visit.page.setViewportSize({ width, height });
    await visit.page.goto(`${running.system.runtime().app}/shipments`);
    const visibleCount = await visit.page.evaluate(
      () =>
        [...document.querySelectorAll("tbody tr")].filter((row) => row.getBoundingClientRect().bottom <= innerHeight)
          .length,
    );
    expect(visibleCount).toBeGreaterThanOrEqual(min);
  });

  test("a card leaves out what is not known, and keeps the labels that it does not show for screen readers", async () => {
    await open("list", 390);
    const card = visit.page.getByRole("row").last();
    expect(await card.getByText("–", { exact: true }).filter({ visible: true }).count()).toBe(0);
    // Found and read in one step: a live update may replace the rows between two.
    const label = await visit.page.evaluate(() => {
      const cell = [...document.querySelectorAll("[data-label=Arrival]")].at(-1);
      if (!cell) return [];
      const { content, display } = getComputedStyle(cell, "::before");
      return [content, display];
    });
    expect(label).toEqual(['"Arrival "', "block"]);
  });

  test.each([390, 1280])(
    "%d wide: rows far below are laid out when one comes near them, and found before",
    async (width) => {
      await open("list", width);
      const last = visit.page.locator(".row-link").last();
      const isLaidOut = () => last.evaluate((link) => link.checkVisibility({ contentVisibilityAuto: true }));
      expect(await visit.page.locator(".row-link").count()).toBe(rows);
      expect(await isLaidOut()).toBe(false);
      await visit.page.keyboard.press("k");
      expect(await last.evaluate((link) => link === document.activeElement)).toBe(true);
      await eventually("it is laid out", isLaidOut);
      expect(await visit.accessibilityProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
