import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import { repository } from "../../e2e/harness/system.ts";
import type { Visit } from "../harness/browser.ts";
import { createEveryPage } from "../harness/every-page.ts";
import { inBrowser } from "../harness/in-browser.ts";
import { clearDifferences, compareWithStored, picturesBeside } from "../harness/reference-pictures.ts";
import { makeRepeatable } from "../harness/repeatable-page.ts";
import { passStepwise, startStillSystem } from "../harness/still-voyages.ts";

const timeoutMs = 480_000;
const height = 900;
const variants = [
  { suffix: "390", width: 390, colorScheme: "light" },
  { suffix: "820", width: 820, colorScheme: "light" },
  { suffix: "1440", width: 1440, colorScheme: "light" },
  { suffix: "1440-dark", width: 1440, colorScheme: "dark" },
] as const;

/** Pages without pictures: a notification differs in every run, and the map uses WebGL. */
const without = new Set(["notification", "map"]);

/** Four pictures of each page, also on a machine that is busy. */
const picturesTimeoutMs = 900_000;

const fontConfig = path.join(repository, "tests/browser/harness/reference-fonts.conf");
const font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

inBrowser(
  "reference pictures",
  (running) => {
    let visit: Visit;
    let paths: Readonly<Record<string, string>>;

    beforeAll(async () => {
      if (!fs.existsSync(font)) throw new Error(`Reference pictures need ${font}: install fonts-dejavu-core.`);
      paths = await createEveryPage(running.system, passStepwise(running.system));
      visit = await running.signIn();
    }, timeoutMs);

    test(
      "every page equals its stored pictures, which `npm run pictures` renews",
      async () => {
        const { page } = visit;
        const names = new Set<string>();
        const found: string[] = [];
        clearDifferences();
        const pictured = Object.entries(paths).filter(([name]) => !without.has(name));
        for (const [pageName, address] of pictured) {
          const response = await page.goto(`${running.system.runtime().app}${address}`);
          expect([pageName, response?.status()]).not.toEqual([pageName, 500]);
          await makeRepeatable(page);
          for (const { suffix, width, colorScheme } of variants) {
            const name = `${pageName.replaceAll(" ", "-")}-${suffix}`;
            names.add(name);
            await page.setViewportSize({ width, height });
            await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
            const take = () => page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
            const difference = await compareWithStored(name, take);
            if (difference !== null) found.push(difference);
          }
        }
        found.push(...picturesBeside(names).map((file) => `${file} is of no page`));
        if (found.length > 0) {
          throw new Error(
            `${found.join("\n")}\nWhat was expected and found is in tests/browser/screenshots/differences. ` +
              "If the change is intended, run `npm run pictures` and commit the pictures with it.",
          );
        }
        expect(names.size).toBe(pictured.length * variants.length);
      },
      picturesTimeoutMs,
    );
  },
  { start: startStillSystem, fontConfig },
);
