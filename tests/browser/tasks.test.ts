import fs from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Locator, Page } from "playwright-core";
import { sailUntil, sandboxClock } from "../e2e/harness/sandbox-clock.ts";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { layoutProblems } from "./harness/sweep.ts";

const widths = [390, 820, 1440];

interface Task {
  readonly name: string;
  /** Maximum number of clicks from home until the answer is visible. */
  readonly clicks: number;
  readonly steps: (page: Page) => Locator[];
  /** Element that is visible once the task is done. */
  readonly done: (page: Page) => Locator;
}

const link = (page: Page, name: string | RegExp) => page.getByRole("link", { name, exact: true }).first();
/** The exception of the late shipment. */
const shipmentLink = (page: Page) => page.getByRole("link", { name: "SBXDLY000123" }).first();

const tasks: readonly Task[] = [
  {
    name: "Late containers",
    clicks: 1,
    steps: (page) => [link(page, /^2\+ days late/)],
    done: (page) => page.getByRole("heading", { name: "Containers", level: 1 }),
  },
  {
    name: "About to hit the last free day",
    clicks: 1,
    steps: (page) => [link(page, /^Last free day within 3 days/)],
    done: (page) => page.getByRole("heading", { name: "Containers", level: 1 }),
  },
  {
    name: "Why did the ETA change",
    clicks: 1,
    steps: (page) => [shipmentLink(page)],
    done: (page) => page.getByRole("heading", { name: "ETA history" }),
  },
  {
    name: "Share a shipment",
    clicks: 3,
    steps: (page) => [
      page.getByLabel(/^More actions: .*SBXDLY000123$/).first(),
      page.getByRole("link", { name: "Share: SBXDLY000123" }).first(),
      page.getByRole("button", { name: "Create link" }),
    ],
    done: (page) => page.getByText("The link is created."),
  },
  {
    name: "Share a shipment from the list",
    clicks: 2,
    steps: (page) => [link(page, "Shipments"), page.getByRole("link", { name: "Share: SBXDLY000123" })],
    done: (page) => page.getByRole("heading", { name: "Active links" }),
  },
  {
    name: "New alert",
    clicks: 1,
    steps: (page) => [link(page, "New alert")],
    done: (page) => page.getByRole("button", { name: "Create alert" }),
  },
  {
    name: "Connect a carrier",
    clicks: 1,
    steps: (page) => [link(page, "Carriers")],
    done: (page) => link(page, "Maersk"),
  },
];

inBrowser("the tasks of an operations person, from home", (running) => {
  let visit: Visit;

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDLY000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
    await sailUntil(running.system, "the delay is an exception", async () => {
      const { body } = await running.system.api.get("/exceptions?filter[kind]=eta_delay");
      return body.data.length > 0;
    });
    await sandboxClock.pause(running.system);
    visit = await running.signIn("/attention", { viewport: { width: 1440, height: 900 } });
  }, timeoutMs);

  const goHome = () => visit.page.goto(`${running.system.runtime().app}/attention`);
  const measured: string[] = [];

  test.each(tasks)("$name: at most $clicks clicks", async ({ name, clicks, steps, done }) => {
    await goHome();
    const way = steps(visit.page);
    expect(way.length).toBeLessThanOrEqual(clicks);
    const startedMs = performance.now();
    for (const step of way) await step.click();
    await done(visit.page).waitFor();
    measured.push(`${name}: ${way.length} clicks, ${Math.round(performance.now() - startedMs)} ms`);
    expect(visit.takeProblems()).toEqual([]);
  });

  test("the containers of today and of the next 7 days are one click away at every width, and say whose days they are", async () => {
    await goHome();
    const { page } = visit;
    await capture(visit, "attention-last-free-day");
    await page.setViewportSize({ width: 390, height: 900 });
    await link(page, /^Last free day today/).click();
    const days = "Days in local time of the pickup place";
    await page.locator("main").getByText(days).waitFor();
    await link(page, /^Last free day Within 7 days/).click();
    await page.waitForURL(/view=last_free_day_within_7_days/);
    await capture(visit, "containers-within-7-days");
    expect(visit.takeProblems()).toEqual([]);
  });

  test("Export: one click saves a workbook", async () => {
    await goHome();
    const { page } = visit;
    const startedMs = performance.now();
    const [file] = await Promise.all([page.waitForEvent("download"), link(page, "Export all containers").click()]);
    const path = await file.path();
    measured.push(`Export: 1 click, ${Math.round(performance.now() - startedMs)} ms`);
    expect(file.suggestedFilename()).toBe("containers.xlsx");
    // The signature of a ZIP archive.
    expect(fs.readFileSync(path).subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  });

  test("reaches each shortcut with Tab", async () => {
    await goHome();
    const { page } = visit;
    const reached: string[] = [];
    const last = /^2\+ days late/;
    for (let press = 0; press < 60 && !reached.some((text) => last.test(text)); press += 1) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate(() => document.activeElement?.textContent?.trim() ?? ""));
    }
    const lastFreeDays = ["Over the last free day", "Last free day today", "Last free day within 3 days"];
    const shortcuts = ["New alert", "Export all", ...lastFreeDays, "On hold", "2+ days late"];
    const labels = reached.map((text) => text.replace(/\s+\d+$/, ""));
    expect(labels.filter((text) => shortcuts.includes(text))).toEqual(shortcuts);
    await page.keyboard.press("Enter");
    await page.waitForURL(/view=late/);
  });

  test("opens the links of a row's shipment with s, and the form of a carrier by the palette", async () => {
    await goHome();
    const { page } = visit;
    await page.keyboard.press("j");
    await page.keyboard.press("s");
    await page.getByRole("heading", { name: "Active links" }).waitFor();
    await goHome();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("connect maersk");
    await page.getByRole("option", { name: /^Connect Maersk/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Connect and test" }).first().waitFor();
    expect(visit.takeProblems()).toEqual([]);
  });

  test("shares nothing with s when no row is selected", async () => {
    await goHome();
    const { page } = visit;
    await page.keyboard.press("s");
    await page.keyboard.press("j");
    expect(new URL(page.url()).pathname).toBe("/attention");
  });

  test(
    "home, the lists and the page of display preferences at three widths",
    async () => {
      const { page } = visit;
      const paths = {
        home: "/attention",
        display: "/account/display",
        shipments: "/shipments",
        containers: "/containers",
      };
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(`${running.system.runtime().app}${path}`);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          expect([name, width, await layoutProblems(page)]).toEqual([name, width, []]);
          await visit.picture(`tasks-${name}-${width}`);
        }
        expect([name, await visit.accessibilityProblems()]).toEqual([name, []]);
      }
      await eventually("every task was measured", () => measured.length === tasks.length + 1);
      fs.writeFileSync(new URL("screenshots/tasks.txt", import.meta.url), `${measured.join("\n")}\n`);
    },
    timeoutMs,
  );
});
