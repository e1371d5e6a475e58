import { beforeAll, expect, test } from "@jest/globals";
import type { Visit } from "../harness/browser.ts";
import { createEveryPage } from "../harness/every-page.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { layoutProblems, menuProblems, unfold } from "../harness/sweep.ts";

const windows = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;
const themes = ["light", "dark"] as const;

inBrowser("every page at three widths in both themes", (running) => {
  let visit: Visit;
  let paths: Readonly<Record<string, string>>;

  beforeAll(async () => {
    paths = await createEveryPage(running.system);
    visit = await running.signIn();
  }, timeoutMs);

  test.each(windows)(
    "$width wide: every control can be hit, nothing overlaps, is clipped or leaves the window, axe finds nothing",
    async (viewport) => {
      const { page } = visit;
      await page.setViewportSize(viewport);
      const found: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        const response = await page.goto(`${running.system.runtime().app}${path}`);
        expect([path, response?.status()]).not.toEqual([path, 500]);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const contrast = colorScheme === "dark" ? ["color-contrast"] : undefined;
          const problems = [...(await layoutProblems(page)), ...(await visit.accessibilityProblems(contrast))];
          found.push(...problems.map((problem) => `${name}, ${colorScheme}: ${problem}`));
        }
        await unfold(page);
        const unfolded = [...(await layoutProblems(page)), ...(await menuProblems(page))];
        found.push(...unfolded.map((problem) => `${name}, unfolded: ${problem}`));
        await visit.picture(`sweep-${name.replaceAll(" ", "-")}-${viewport.width}`);
      }
      expect(found).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
