import fs from "node:fs";
import path from "node:path";
import { beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { repository } from "../../e2e/harness/system.ts";
import { createEveryPage, type EveryPage } from "../harness/every-page.ts";
import { inBrowser } from "../harness/in-browser.ts";
import { openPage } from "../harness/open-page.ts";
import { clearDifferences, compareWithStored, picturesBeside } from "../harness/reference-pictures.ts";
import { makeRepeatable } from "../harness/repeatable-page.ts";
import { passStepwise, settleVessels, startStillSystem } from "../harness/still-voyages.ts";

const timeoutMs = 480_000;
const height = 900;
const variants = [
  { suffix: "390", width: 390, colorScheme: "light" },
  { suffix: "820", width: 820, colorScheme: "light" },
  { suffix: "1440", width: 1440, colorScheme: "light" },
  { suffix: "1440-dark", width: 1440, colorScheme: "dark" },
] as const;

/** Widths of A4 less its margins. Lists are printed in landscape. */
const [portrait, landscape] = [717, 1047];
const printed: ReadonlyMap<string, number> = new Map([
  ["shipment", portrait],
  ["shipment as known earlier", portrait],
  ["containers", landscape],
]);

/** Pages without pictures: the map uses WebGL. */
const without = new Set(["map"]);

/** Four pictures of each page, also on a machine that is busy. */
const picturesTimeoutMs = 900_000;

const fontConfig = path.join(repository, "tests/browser/harness/reference-fonts.conf");
const font = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf";

inBrowser(
  "reference pictures",
  (running) => {
    let paths: EveryPage;

    beforeAll(async () => {
      if (!fs.existsSync(font)) throw new Error(`Reference pictures need ${font}: install fonts-dejavu-core.`);
      paths = await createEveryPage(running.system, passStepwise(running.system));
      await settleVessels(running.system);
    }, timeoutMs);

    test(
      "every page equals its stored pictures, which `npm run pictures` renews",
      async () => {
        const { app } = running.system.runtime();
        const names = new Set<string>();
        const found: string[] = [];
        const compare = async (page: Page, pageName: string, address: string): Promise<void> => {
          await openPage(page, app, address);
          await makeRepeatable(page);
          const paperWidth = printed.get(pageName);
          const paper = paperWidth && ({ suffix: "print", width: paperWidth, colorScheme: "light" } as const);
          for (const variant of paper ? [...variants, paper] : variants) {
            const { suffix, width, colorScheme } = variant;
            const name = `${pageName.replaceAll(" ", "-")}-${suffix}`;
            names.add(name);
            await page.setViewportSize({ width, height });
            const media = variant === paper ? "print" : "screen";
            await page.emulateMedia({ media, colorScheme, reducedMotion: "reduce" });
            const take = () => page.screenshot({ fullPage: true, animations: "disabled", caret: "hide" });
            const difference = await compareWithStored(name, take);
            if (difference !== null) found.push(difference);
          }
        };
        const compareAll = async (page: Page, pages: Readonly<Record<string, string>>): Promise<void> => {
          for (const [name, address] of Object.entries(pages)) {
            if (!without.has(name)) await compare(page, name, address);
          }
        };
        clearDifferences();
        await compareAll((await running.signIn()).page, paths.signedIn);
        await compareAll((await running.browser.visit(app)).page, paths.signedOut);
        found.push(...picturesBeside(names).map((file) => `${file} is of no page`));
        if (found.length > 0) {
          throw new Error(
            `${found.join("\n")}\nWhat was expected and found is in tests/browser/screenshots/differences. ` +
              "If the change is intended, run `npm run pictures` and commit the pictures with it.",
          );
        }
        const pageCount = Object.keys({ ...paths.signedIn, ...paths.signedOut }).length - without.size;
        expect(names.size).toBe(pageCount * variants.length + printed.size);
      },
      picturesTimeoutMs,
    );
  },
  { start: startStillSystem, fontConfig },
);
