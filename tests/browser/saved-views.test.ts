import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";

const phone = { width: 390, height: 844 };
const wideWindows = [820, 1280, 1440];

/** An open menu covers what is behind it, so only its own layout counts: it stays within the window. */
async function pictureOpen(visit: Visit, name: string, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await visit.page.setViewportSize({ width, height: 900 });
    const bounds = await visit.page.locator(".popover[open] > .menu").boundingBox();
    const isInside = bounds !== null && bounds.x >= 0 && bounds.x + bounds.width <= width;
    expect([name, width, isInside]).toEqual([name, width, true]);
    await visit.picture(`${name}-${width}`);
  }
  const isCovered = (problem: string) => /^target-size: .*data-share.*partially obscured/s.test(problem);
  expect((await visit.accessibilityProblems()).filter((problem) => !isCovered(problem))).toEqual([]);
}

inBrowser("a member saves views of lists", (running) => {
  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", {
      ...request,
      shipment_tags: ["reefer"],
    });
    await eventually("the shipment has a container", async () => {
      const { body } = await running.system.api.get("/shipments?include=containers");
      return (body.included?.length ?? 0) > 0 || undefined;
    });
  }, timeoutMs);

  async function signIn(colorScheme: "light" | "dark"): Promise<Visit> {
    return running.signIn("/shipments", { colorScheme, viewport: { width: 1440, height: 900 } });
  }
  test(
    "filters, chooses columns, saves, changes and updates a view, and opens it by the palette",
    async () => {
      const member = await signIn("light");
      const { page } = member;
      const { app } = running.system.runtime();
      const wide = { width: 1440, height: 900 };
      for (const [list, size, topMax] of [
        ["containers", wide, 260],
        ["containers", phone, 420],
        ["shipments", phone, 420],
        ["shipments", wide, 260],
      ] as const) {
        await page.setViewportSize(size);
        await page.goto(`${app}/${list}`);
        if (size === phone) await page.getByLabel("More actions").click();
        await page.getByText("Export", { exact: true }).click();
        await pictureOpen(member, `export-menu-${list}`, size === phone ? [phone.width] : wideWindows);
        await page.setViewportSize(size);
        await page.keyboard.press("Escape");
        const top = await page
          .locator("tbody tr")
          .first()
          .evaluate((row) => row.getBoundingClientRect().top);
        expect([list, size.width, top <= topMax ? "in view" : top]).toEqual([list, size.width, "in view"]);
      }
      await page.getByRole("link", { name: "reefer", exact: true }).click();
      await page.getByRole("link", { name: "Remove the filter Tag reefer" }).waitFor();
      await page.getByText("Columns", { exact: true }).click();
      await page.getByRole("checkbox", { name: "Departure", exact: true }).click();
      await page.setViewportSize({ width: 390, height: 900 });
      // Cards have all columns that they need.
      expect(await page.getByText("Columns", { exact: true }).isVisible()).toBe(false);
      await pictureOpen(member, "views-columns", wideWindows);
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/columns=/);
      await page.getByText("Save view", { exact: true }).first().click();
      await page.getByLabel("Name", { exact: true }).click();
      await page.keyboard.type("Reefers");
      await page.getByText("Share with the account").click();
      await page.getByText("Make this my default view").click();
      await pictureOpen(member, "views-save", wideWindows);
      await page.setViewportSize(phone);
      await page.getByLabel("More actions").click();
      await page.getByText("Save view", { exact: true }).first().click();
      await pictureOpen(member, "views-save", [phone.width]);
      await page.getByRole("button", { name: "Save view" }).click();
      await page.getByRole("link", { name: "Reefers" }).waitFor();
      await capture(member, "views-saved");

      await page
        .getByRole("link", { name: /Arrival/ })
        .first()
        .click();
      await page.getByRole("button", { name: "Update “Reefers”" }).waitFor();
      await capture(member, "views-changed");
      await page.getByRole("button", { name: "Update “Reefers”" }).click();
      await page.getByRole("button", { name: "Update “Reefers”" }).waitFor({ state: "detached" });

      await page.goto(`${app}/containers`);
      await page.keyboard.press("Control+K");
      await page.keyboard.type("reef");
      await page
        .getByRole("dialog")
        .getByRole("option", { name: /Reefers/ })
        .first()
        .click();
      await page.waitForURL(/\/shipments\?tag=reefer&sort=arrival&columns=.*&saved=/);
      await page.getByRole("link", { name: "All shipments" }).click();
      await page.waitForURL(/saved=none/);
      await page.goto(`${app}/shipments`);
      await page.waitForURL(/tag=reefer/);

      await page.goto(`${app}/account/views`);
      await capture(member, "account-views");
      await page.getByRole("link", { name: "Delete Reefers" }).click();
      await page.getByRole("button", { name: "Delete view" }).click();
      await page.getByText("The view is deleted.").waitFor();
      expect(member.takeProblems()).toEqual([]);
      await member.close();
    },
    timeoutMs,
  );

  test(
    "saves views of the other two lists in the dark theme",
    async () => {
      const member = await signIn("dark");
      const { page } = member;
      const { app } = running.system.runtime();
      for (const [path, name] of [
        ["/containers?view=holds", "Held"],
        ["/attention?status=snoozed", "Later"],
      ] as const) {
        await page.goto(app + path);
        await page.getByText("Save view", { exact: true }).first().click();
        await page.getByLabel("Name", { exact: true }).click();
        await page.keyboard.type(name);
        await page.keyboard.press("Enter");
        await page.getByRole("link", { name, exact: true }).waitFor();
        await capture(member, `views-${name.toLowerCase()}-dark`);
      }
      expect(member.takeProblems()).toEqual([]);
      await member.close();
    },
    timeoutMs,
  );
});
