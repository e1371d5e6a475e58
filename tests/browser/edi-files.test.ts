import fs from "node:fs";
import { expect, test } from "@jest/globals";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { layoutProblems } from "./harness/sweep.ts";
import { logIn, typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];

const envelope = (segments: readonly string[]): string =>
  [
    "ISA*00*          *00*          *ZZ*LINE           *ZZ*IMPORTER       *260105*1130*U*00401*000000007*0*P*>",
    "GS*QO*LINE*IMPORTER*20260105*1130*7*X*004010",
    "ST*315*0001",
    ...segments,
    `SE*${segments.length + 2}*0001`,
    "GE*1*7",
    "IEA*1*000000007",
  ]
    .map((segment) => `${segment}~\n`)
    .join("");

/** A code that no profile has, and a date that is none. */
const status = envelope([
  "B4***Q9*20260103*1745*CNSHA*MSKU*000000*L*45G1*CNSHA*UN*6",
  "N9*BM*MAEU260105555",
  "N9*SCA*MAEU",
  "R4*L*UN*CNSHA*MÜLLERSTADT*CN",
  "DTM*139*20261399*0600",
]);

inBrowser("a member sends EDI files and sees what became of them", (running) => {
  test.each([true, false])(
    "uploads a file with faults, one that is not EDI and one that is cut off, by mouse, with scripts %s",
    async (javaScriptEnabled) => {
      const { app, login } = running.system.runtime();
      const visit = await running.browser.visit(app, { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
      const { page } = visit;
      const picture = async (name: string) => {
        for (const width of javaScriptEnabled ? widths : []) {
          await page.setViewportSize({ width, height: 900 });
          await visit.picture(`edi-${name}-${width}`);
          expect([name, width, await layoutProblems(page)]).toEqual([name, width, []]);
        }
        if (javaScriptEnabled) expect(await visit.accessibilityProblems()).toEqual([]);
      };
      await page.goto(`${app}/login?next=/carriers`);
      await logIn(page, login);
      await page.getByRole("link", { name: "EDI files" }).click();
      await page.getByRole("button", { name: "Upload" }).click();
      const chooses = page.locator("p.problem", { hasText: "Choose a file, or paste its text below." });
      expect(await chooses.count()).toBe(1);
      await picture("empty");

      // Handed over as bytes: a browser under the locale C cannot open a file of this name.
      const content = Buffer.from(`${status}${javaScriptEnabled ? "" : "\n"}`, "latin1");
      const file = { name: "müller.x12", mimeType: "application/octet-stream", buffer: content };
      await page.getByLabel("File", { exact: true }).setInputFiles(file);
      await page.getByLabel("Code list").selectOption("cargosmart");
      await page.getByRole("button", { name: "Upload" }).click();
      // The page has no script here, so a person loads it again.
      const applied = page.getByRole("heading", { name: "Applied" });
      for (let tries = 0; tries < 60 && (await applied.count()) === 0; tries++) {
        await page.waitForTimeout(500);
        if (!javaScriptEnabled) await page.reload();
      }
      await applied.waitFor();
      const faults = page.getByRole("table", { name: "Faults" });
      expect(await faults.textContent()).toMatch(/\b8\b.*DTM/s);
      expect(await page.getByRole("table", { name: /Codes without a meaning/ }).textContent()).toMatch(/Q9.*315/s);
      await picture("applied");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the file" }).click(),
      ]);
      expect(fs.readFileSync(await download.path())).toEqual(content);
      const [acknowledgement] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download the acknowledgement (997)" }).click(),
      ]);
      expect(fs.readFileSync(await acknowledgement.path(), "utf8")).toContain("ST*997");

      await page.getByRole("navigation", { name: "Ways to track" }).getByRole("link", { name: "EDI files" }).click();
      await typeInto(page.getByLabel("Or paste"), '{"no": "EDI"}');
      await typeInto(page.getByLabel(/Default carrier/), "maeu");
      await page.getByRole("button", { name: "Upload" }).click();
      await page.locator("p.problem", { hasText: "begins with ISA (X12), UNA or UNB (EDIFACT)" }).waitFor();
      expect(await page.getByLabel("Or paste").inputValue()).toBe('{"no": "EDI"}');
      await picture("refused");
      await typeInto(page.getByLabel("Or paste"), status.slice(0, 300));
      await page.getByRole("button", { name: "Upload" }).click();
      await page.waitForURL(/\/track\/edi\/[0-9a-f-]{36}$/);
      const rejected = page.getByText("Nothing of the file was applied.");
      for (let tries = 0; tries < 60 && (await rejected.count()) === 0; tries++) {
        await page.waitForTimeout(500);
        if (!javaScriptEnabled) await page.reload();
      }
      await rejected.waitFor();
      await picture("rejected");
      await page.getByRole("navigation", { name: "Ways to track" }).getByRole("link", { name: "EDI files" }).click();
      await picture("list");
      await page.getByRole("navigation", { name: "Files" }).getByRole("link", { name: "Rejected" }).click();
      const rows = page.getByRole("table", { name: /EDI files/ }).getByRole("row");
      expect(await rows.count()).toBeGreaterThan(1);
      await rows.nth(1).getByRole("link").click();
      await rejected.waitFor();
      await visit.close();
    },
    timeoutMs,
  );
});
