import fs from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Page } from "playwright-core";
import { sandboxClock } from "../../e2e/harness/sandbox-clock.ts";
import { sizes, type Visit } from "../harness/browser.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";

const measuredTimes = 10;

type Logged = typeof globalThis & { happened: string[]; firstPage: boolean };

/** Notes events, requests of the page and replaced parts in their order. */
function noteWhatHappens(): void {
  const globals = globalThis as Logged;
  globals.happened = [];
  const note = (what: string) => globals.happened.push(what);
  const add = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (this: EventSource, type: string, ...rest: never[]) {
    if (type === "ready" || type === "changed") add.call(this, type, () => note(type));
    return (add as (...all: unknown[]) => void).call(this, type, ...rest);
  } as typeof add;
  const close = EventSource.prototype.close;
  EventSource.prototype.close = function () {
    note("closed");
    close.call(this);
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (...rest: unknown[]) {
    note("request");
    this.addEventListener("loadend", () => note("answer"));
    return (open as (...all: unknown[]) => void).apply(this, rest);
  };
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (node instanceof HTMLElement && node.dataset.part && node.querySelector(".just-changed")) note("part");
      }
    }
  }).observe(document, { childList: true, subtree: true });
}

const happened = (page: Page) => page.evaluate(() => (globalThis as Logged).happened);
/** The page has its events, and the request that follows them has ended. */
async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { happened: all } = globalThis as Logged;
    return all.includes("ready") && all.indexOf("answer", all.indexOf("ready")) >= 0;
  });
}
const clearLog = (page: Page) =>
  page.evaluate(() => {
    (globalThis as Logged).happened = [];
    (globalThis as Logged).firstPage = true;
  });

inBrowser("a page is live by server-sent events", (running) => {
  let visit: Visit;
  let shipmentId: string;

  const at = (path: string) => `${running.system.runtime().app}${path}`;
  const track = (request_number: string) =>
    running.system.api.create("/tracking_requests", "tracking_request", {
      request_type: "bill_of_lading",
      request_number,
      scac: "SBXL",
    });
  const setTags = async (...tags: string[]) => {
    const data = { type: "shipment", id: shipmentId, attributes: { tags } };
    const { status } = await running.system.api.request("PATCH", `/shipments/${shipmentId}`, { body: { data } });
    expect(status).toBe(200);
  };

  beforeAll(async () => {
    await track("SBXDIR000123");
    shipmentId = await eventually("the shipment has a container", async () => {
      const { body } = await running.system.api.get("/shipments?include=containers");
      return (body.included?.length ?? 0) > 0 ? body.data[0]?.id : undefined;
    });
    await sandboxClock.pause(running.system);
    visit = await running.signIn("/shipments", { viewport: sizes.desktop });
    await visit.page.addInitScript(noteWhatHappens);
  }, timeoutMs);

  test(
    "the list shows a number that another program tracks: after an event, without losing what is typed",
    async () => {
      const { page } = visit;
      await page.goto(at("/shipments"));
      await untilReady(page);
      await page.locator("main input[type=search]").first().click();
      await page.keyboard.type("half a num");
      await clearLog(page);
      await track("SBXDLY000123");
      await page.locator(".row-link", { hasText: "SBXDLY000123" }).waitFor();
      const order = await happened(page);
      expect(order.indexOf("changed")).toBe(0);
      expect(order.indexOf("request")).toBeGreaterThan(0);
      expect(order.indexOf("part")).toBeGreaterThan(order.indexOf("request"));
      const searchBox = page.locator("main input[type=search]").first();
      expect(await searchBox.inputValue()).toBe("half a num");
      expect(await searchBox.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(await page.evaluate(() => (globalThis as Logged).firstPage)).toBe(true);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "the page of a number just tracked opens its shipment when the carrier knows it",
    async () => {
      const { page } = visit;
      await page.goto(at("/track?number=SBXTSP000123&carrier=SBXL"));
      await page
        .getByRole("button", { name: /^Track/ })
        .first()
        .click();
      await page.waitForURL(/\/shipments\/[0-9a-f-]{36}/, { timeout: 60_000 });
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "the page of a shipment in motion replaces what changed; scroll position and open details stay",
    async () => {
      const { page } = visit;
      await page.goto(at(`/shipments/${shipmentId}`));
      await untilReady(page);
      await page.locator("main summary").last().click();
      await page.evaluate(() => window.scrollTo(0, 400));
      const before = await page.evaluate(() => ({
        open: document.querySelectorAll("main details[open]").length,
        scroll: Math.round(window.scrollY),
      }));
      await clearLog(page);
      await sandboxClock.advance(running.system, "10d");
      await page.waitForFunction(() => (globalThis as Logged).happened.includes("part"));
      const order = await happened(page);
      expect(order[0]).toBe("changed");
      const after = await page.evaluate(() => ({
        open: document.querySelectorAll("main details[open]").length,
        scroll: Math.round(window.scrollY),
      }));
      expect(after.open).toBeGreaterThanOrEqual(before.open);
      // The browser keeps what is in view in its place, also when a part above it grows.
      expect(after.scroll).toBeGreaterThanOrEqual(before.scroll);
      expect(await page.evaluate(() => (globalThis as Logged).firstPage)).toBe(true);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "a hidden page receives nothing; when it is shown again it is brought up to date",
    async () => {
      const { page } = visit;
      const show = (isHidden: boolean) =>
        page.evaluate((hidden) => {
          Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
          document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
        }, isHidden);
      await page.goto(at("/shipments"));
      await untilReady(page);
      await clearLog(page);
      await show(true);
      await setTags("while-hidden");
      expect(await happened(page)).toEqual(["closed"]);
      expect(await page.getByText("while-hidden").count()).toBe(0);
      await show(false);
      await page.getByText("while-hidden").first().waitFor();
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "without events, as behind a proxy that blocks them, the page is polled",
    async () => {
      const { page } = visit;
      await page.route("**/events*", (route) => route.abort());
      await page.goto(at("/shipments"));
      await clearLog(page);
      await setTags("polled");
      await page.getByText("polled").first().waitFor();
      const order = await happened(page);
      expect([order.includes("changed"), order.includes("request")]).toEqual([false, true]);
      await page.unroute("**/events*");
      visit.takeProblems();
    },
    timeoutMs,
  );

  test(
    "the time from a change to the page that shows it is written down",
    async () => {
      const { page } = visit;
      await page.goto(at("/shipments"));
      await untilReady(page);
      const times: number[] = [];
      for (let time = 0; time < measuredTimes; time++) {
        // Changes that follow each other within two seconds are shown together.
        await page.waitForTimeout(2_500);
        const tag = `measured-${time}`;
        const startedMs = performance.now();
        await setTags(tag);
        await page.getByText(tag).first().waitFor();
        times.push(performance.now() - startedMs);
      }
      times.sort((one, other) => one - other);
      const [median, max] = [times[Math.floor(times.length / 2)], times.at(-1)].map((ms) => Math.round(ms ?? 0));
      const text = `change to page: median ${median} ms, maximum ${max} ms of ${times.length}\n`;
      fs.writeFileSync(new URL("../screenshots/live.txt", import.meta.url), text);
      expect(times).toHaveLength(measuredTimes);
    },
    timeoutMs,
  );
});
