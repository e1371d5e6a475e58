import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Resource } from "../../e2e/harness/api-client.ts";
import { sailUntil } from "../../e2e/harness/sandbox-clock.ts";
import { sizes, type TestBrowser, type Visit } from "../harness/browser.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { shiftOf } from "../harness/layout-shift.ts";
import { logIn, openUserMenu, typeInto } from "../harness/typing.ts";

const number = "SBXSPL000123";

/** Script that counts, in `formats` of the page, the formats that browsers take long to create. */
const countFormats = `formats = [];
for (const name of ["DateTimeFormat", "RelativeTimeFormat"]) {
  Intl[name] = new Proxy(Intl[name], { construct: (...all) => (formats.push(name), Reflect.construct(...all)) });
}`;

inBrowser("the tracking pages in a browser", (running) => {
  let shipment: Resource;

  const logInTo = async ({ page }: Visit): Promise<void> => {
    await page.goto(`${running.system.runtime().app}/login`);
    await logIn(page, running.system.runtime().login);
    await page.waitForURL(/\/shipments/);
  };
  const visitAs = async (options: Parameters<TestBrowser["visit"]>[1]): Promise<Visit> => {
    const visit = await running.browser.visit(running.system.runtime().app, options);
    await logInTo(visit);
    return visit;
  };

  beforeAll(async () => {
    const track = (request_number: string) =>
      running.system.api.create("/tracking_requests", "tracking_request", {
        request_type: "bill_of_lading",
        request_number,
        scac: "SBXL",
        ref_numbers: ["PO 4711/A"],
        shipment_tags: ["urgent"],
      });
    for (const one of [number, "SBXTSP000123"]) expect((await track(one)).status).toBe(201);
    shipment = await eventually("the shipment has all its containers", async () => {
      const { body } = await running.system.api.get(`/shipments?filter[number]=${number}&include=containers`);
      return body.included?.length === 3 ? body.data[0] : undefined;
    });
  }, timeoutMs);

  const variants = Object.entries(sizes).flatMap(([size, viewport]) =>
    (["light", "dark"] as const).map((colorScheme) => [`${size} ${colorScheme}`, viewport, colorScheme] as const),
  );

  test("the slider shows the shipment as known at an earlier change, and back", async () => {
    const summary = `/shipments/${shipment.id}/tracking_summary`;
    const times = async () => (await running.system.api.get(summary)).body.data.attributes.change_times as string[];
    await sailUntil(running.system, "the carrier reports a change", async () => (await times()).length > 1);
    const visit = await visitAs({});
    const { page } = visit;
    await page.goto(`${running.system.runtime().app}/shipments/${shipment.id}`);
    await page.getByText("View history").click();
    await page.getByRole("slider", { name: "Last change" }).focus();
    await page.keyboard.press("Home");
    await page.locator("section.as-of output", { hasText: /\d{4}, \d\d:\d\d UTC$/ }).waitFor();
    expect(await visit.accessibilityProblems()).toEqual([]);
    await page.getByRole("link", { name: "Back to current" }).click();
    await page.waitForURL((url) => !url.searchParams.has("as_of"));
    expect(visit.takeProblems()).toEqual([]);
    await visit.close();
  }, 300_000);

  test.each(variants)(
    "%s: every page is accessible, fits the screen and loads nothing of another site",
    async (name, viewport, colorScheme) => {
      const visit = await visitAs({ viewport, colorScheme, reducedMotion: "reduce" });
      const { page } = visit;
      const { data } = (await running.system.api.get(`/shipments/${shipment.id}?include=containers`)).body;
      const [container] = (data.relationships?.containers?.data ?? []) as { id: string }[];
      const paths = {
        list: "/shipments",
        filtered: "/shipments?tag=urgent&carrier=SBXL&sort=created_at",
        nothing: "/shipments?q=NOWHERE+1",
        shipment: `/shipments/${shipment.id}`,
        edit: `/shipments/${shipment.id}/edit`,
        container: `/containers/${container?.id}`,
        statements: `/containers/${container?.id}/raw-events`,
        track: "/track?number=SBXDIR000777",
        bulk: "/track/bulk",
        import: "/track/import",
        requests: "/tracking-requests",
        newest: `/shipments/${shipment.id}?order=newest`,
        times: "/times",
        missing: "/shipments/01890000-0000-7000-8000-000000000000",
      };
      for (const [what, path] of Object.entries(paths)) {
        expect((await page.goto(`${running.system.runtime().app}${path}`))?.status()).toBe(
          what === "missing" ? 404 : 200,
        );
        await visit.picture(`${what}-${name.replace(" ", "-")}`);
        expect([what, await visit.accessibilityProblems()]).toEqual([what, []]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([what, overflow]).toEqual([what, 0]);
      }
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "goes from the list to the container and back by keyboard",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      await press("/");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("q");
      await page.keyboard.type(number.toLowerCase());
      await press("Enter");
      await page.waitForURL(/q=/);
      await press("ArrowDown");
      expect(await focused()).toBe(number);
      await press("k", "j");
      expect(await focused()).toBe(number);
      await press("Enter");
      await page.waitForURL(new RegExp(`/shipments/${shipment.id}`));
      const current = page.locator('nav[aria-label="Containers"] [aria-current="true"] .number');
      const first = await current.textContent();
      await press("]");
      await page.waitForURL(/container=/);
      const second = await current.textContent();
      expect(second).not.toBe(first);
      await page.getByRole("link", { name: "Container details" }).focus();
      await press("Enter");
      await page.waitForURL(/\/containers\//);
      expect(await page.locator("h1").textContent()).toBe(second);
      for (const section of ["map", "attention", "containers", "shipments"]) {
        await press("g", section.charAt(0));
        await page.waitForURL(new RegExp(`/${section}$`));
      }
      await press("ArrowDown", "j", "ArrowDown", "ArrowUp");
      expect(await focused()).toMatch(/^SBX/);
      await press("?");
      expect(await page.getByRole("dialog", { name: "Keyboard" }).isVisible()).toBe(true);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByLabel("Enable shortcuts").uncheck();
      await press("Escape");
      await press("/");
      expect(await page.evaluate(() => document.activeElement?.id)).not.toBe("q");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "shows a change without loading the page, announces it once, and keeps the focus",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop, reducedMotion: "reduce" });
      const { page } = visit;
      await page.goto(`${running.system.runtime().app}/shipments/${shipment.id}`);
      await page.locator("#stops > summary").click();
      const opened = page.getByRole("link", { name: "Container details" });
      await opened.focus();
      await page.evaluate(() => Object.assign(window, { stillThere: true }));
      const { status } = await running.system.api.edit(`/shipments/${shipment.id}`, "shipment", {
        tags: ["seen at once"],
      });
      expect(status).toBe(200);
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      await page.getByText("seen at once").waitFor();
      expect(await page.evaluate(() => "stillThere" in window)).toBe(true);
      expect(await page.locator("#stops").getAttribute("open")).not.toBeNull();
      expect(await opened.evaluate((link) => link === document.activeElement)).toBe(true);
      expect(
        await page
          .locator(".just-changed")
          .first()
          .evaluate((part) => getComputedStyle(part).animationName),
      ).toBe("none");
      expect(visit.takeProblems()).toEqual([]);

      await visit.page.context().setOffline(true);
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      await running.system.api.edit(`/shipments/${shipment.id}`, "shipment", { tags: ["edited while offline"] });
      await visit.page.context().setOffline(false);
      await page.getByText("edited while offline").waitFor();
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "shows when a shipment last changed, exactly in the focused row, and keeps it current while the page is open",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop, timezoneId: "UTC" });
      const { page } = visit;
      await page.clock.install();
      await page.goto(`${running.system.runtime().app}/shipments`);
      const row = page.getByRole("row").filter({ hasText: number });
      const [age, exact] = [row.locator("time[data-age]"), row.locator(".exact")];
      const opacities = () =>
        Promise.all([age, exact].map((one) => one.evaluate((element) => getComputedStyle(element).opacity)));
      expect(await age.textContent()).toMatch(/^just now$|^\d+ (minute|hour|day)s? ago$/);
      expect(await exact.textContent()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d UTC$/);
      await page.mouse.move(0, 0);
      expect(await opacities()).toEqual(["1", "0"]);
      await row.locator(".row-link").focus();
      expect(await opacities()).toEqual(["1", "1"]);
      await visit.picture("updated-focus-desktop");
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
      await page.context().setOffline(true);
      await page.clock.fastForward(20 * 24 * 3_600_000);
      expect(await age.textContent()).toMatch(/^2\d days ago$/);
      await page.context().setOffline(false);
      await page.getByRole("link", { name: /^Carrier update/ }).click();
      await page.waitForURL(/sort=-last_changed_at/);
      // Requests failed while the page was offline.
      visit.takeProblems();
      await page.reload();
      await page.locator("th[aria-sort=descending]", { hasText: "Carrier update" }).waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();

      const phone = await visitAs({ viewport: sizes.phone, hasTouch: true });
      const card = phone.page.getByRole("row").filter({ hasText: number });
      expect(await card.locator(".exact").evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
      await phone.close();
    },
    timeoutMs,
  );

  test.each([
    ["with", true],
    ["without", false],
  ])(
    "times are read in the zone of each place, in UTC or in one's own, %s JavaScript",
    async (_, javaScriptEnabled) => {
      const visit = await visitAs({ viewport: sizes.phone, javaScriptEnabled, timezoneId: "America/New_York" });
      const { page } = visit;
      const path = `/shipments/${shipment.id}?order=newest`;
      await page.goto(`${running.system.runtime().app}${path}`);
      const arrival = page.locator(".answer time");
      const zone = (name: string) =>
        page
          .getByRole("form", { name: "Times", includeHidden: true })
          .getByRole("button", { name, includeHidden: true });
      const choose = async (name: string): Promise<void> => {
        await openUserMenu(page);
        await zone(name).click();
      };
      const whereabouts = () => page.url().slice(running.system.runtime().app.length);
      expect(await arrival.textContent()).toMatch(/ GMT-8$/);
      await choose("UTC");
      expect(await arrival.textContent()).toMatch(/ UTC$/);
      expect(await zone("UTC").getAttribute("aria-pressed")).toBe("true");
      await choose("My time zone");
      if (!javaScriptEnabled) {
        await page.getByLabel("Time zone").selectOption("America/New_York");
        await page.getByRole("button", { name: "Apply" }).click();
      }
      expect(whereabouts()).toBe(path);
      expect(await arrival.textContent()).toMatch(/ GMT-5$/);
      expect(await arrival.getAttribute("title")).toMatch(/ GMT-8 there$/);
      expect(await zone("My time zone (America/New_York)").getAttribute("aria-pressed")).toBe("true");
      await choose("Local to each place");
      expect(await arrival.textContent()).toMatch(/ GMT-8$/);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "the page of a shipment keeps to its budget",
    async () => {
      const visit = await visitAs({ viewport: sizes.desktop });
      const { page } = visit;
      await page.addInitScript(countFormats);
      // Requests of the previous page are not counted.
      await page.goto("about:blank");
      const paths: string[] = [];
      page.on("request", (request) => paths.push(new URL(request.url()).pathname));
      const response = await page.goto(`${running.system.runtime().app}/shipments/${shipment.id}`, {
        waitUntil: "networkidle",
      });
      expect(await page.locator("svg.map").count()).toBe(1);
      expect(gzipSync((await response?.body()) ?? "").length).toBeLessThan(25_000);
      // The page itself, its script, its styles, those of print and the icon.
      expect(new Set(paths).size).toBeLessThanOrEqual(6);
      expect(response?.headers()["content-encoding"]).toMatch(/^(br|gzip)$/);
      expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);
      expect(await page.evaluate("formats")).toEqual([]);
      await page.goto(`${running.system.runtime().app}/shipments`, { waitUntil: "networkidle" });
      expect(await shiftOf(page)).toBeLessThanOrEqual(0.02);
      expect(await page.evaluate("formats")).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "without a script: search, choose a container, track one number and many",
    async () => {
      const visit = await visitAs({ viewport: sizes.phone, javaScriptEnabled: false });
      const { page } = visit;
      await page.getByText("Filter and sort").click();
      await page.getByRole("combobox", { name: "Arrival" }).selectOption("In the next 30 days");
      await page.getByLabel("Sort by").selectOption("Earliest arrival first");
      await page.getByRole("button", { name: "Apply" }).click();
      expect(page.url()).toMatch(/arrival=next_30_days.*sort=arrival/);
      await page
        .getByRole("navigation", { name: "Status" })
        .getByRole("link", { name: /^Awaiting departure \d|^In transit [1-9]/ })
        .first()
        .click();
      expect(page.url()).toMatch(/status=\w+&.*arrival=next_30_days|arrival=next_30_days.*status=\w+/);
      await page.goto(`${running.system.runtime().app}/shipments`);
      await typeInto(page.getByRole("searchbox").first(), "po 4711/a");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: number, exact: true }).click();
      const containerLinks = page.locator('nav[aria-label="Containers"] a');
      await containerLinks.last().click();
      expect(await containerLinks.last().getAttribute("aria-current")).toBe("true");
      expect(page.url()).toContain("container=");
      await page.goto(`${running.system.runtime().app}/track`);
      await typeInto(page.getByLabel("Number", { exact: true }), "SBXDIR000555");
      await page.getByRole("button", { name: "Check" }).click();
      expect(await page.getByLabel(/Sandbox Line SBXL/).isChecked()).toBe(true);
      await page.getByText("More options").click();
      await typeInto(page.getByLabel("References (optional)"), "PO-555");
      await page.getByRole("button", { name: "Track", exact: true }).click();
      await page.waitForURL(/tracking-requests\?created=/);
      expect(await page.getByRole("status").textContent()).toMatch(/SBXDIR000555 is (?:being )?tracked/);
      await page.goto(`${running.system.runtime().app}/track/bulk`);
      await typeInto(page.getByLabel(/^Numbers, one per line/), "SBXDIR000556, SBXL\nnot a number!, SBXL");
      await page.getByRole("button", { name: "Track all" }).click();
      await visit.picture("bulk-results-phone");
      expect(await page.getByRole("heading", { name: "1 requested, 1 refused" }).isVisible()).toBe(true);
      expect(await page.getByLabel(/^Numbers, one per line/).inputValue()).toBe("not a number!, SBXL");
      await visit.close();
    },
    timeoutMs,
  );
});
