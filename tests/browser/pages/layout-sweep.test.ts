import { beforeAll, expect, test } from "@jest/globals";
import type { Visit } from "../harness/browser.ts";
import { createEveryPage, type EveryPage } from "../harness/every-page.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { openPage } from "../harness/open-page.ts";
import { layoutProblems, menuProblems, unfold } from "../harness/sweep.ts";

const windows = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;
const themes = ["light", "dark"] as const;

/** A part of the pages in every window, also on a machine that is busy. */
const sweepTimeoutMs = 600_000;

inBrowser("every page at three widths in both themes", (running) => {
  let paths: EveryPage;

  beforeAll(async () => {
    paths = await createEveryPage(running.system);
  }, timeoutMs);

  /** Opens the page once: loading it and axe again for each window takes longer than looking at it. */
  async function problemsOf(visit: Visit, address: string): Promise<string[]> {
    const { page } = visit;
    const found: string[] = [];
    const note = (where: string, problems: readonly string[]) =>
      found.push(...problems.map((problem) => `${address}, ${where}: ${problem}`));
    await openPage(page, running.system.runtime().app, address);
    for (const viewport of windows) {
      await page.setViewportSize(viewport);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const contrast = colorScheme === "dark" ? ["color-contrast"] : undefined;
        note(`${viewport.width}, ${colorScheme}`, await layoutProblems(page));
        note(`${viewport.width}, ${colorScheme}`, await visit.accessibilityProblems(contrast));
      }
    }
    for (const viewport of windows) {
      await page.setViewportSize(viewport);
      // What opens over the page depends on the width.
      await unfold(page);
      note(`${viewport.width}, unfolded`, [...(await layoutProblems(page)), ...(await menuProblems(page))]);
    }
    return found;
  }

  test.each([
    ["signedIn", 1, 3],
    ["signedIn", 2, 3],
    ["signedIn", 3, 3],
    ["signedOut", 1, 1],
  ] as const)(
    "%s, part %i of %i: every control can be hit, nothing overlaps, is clipped or leaves the window, axe finds nothing",
    async (who, part, parts) => {
      const { app } = running.system.runtime();
      const visit = who === "signedIn" ? await running.signIn() : await running.browser.visit(app);
      const found: string[] = [];
      const addresses = Object.values(paths[who]).filter((_, index) => index % parts === part - 1);
      for (const address of addresses) found.push(...(await problemsOf(visit, address)));
      expect(found).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    sweepTimeoutMs,
  );
});
