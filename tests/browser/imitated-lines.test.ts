import { beforeAll, expect, test } from "@jest/globals";
import { adminProgram, startCommand } from "../e2e/harness/command-line.ts";
import { startSystem } from "../e2e/harness/system.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const appearsMs = 60_000;

interface ImitatedLine {
  readonly scac: string;
  readonly numbers: { readonly billOfLading: string } | null;
  readonly credentials: readonly { readonly fields: readonly { readonly label: string; readonly value: string }[] }[];
}

inBrowser(
  "a new user connects imitated lines and tracks a number",
  (running) => {
    let lines: readonly ImitatedLine[];

    beforeAll(async () => {
      const response = await fetch(`${running.system.runtime().sandbox}/lines`, {
        headers: { accept: "application/json" },
      });
      ({ lines } = (await response.json()) as { lines: readonly ImitatedLine[] });
    }, timeoutMs);

    const lineOf = (scac: string): ImitatedLine => {
      const line = lines.find((each) => each.scac === scac);
      if (line === undefined) throw new Error(`${scac} is not imitated.`);
      return line;
    };
    const credentialOf = (scac: string, label: string): string =>
      lineOf(scac).credentials[0]?.fields.find((each) => each.label === label)?.value ?? "";

    test("offers eight lines or more, and prints where their credentials are", () => {
      expect(lines.length).toBeGreaterThanOrEqual(8);
      expect(running.system.launcher.output()).toContain(`${running.system.runtime().sandbox}/lines`);
    });

    test(
      "a wrong secret is explained; with the right ones the number is tracked, with its provenance",
      async () => {
        const { app } = running.system.runtime();
        const visit = await running.signIn("/carriers", { viewport: { width: 1440, height: 900 } });
        const { page } = visit;
        const outcome = page.getByRole("region", { name: "Health" });

        await page.getByRole("link", { name: "Connect Maersk" }).click();
        await typeInto(page.getByLabel("Consumer key"), credentialOf("MAEU", "Consumer key"));
        await typeInto(page.getByLabel("Client secret", { exact: true }), "pasted-from-another-app");
        await page.getByRole("button", { name: "Connect and test" }).click();
        await outcome.getByText("The test failed.").waitFor({ timeout: appearsMs });
        expect(await outcome.textContent()).toMatch(/Maersk.*rejected the Consumer key or the Client secret/);
        await visit.picture("imitated-maersk-wrong-secret");
        // The form is open, because the carrier rejected what is stored.
        await page.getByRole("form", { name: /^Replace credentials/ }).waitFor();
        await typeInto(page.getByLabel("Consumer key"), credentialOf("MAEU", "Consumer key"));
        await typeInto(page.getByLabel("Client secret", { exact: true }), credentialOf("MAEU", "Client secret"));
        await page.getByRole("button", { name: "Replace and test" }).click();
        await outcome.getByText("The credentials work.").waitFor({ timeout: appearsMs });

        const main = page.getByRole("navigation", { name: "Main" });
        await main.getByRole("link", { name: "Carriers" }).click();
        await page.getByRole("link", { name: "Connect Hapag-Lloyd" }).click();
        await typeInto(page.getByLabel("Client ID"), credentialOf("HLCU", "Client ID"));
        await typeInto(page.getByLabel("Client secret", { exact: true }), credentialOf("HLCU", "Client secret"));
        await page.getByRole("button", { name: "Connect and test" }).click();
        await outcome.getByText("The credentials work.").waitFor({ timeout: appearsMs });
        await visit.picture("imitated-hapag-connected");

        await main.getByRole("link", { name: "Carriers" }).click();
        await page.getByRole("link", { name: "Connect APM Terminals" }).click();
        await typeInto(page.getByLabel("Consumer key"), credentialOf("APMT", "Consumer key"));
        await typeInto(page.getByLabel("Consumer secret", { exact: true }), credentialOf("APMT", "Consumer secret"));
        await page.getByRole("button", { name: "Connect and test" }).click();
        await outcome.getByText("The credentials work.").waitFor({ timeout: appearsMs });
        const about = page.getByRole("region", { name: "About APM Terminals" });
        expect(await about.textContent()).toMatch(
          /South Florida Container Terminal, USMIA.*Verified: a request with your credentials has succeeded/s,
        );
        await visit.picture("imitated-terminal-operator");

        for (const [scac, name] of [
          ["MAEU", "Maersk"],
          ["HLCU", "Hapag"],
        ] as const) {
          const billOfLading = lineOf(scac).numbers?.billOfLading ?? "";
          await page.goto(`${app}/track`);
          await typeInto(page.getByLabel("Number", { exact: true }), billOfLading);
          await page.getByLabel("Carrier", { exact: true }).focus();
          await page.keyboard.type(name);
          await page.getByRole("button", { name: "Track", exact: true }).click();
          // The page of the request leads to the shipment as soon as there is one.
          await page.waitForURL(/\/shipments\/[0-9a-f-]{36}/, { timeout: appearsMs });
          expect(await page.getByRole("main").textContent()).toContain(billOfLading.slice(4));
          const source = page.locator("details.source").filter({ hasText: "Reported when polled" }).first();
          await source
            .getByText(/^Where “.*” comes from$/)
            .locator("..")
            .click();
          expect(await source.textContent()).toMatch(/Carrier, known since .*Reported when polled/s);
          await visit.picture(`imitated-${scac.toLowerCase()}-shipment`);

          const shipment = /[0-9a-f-]{36}/.exec(page.url())?.[0] ?? "";
          const environment = { DATABASE_URL: running.system.runtime().databaseUrl };
          const args = ["carriers", "record", shipment];
          const recording = await startCommand(adminProgram, args, {
            environment,
            cwd: running.system.runtime().dataDir,
          }).outcome;
          expect([recording.code, JSON.parse(recording.stdout).scac]).toEqual([0, scac]);
          expect(recording.stdout).not.toMatch(/DIRB?000123|demo-/);
        }
        expect(visit.takeProblems()).toEqual([]);
        await visit.close();
      },
      timeoutMs,
    );
  },
  { start: (dataDir) => startSystem({ dataDir, args: ["--lines"] }) },
);
