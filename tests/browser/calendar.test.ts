import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

inBrowser("a member subscribes to a calendar", (running) => {
  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
    const view = { list: "shipments", name: "Urgent shipments", filters: { tag: "urgent" }, shared: false };
    await running.system.api.create("/saved_views", "saved_view", { ...view, shared: true });
    await eventually("the shipment has an ETA", async () => {
      const { body } = await running.system.api.get("/shipments");
      return body.data[0]?.attributes.pod_eta_at ?? undefined;
    });
  }, timeoutMs);

  async function signIn(javaScriptEnabled: boolean): Promise<Visit> {
    return running.signIn("/account/calendar", {
      javaScriptEnabled,
      viewport: { width: 1440, height: 900 },
    });
  }

  test(
    "creates it by mouse, reads its address, and renews it by keyboard",
    async () => {
      const visit = await signIn(true);
      const { page } = visit;
      await typeInto(page.getByLabel("Name"), "Arrivals of Kite");
      await page.getByRole("button", { name: "Create calendar" }).click();
      const address = await page.getByLabel("The address of the calendar", { exact: true }).last().inputValue();
      await capture(visit, "calendar-address");
      const feed = await (await fetch(address)).text();
      expect(feed).toMatch(/SUMMARY:Estimated arrival: SBXDIR000123 at /);
      await page.getByRole("link", { name: "I have copied it" }).click();
      await page.getByRole("rowheader", { name: "Arrivals of Kite" }).waitFor();
      await capture(visit, "calendar");
      await page.getByRole("link", { name: "Renew address of Arrivals of Kite" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Renew address of “Arrivals of Kite”?" }).waitFor();
      await capture(visit, "calendar-renew");
      expect((await fetch(address)).status).toBe(200);
      await page.getByRole("button", { name: "Renew address" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Calendar address" }).waitFor();
      expect((await fetch(address)).status).toBe(404);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "works without JavaScript, also for a saved view",
    async () => {
      const visit = await signIn(false);
      const { page } = visit;
      await typeInto(page.getByLabel("Name"), "Urgent");
      await page.getByLabel("Shows").focus();
      await page.keyboard.press("ArrowDown");
      await page.getByRole("button", { name: "Create calendar" }).click();
      const address = await page.getByLabel("The address of the calendar", { exact: true }).last().inputValue();
      expect(await (await fetch(address)).text()).not.toContain("BEGIN:VEVENT");
      await page.getByRole("link", { name: "I have copied it" }).click();
      await page.getByRole("link", { name: "Delete Urgent" }).click();
      await page.getByRole("button", { name: "Delete calendar" }).click();
      await page.getByText("The calendar is deleted.").waitFor();
      expect((await fetch(address)).status).toBe(404);
      await visit.close();
    },
    timeoutMs,
  );
});
