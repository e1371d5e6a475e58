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

inBrowser("every page at three widths in both themes", (running) => {
  let member: Visit;
  let guest: Visit;
  let paths: EveryPage;

  beforeAll(async () => {
    paths = await createEveryPage(running.system);
    member = await running.signIn();
    guest = await running.browser.visit(running.system.runtime().app);
  }, timeoutMs);

  test.each(windows)(
    "$width wide: every control can be hit, nothing overlaps, is clipped or leaves the window, axe finds nothing",
    async (viewport) => {
      const { app } = running.system.runtime();
      const found: string[] = [];
      const sweep = async (visit: Visit, name: string, address: string): Promise<void> => {
        const { page } = visit;
        await openPage(page, app, address);
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
      };
      for (const visit of [member, guest]) {
        await visit.page.setViewportSize(viewport);
        const pages = visit === member ? paths.signedIn : paths.signedOut;
        for (const [name, address] of Object.entries(pages)) await sweep(visit, name, address);
      }
      expect(found).toEqual([]);
      expect([...member.takeProblems(), ...guest.takeProblems()]).toEqual([]);
    },
    timeoutMs,
  );
});
