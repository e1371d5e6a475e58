import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import type { ContainerPositionsDocument } from "@svc/sdk";
import { eventually } from "@svc/testkit";
import type { BrowserContextOptions, Page } from "playwright-core";
import { sailUntil, sandboxClock } from "../e2e/harness/sandbox-clock.ts";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { shiftOf } from "./harness/layout-shift.ts";
import { markColours, sharedMarks } from "./harness/mark-pixels.ts";
import { typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];
/** Pixels between two places where the mouse looks for a mark. */
const stepPx = 18;

inBrowser("the map of all voyages", (running) => {
  const positions = async () =>
    (await running.system.api.get("/container_positions")).body as unknown as ContainerPositionsDocument;
  const isSailing = ({ properties }: ContainerPositionsDocument["features"][number]) =>
    properties.next_port_locode !== null;

  beforeAll(async () => {
    const { system } = running;
    for (const number of ["SBXDIR000701", "SBXSPL000701", "SBXDIR000702"]) {
      const request = { request_type: "bill_of_lading", request_number: number, scac: "SBXL" };
      await system.api.create("/tracking_requests", "tracking_request", request);
    }
    await sailUntil(
      system,
      "two vessels are at sea",
      async () => (await positions()).features.filter(isSailing).length > 1,
    );
    await sandboxClock.pause(system);
  }, timeoutMs);

  const openMap = (options: BrowserContextOptions = {}): Promise<Visit> =>
    running.signIn("/map", { viewport: { width: 1440, height: 900 }, ...options });
  const drawn = async ({ page }: Visit): Promise<void> => page.locator(".voyage-map.is-drawn").waitFor();

  /** Moves the mouse over the map until the label beside it matches, and leaves it there. */
  async function pointAt(page: Page, pattern: RegExp): Promise<string> {
    const bounds = await page.locator(".map-canvas canvas").boundingBox();
    if (bounds === null) throw new Error("The map is not visible.");
    for (let y = stepPx / 2; y < bounds.height; y += stepPx) {
      for (let x = stepPx / 2; x < bounds.width; x += stepPx) {
        await page.mouse.move(bounds.x + x, bounds.y + y);
        const text = await page.locator(".map-tip:visible").allTextContents();
        if (pattern.test(text[0] ?? "")) return text[0] ?? "";
      }
    }
    throw new Error(`No mark of the map is labelled like ${pattern}.`);
  }

  test(
    "a change of the page while the map starts waits for its style",
    async () => {
      const visit = await openMap();
      await drawn(visit);
      await visit.page.addInitScript(() => {
        const starts = new MutationObserver(() => {
          if (document.querySelector(".map-root") === null) return;
          starts.disconnect();
          // A microtask after the map is made: no style has loaded yet.
          document.dispatchEvent(new Event("svc:updated"));
        });
        starts.observe(document, { childList: true, subtree: true });
      });
      await visit.page.reload();
      await drawn(visit);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "shows a container at the place that the map of its route shows",
    async () => {
      const differenceOf = async (
        { geometry, properties }: ContainerPositionsDocument["features"][number],
        asOf: string,
      ) => {
        const path = `/containers/${properties.containers[0]?.id}/map_geojson?as_of=${asOf}`;
        const { body } = await running.system.api.get(path);
        const map = body as unknown as {
          features: { geometry: { coordinates: readonly number[] }; properties: { feature_type: string } }[];
        };
        const vessel = map.features.find(({ properties }) => properties.feature_type === "current_vessel");
        const [longitude = Number.NaN, latitude = Number.NaN] = vessel?.geometry.coordinates ?? [];
        const [x = 0, y = 0] = geometry.coordinates;
        return Math.max(Math.abs(x - longitude), Math.abs(y - latitude));
      };
      // The positions are those of the whole minute, and what the carrier reported before it is still applied.
      await eventually("the containers at sea are at one place on both maps", async () => {
        const { features, meta } = await positions();
        const sailing = features.filter(isSailing);
        const differences = await Promise.all(sailing.map((feature) => differenceOf(feature, meta.as_of)));
        if (differences.length > 0 && differences.every((difference) => difference < 0.05)) return true;
        // Each look counts against the limit of requests of the API.
        await delay(2_000);
        throw new Error(`They are ${differences.join(", ")} degrees apart.`);
      });
    },
    timeoutMs,
  );

  test(
    "zooms, opens a mark with several places, selects a vessel and follows its container, by mouse",
    async () => {
      const visit = await openMap();
      const { page } = visit;
      await drawn(visit);
      expect(await page.locator(".voyage-map > .world").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Zoom out" }).click();
      await page.getByRole("button", { name: "Zoom out" }).click();
      await page.waitForTimeout(1_000);
      const cluster = await pointAt(page, /^\d+ containers?$/);
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForTimeout(1_500);
      const vessel = await pointAt(page, /^SBX [A-Z]+ [A-Z]+ · /);
      expect(cluster).not.toBe(vessel);
      await page.mouse.down();
      await page.mouse.up();
      await page.waitForURL(/[?&]at=/);
      const card = page.getByRole("region", { name: vessel.split(" · ")[0] ?? "" });
      await card.getByText(/^From .* to .* · ETA /).waitFor();
      await card.getByText(/^Position (estimated along the shipping lane|reported by AIS at )/).waitFor();
      // The canvas moved into the new version of the page.
      await drawn(visit);
      expect(await page.locator(".map-canvas canvas").count()).toBe(1);
      const link = card.getByRole("link", { name: /^SBXU/ }).first();
      const number = (await link.textContent()) ?? "";
      await visit.picture("map-selected");
      await link.click();
      await page.waitForURL(/\/shipments\/.*container=/);
      await page.getByRole("heading", { name: number }).first().waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "selects places in the list beside the map, closes the card and keeps filters in the URL, by keyboard",
    async () => {
      const visit = await openMap();
      const { page } = visit;
      await drawn(visit);
      const link = page.getByRole("table", { name: "At sea, by next port" }).getByRole("link").first();
      const port = (await link.textContent()) ?? "";
      await link.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: `At sea to ${port}` }).waitFor();
      await page.getByRole("link", { name: "Close" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("#selected").waitFor({ state: "detached" });
      await typeInto(page.getByLabel("Number, reference, vessel, port or customer"), "SBXSPL000701");
      await page.keyboard.press("Enter");
      await page.waitForURL(/number=SBXSPL000701/);
      const filtered = (await running.system.api.get("/container_positions?filter[number]=SBXSPL000701")).body;
      const { containers_total: total } = (filtered as unknown as ContainerPositionsDocument).meta;
      await page
        .locator("main")
        .getByText(new RegExp(`^${total} containers? not picked up yet`))
        .waitFor();
      await page.getByRole("link", { name: "As a list" }).click();
      await page.waitForURL(/\/containers\?number=SBXSPL000701/);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "a search that finds one container centres the map on it and opens it, at every width",
    async () => {
      const { features } = await positions();
      const number = features.find(isSailing)?.properties.containers[0]?.number ?? "";
      const visit = await openMap({ reducedMotion: "reduce" });
      const { page } = visit;
      await drawn(visit);
      await typeInto(page.getByLabel("Number, reference, vessel, port or customer"), number);
      await page.keyboard.press("Enter");
      await page.waitForURL(/number=/);
      const card = page.locator("#selected");
      await card.getByRole("link", { name: number }).waitFor();
      expect(await card.getByRole("link", { name: /^SBXU/ }).count()).toBe(1);
      await drawn(visit);
      await page.waitForTimeout(1_500);
      // The mark in the middle of the map is the vessel.
      const bounds = await page.locator(".map-canvas canvas").boundingBox();
      await page.mouse.move((bounds?.x ?? 0) + (bounds?.width ?? 0) / 2, (bounds?.y ?? 0) + (bounds?.height ?? 0) / 2);
      await page
        .locator(".map-tip:visible")
        .getByText(/^SBX [A-Z]+ [A-Z]+ · /)
        .waitFor();
      await capture(visit, "map-found");
      await card.getByRole("link", { name: "Close" }).click();
      await card.waitFor({ state: "detached" });
      expect(page.url()).toContain(`number=${number}`);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([...widths, 1920])(
    "keeps the map of the server in place when the script starts, at a width of %d",
    async (width) => {
      const visit = await openMap({ viewport: { width, height: 900 }, reducedMotion: "reduce" });
      const { page } = visit;
      await drawn(visit);
      const places = Promise.withResolvers<void>();
      await page.route("**/map/places.json*", async (route) => {
        await places.promise;
        await route.continue();
      });
      await page.reload();
      const map = page.locator(".voyage-map");
      const buttons = () => map.getByRole("button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      await page.mouse.move(0, 0);
      const colours = await markColours(page);
      const [first, before] = [await map.screenshot(), await buttons()];
      expect(await page.getByRole("button", { name: "Zoom in" }).isDisabled()).toBe(true);
      places.resolve();
      await drawn(visit);
      const [later, after] = [await map.screenshot(), await buttons()];
      // Marks that are moved by two pixels make it less than 0.7.
      expect(sharedMarks(first, later, colours)).toBeGreaterThan(0.8);
      expect(after).toEqual(before);
      expect(after).toHaveLength(3);
      await page.getByRole("button", { name: "Zoom in" }).click();
      // Numbers above the map may change meanwhile: vessels move on.
      expect(await shiftOf(page, ".voyage-map")).toBe(0);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each(["light", "dark"] as const)(
    "has no layout problems and is accessible in %s, at every width",
    async (colorScheme) => {
      const visit = await openMap({ colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      await drawn(visit);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(500);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        await visit.picture(`map-${colorScheme}-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "without scripts, and without WebGL, the map that the server draws stays, with the same facts",
    async () => {
      const plain = await openMap({ javaScriptEnabled: false });
      const picture = plain.page.getByRole("img", { name: /^Map of \d+ containers: / });
      await picture.waitFor();
      expect(await picture.locator(".map-mark").count()).toBeGreaterThan(0);
      await plain.page.getByRole("table", { name: "At sea, by next port" }).getByRole("link").first().click();
      await plain.page.getByRole("heading", { name: /^At sea to / }).waitFor();
      await plain.picture("map-without-scripts");
      await plain.close();

      const visit = await openMap();
      await drawn(visit);
      await visit.page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null;
      });
      const requestedPaths: string[] = [];
      visit.page.on("request", (request) => requestedPaths.push(new URL(request.url()).pathname));
      await visit.page.reload({ waitUntil: "networkidle" });
      expect(await visit.page.locator(".voyage-map > .world").isVisible()).toBe(true);
      expect(await visit.page.locator(".map-buttons").isVisible()).toBe(false);
      expect(requestedPaths.filter((path) => /\/map(-worker)?\.\w+\.js$|places\.json/.test(path))).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
