import { beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { sizes, type Visit } from "../harness/browser.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { typeInto } from "../harness/typing.ts";

/** The renderer is one large script. */
const renderTimeoutMs = 60_000;

/** Faults of the renderer's own markup, which its configuration cannot change. */
const isRendererProblem = (problem: string): boolean =>
  (problem.startsWith("scrollable-region-focusable:") && problem.includes("scalar-card-content")) ||
  // Sections appear as they are scrolled to, and those of one page share the names of their regions.
  (problem.startsWith("landmark-unique:") && problem.includes("response-card")) ||
  (problem.startsWith("button-name:") && problem.includes("scalar-code-copy")) ||
  (problem.startsWith("label-content-name-mismatch:") && problem.includes("show-more"));

inBrowser("the API reference", (running) => {
  let visit: Visit;
  let page: Page;

  const origin = () => new URL(running.system.runtime().api).origin;
  const violations = () =>
    page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations.splice(0));

  /** Loads the reference at an anchor. */
  async function open(anchor: string, title: string): Promise<void> {
    await page.goto("about:blank");
    await page.goto(`${origin()}/docs${anchor}`);
    await page.getByRole("heading", { name: title, exact: true }).first().waitFor({ timeout: renderTimeoutMs });
  }

  beforeAll(async () => {
    visit = await running.browser.visit(origin());
    page = visit.page;
    await page.addInitScript(() => {
      const found: string[] = [];
      Object.assign(globalThis, { violations: found });
      document.addEventListener("securitypolicyviolation", (event) => {
        found.push(`${event.violatedDirective} ${event.blockedURI}`);
      });
    });
  }, timeoutMs);

  test(
    "opens one operation by its anchor, asks no other host and keeps to the policy",
    async () => {
      await open("#getShipment", "Get a shipment");
      expect(new URL(page.url()).hash).toBe("#tag/shipments/getShipment");
      // The number is that of the recorded example.
      await page
        .getByText(/SBXTS\w\d{6}/)
        .first()
        .waitFor({ timeout: renderTimeoutMs });
      expect(await violations()).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "finds an operation by keyboard and shows samples in curl, TypeScript and Python",
    async () => {
      await open("", "Shipment Tracking Service API");
      await page.keyboard.press("ControlOrMeta+k");
      await page.getByRole("combobox", { name: "Enter search query" }).waitFor();
      await page.keyboard.type("rotate");
      await page.getByRole("option", { name: /Rotate the secret of a webhook/ }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(/#tag\/webhooks\/rotateWebhookSecret$/);
      await open("#listShippingLines", "List shipping lines");
      const languages = page.getByRole("button", { name: /Curl/ }).first();
      for (const [language, sample] of [
        ["Fetch", "fetch("],
        ["Requests", "requests.get("],
      ] as const) {
        await page
          .getByRole("button", { name: /Curl|Fetch/ })
          .first()
          .click();
        await page.getByRole("option", { name: language, exact: true }).click();
        await page.getByText(sample).first().waitFor();
      }
      expect(await languages.count()).toBe(0);
      expect(await violations()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "sends a test request with a pasted token, which is kept in memory only",
    async () => {
      await open("#listShippingLines", "List shipping lines");
      await page
        .getByRole("button", { name: /Test Request/ })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      const { token } = running.system.runtime();
      await typeInto(dialog.getByPlaceholder("Token"), token);
      await dialog.getByRole("button", { name: /^Send/ }).last().click();
      await dialog.getByText("200 OK").waitFor();
      await dialog.getByText("shipping_line").first().waitFor();
      await visit.picture("api-reference-request");
      const stored = await page.evaluate(() =>
        JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
      );
      expect(stored).not.toContain(token.slice(-12));
      expect(visit.takeProblems()).toEqual([]);
      expect(await violations()).toEqual([]);
    },
    timeoutMs,
  );

  test.each(["light", "dark"] as const)(
    "%s theme: is readable on a phone and a desktop",
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const [name, size] of Object.entries(sizes)) {
        await page.setViewportSize(size);
        await open("#getShipment", "Get a shipment");
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect([name, overflow]).toEqual([name, 0]);
        await visit.picture(`api-reference-${name}-${colorScheme}`);
        expect((await visit.accessibilityProblems()).filter((problem) => !isRendererProblem(problem))).toEqual([]);
      }
      expect(await violations()).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "fits the bar, the kind of authentication and the paths of a section on a phone, and links to the web application",
    async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      await open("", "Shipment Tracking Service API");
      const bar = page.locator(".reference-header");
      expect(await bar.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
      const heading = await page.getByText("Authentication", { exact: true }).first().boundingBox();
      const kind = await page.getByRole("button", { name: "Selected Auth Type" }).first().boundingBox();
      expect(heading && kind && heading.x + heading.width <= kind.x).toBe(true);
      const paths = page.locator(".endpoint-path");
      await paths.first().waitFor({ timeout: renderTimeoutMs });
      expect(await paths.evaluateAll((all) => all.every((one) => one.scrollWidth <= one.clientWidth))).toBe(true);
      await visit.picture("api-reference-introduction-390");
      const mark = page.getByRole("link", { name: "Shipment Tracking", exact: true });
      expect(await mark.getAttribute("href")).toBe(running.system.runtime().app);
      expect(await violations()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "links an error to its code on the plain page, which has no scripts",
    async () => {
      await page.goto("about:blank");
      await page.goto(`${origin()}/docs#error-not_found`);
      await page.waitForURL(/\/docs\/plain#error-not_found$/);
      expect(await page.locator(":target").textContent()).toContain("not_found");
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
