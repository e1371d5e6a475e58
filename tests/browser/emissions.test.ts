import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { layoutProblems } from "./harness/sweep.ts";
import { logIn, typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];

const file = [
  "name,energy_scope,grams_per_teu_km,distance_basis,source,carrier_scac",
  "SandBox Line on board,tank_to_wake,51.5,actual_distance,Report of the line,SBXL",
].join("\n");

inBrowser("a member loads emission factors and sees what a container emits", (running) => {
  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXTSP000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
  }, timeoutMs);

  test(
    "adds a factor, imports a file after its fault is corrected, and shows the container's emissions",
    async () => {
      const container = await eventually("a container is known", async () => {
        await delay(1_000);
        return (await running.system.api.get("/containers")).body.data[0];
      });
      const { app, login } = running.system.runtime();
      const visit = await running.browser.visit(app, { viewport: { width: 1440, height: 900 } });
      const { page } = visit;
      const picture = async (name: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await visit.picture(`emissions-${name}-${width}`);
          expect([name, width, await layoutProblems(page)]).toEqual([name, width, []]);
        }
        expect(await visit.accessibilityProblems()).toEqual([]);
      };
      await page.goto(`${app}/login?next=/account/emissions`);
      await logIn(page, login);
      await page.getByRole("heading", { name: "No factors yet" }).waitFor();
      await page.getByRole("link", { name: "New factor" }).click();
      await typeInto(page.getByLabel("Name"), "SandBox Line, 2026");
      await typeInto(page.getByLabel("Grams of CO2e per TEU-km"), "62.5");
      await typeInto(page.getByLabel("Source"), "Report of the line, page 12");
      await page.getByLabel("Carrier").selectOption("Sandbox (SBXL)");
      await page.getByRole("button", { name: "Create factor" }).click();
      await page
        .locator("p.problem", { hasText: "Choose the distance that the source of the factor means." })
        .waitFor();
      await picture("form");
      await page.getByLabel("Distance basis").selectOption("actual_distance");
      await page.getByRole("button", { name: "Create factor" }).click();
      await page.getByText("The factor is created.").waitFor();

      await page.getByRole("link", { name: "Import a file" }).click();
      await typeInto(page.getByLabel("Or paste"), file.replace("51.5", "51,5"));
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByRole("heading", { name: "Nothing was imported" }).waitFor();
      await picture("faults");
      const upload = { name: "factors.csv", mimeType: "text/csv", buffer: Buffer.from(file) };
      await page.getByLabel("CSV file").setInputFiles(upload);
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await page.getByText("The factors of the file are created.").waitFor();
      expect(await page.getByRole("table", { name: "Emission factors" }).textContent()).toMatch(/51\.5.*62\.5/s);
      await picture("list");

      await page.goto(`${app}/containers/${container.id}`);
      const card = page.locator("#emissions");
      expect(await card.textContent()).toMatch(/CO₂e well-to-wake.*CO₂e tank-to-wake/s);
      await card.getByText("By leg").click();
      await card.locator("td summary").first().click();
      await card.getByText("× 62.5 g CO2e per TEU-km").first().waitFor();
      await picture("container");
    },
    timeoutMs,
  );
});
