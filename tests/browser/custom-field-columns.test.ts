import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

inBrowser("a member works with custom fields in lists", (running) => {
  beforeAll(async () => {
    const { api } = running.system;
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    await api.create("/tracking_requests", "tracking_request", request);
    const { shipment, container } = await eventually("the shipment has a container", async () => {
      const { body } = await api.get("/shipments?include=containers");
      const [[found], [included]] = [body.data, body.included ?? []];
      return found && included ? { shipment: found.id, container: included.id } : undefined;
    });
    for (const [entity, record, slug, name, type, value] of [
      [
        "Shipment",
        `/shipments/${shipment}`,
        "cost_centre",
        "Cost centre",
        "short_text",
        "CC 4711 of the spring season",
      ],
      ["Shipment", `/shipments/${shipment}`, "pallets", "Pallets", "number", 12.5],
      ["Container", `/containers/${container}`, "gate", "Gate", "short_text", "Gate 7B"],
    ] as const) {
      const definition = { entity_type: entity, api_slug: slug, display_name: name, data_type: type };
      await api.create("/custom_field_definitions", "custom_field_definition", definition);
      await api.create(`${record}/custom_fields`, "custom_field", { api_slug: slug, value });
    }
  }, timeoutMs);

  /** Chooses columns by the menu above the list. */
  async function chooseColumns({ page }: Visit, names: readonly string[]): Promise<void> {
    await page.getByText("Columns", { exact: true }).click();
    for (const name of names) await page.getByRole("checkbox", { name, exact: true }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("columnheader", { name: names.at(-1) ?? "", exact: true }).waitFor();
  }

  test(
    "chooses them as columns of shipments and containers, and finds a shipment by its cost centre",
    async () => {
      const member = await running.signIn("/shipments", { viewport: { width: 1440, height: 900 } });
      const { page } = member;
      const { app } = running.system.runtime();
      await chooseColumns(member, ["Cost centre", "Pallets"]);
      expect(page.url()).toContain("custom_fields.cost_centre");
      const row = page.getByRole("row", { name: /SBXDIR000123/ });
      const text = row.getByRole("cell", { name: "CC 4711 of the spring season" });
      expect(await text.isVisible()).toBe(true);
      const pallets = row.getByRole("cell", { name: "12.5" });
      expect(await pallets.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe("right");
      await page.setViewportSize({ width: 390, height: 900 });
      const label = await pallets.evaluate((cell) => {
        const { content, clipPath } = getComputedStyle(cell, "::before");
        return [content, clipPath];
      });
      expect(label).toEqual(['"Pallets "', "none"]);
      await capture(member, "custom-field-columns");
      await page.getByText("Columns", { exact: true }).click();
      await page.getByRole("checkbox", { name: "Pallets", exact: true }).click();
      await page.getByRole("button", { name: "Apply" }).click();
      await pallets.waitFor({ state: "detached" });
      expect(await text.isVisible()).toBe(true);

      await page.goto(`${app}/containers`);
      await chooseColumns(member, ["Gate"]);
      expect(await page.getByRole("cell", { name: "Gate 7B" }).isVisible()).toBe(true);

      await page.goto(`${app}/shipments`);
      await typeInto(page.getByRole("search", { name: "This list" }).getByRole("searchbox"), "cc 4711");
      await page.keyboard.press("Enter");
      await page.waitForURL(/q=cc/);
      await page
        .locator("#main")
        .getByText(/^1 shipment ·/)
        .waitFor();
      expect(await row.isVisible()).toBe(true);
      expect(member.takeProblems()).toEqual([]);
      await member.close();
    },
    timeoutMs,
  );
});
