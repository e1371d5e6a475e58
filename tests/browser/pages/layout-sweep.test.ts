import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type System, startSystem, temporaryFolder } from "../../e2e/harness/system.ts";
import { startBrowser, type TestBrowser, type Visit } from "../harness/browser.ts";
import { chromium } from "../harness/chromium.ts";
import { createEveryPage } from "../harness/every-page.ts";
import { layoutProblems, unfold } from "../harness/sweep.ts";
import { logIn } from "../harness/typing.ts";

const timeoutMs = 240_000;
const windows = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;
const themes = ["light", "dark"] as const;

/** Skipped on a machine without a browser. */
const withBrowser = chromium ? describe : describe.skip;

withBrowser("every page at three widths in both themes", () => {
  const dataDir = temporaryFolder();
  let system: System;
  let browser: TestBrowser;
  let visit: Visit;
  let paths: Readonly<Record<string, string>>;

  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem({ dataDir }), startBrowser()]);
    paths = await createEveryPage(system);
    visit = await browser.visit(system.runtime().app);
    await visit.page.goto(`${system.runtime().app}/login`);
    await logIn(visit.page, system.runtime().login);
    await visit.page.waitForURL(/\/shipments/);
  }, timeoutMs);
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(windows)(
    "$width wide: every control can be hit, nothing overlaps, is clipped or leaves the window, axe finds nothing",
    async (viewport) => {
      const { page } = visit;
      await page.setViewportSize(viewport);
      const found: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        const answer = await page.goto(`${system.runtime().app}${path}`);
        expect([path, answer?.status()]).not.toEqual([path, 500]);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const contrast = colorScheme === "dark" ? ["color-contrast"] : undefined;
          const problems = [...(await layoutProblems(page)), ...(await visit.accessibilityProblems(contrast))];
          found.push(...problems.map((problem) => `${name}, ${colorScheme}: ${problem}`));
        }
        await unfold(page);
        found.push(...(await layoutProblems(page)).map((problem) => `${name}, unfolded: ${problem}`));
        await visit.picture(`sweep-${name.replaceAll(" ", "-")}-${viewport.width}`);
      }
      expect(found).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
