import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import type { Page } from "playwright-core";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";

inBrowser("a member shares a shipment with a customer", (running) => {
  let shipmentId: string;

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXDIR000123", scac: "SBXL" };
    const attributes = { ...request, ref_numbers: ["PO-CUSTOMER-1"], shipment_tags: ["internal-tag"] };
    await running.system.api.create("/tracking_requests", "tracking_request", attributes);
    shipmentId = await eventually("the shipment has a container", async () => {
      const { body } = await running.system.api.get("/shipments?include=containers");
      return (body.included?.length ?? 0) > 0 ? body.data[0]?.id : undefined;
    });
  }, timeoutMs);

  async function signIn(javaScriptEnabled: boolean): Promise<Visit> {
    return running.signIn(`/shipments/${shipmentId}`, {
      javaScriptEnabled,
      viewport: { width: 1440, height: 900 },
    });
  }
  const addressOf = (page: Page) => page.getByRole("region", { name: "Active links" }).getByLabel("Address").first();
  const textOf = async (page: Page) => (await page.locator("body").textContent()) ?? "";

  test(
    "creates a link by mouse, which opens without a login, and revokes it by keyboard",
    async () => {
      const member = await signIn(true);
      const { page } = member;
      await page.getByRole("link", { name: "Share: SBXDIR000123" }).click();
      await page.getByText("References of the shipment").click();
      await capture(member, "share-new");
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("The link is created.").waitFor();
      const url = await addressOf(page).inputValue();
      expect(url).toMatch(/\/share\/[\w-]{43}$/);
      await capture(member, "share-created");

      const customer = await running.browser.visit(running.system.runtime().app, {
        viewport: { width: 390, height: 844 },
      });
      expect((await customer.page.goto(url))?.status()).toBe(200);
      expect(await textOf(customer.page)).toContain("PO-CUSTOMER-1");
      expect(await textOf(customer.page)).not.toContain("internal-tag");
      await capture(customer, "shared");
      expect(await customer.page.getByRole("img", { name: /^Route / }).isVisible()).toBe(true);
      expect(await customer.page.context().cookies()).toEqual([]);
      expect(customer.takeProblems()).toEqual([]);

      await page.goto(`${running.system.runtime().app}/account/share-links`);
      await capture(member, "account-share-links");
      const revoke = page.getByRole("link", { name: "Revoke the link to SBXDIR000123" });
      await revoke.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("The link is revoked").waitFor();
      expect(await textOf(page)).toContain("No active share links");
      expect((await customer.page.reload())?.status()).toBe(404);
      await capture(customer, "share-gone");
      expect(member.takeProblems()).toEqual([]);
      await Promise.all([member.close(), customer.close()]);
    },
    timeoutMs,
  );

  test(
    "the list and the page lead to the links, which create nothing by themselves, and the address is copied by one click",
    async () => {
      const { page, close, takeProblems } = await signIn(true);
      await page.goto(`${running.system.runtime().app}/shipments`);
      await page.getByRole("row", { name: /SBXDIR000123/ }).hover();
      await page.getByRole("link", { name: "Share: SBXDIR000123" }).click();
      await page.getByRole("heading", { name: "New link" }).waitFor();
      expect(await addressOf(page).count()).toBe(0);
      await page.getByRole("button", { name: "Create link" }).click();
      await page.getByText("The link is created.").waitFor();
      const url = await addressOf(page).inputValue();
      await page.context().grantPermissions(["clipboard-write"]);
      await page.getByRole("button", { name: "Copy", exact: true }).first().click();
      await page.getByText("Copied").first().waitFor();
      await page.goto(`${running.system.runtime().app}/shipments/${shipmentId}`);
      await page.keyboard.press("s");
      await page.getByRole("heading", { name: "Active links" }).waitFor();
      await page.goBack();
      await page.getByRole("link", { name: "Share: SBXDIR000123" }).click();
      await page.getByRole("heading", { name: "Active links" }).waitFor();
      expect(await addressOf(page).count()).toBe(1);
      expect(await addressOf(page).inputValue()).toBe(url);
      await page.getByRole("link", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("The link is revoked").waitFor();
      expect(takeProblems()).toEqual([]);
      await close();
    },
    timeoutMs,
  );

  test(
    "without JavaScript: creates a link that hides references, and revokes it where it was created",
    async () => {
      const { page, close } = await signIn(false);
      await page.getByRole("link", { name: "Share: SBXDIR000123" }).click();
      await page.getByLabel("Expires").selectOption("never");
      await page.getByRole("button", { name: "Create link" }).click();
      const url = await addressOf(page).inputValue();
      await page.getByRole("link", { name: "Open the page" }).click();
      expect(page.url()).toBe(url);
      expect(await textOf(page)).toContain("SBXDIR000123");
      expect(await textOf(page)).not.toContain("PO-CUSTOMER-1");
      await page.goBack();
      await page.getByRole("link", { name: "Revoke" }).click();
      await page.getByRole("button", { name: "Revoke link" }).click();
      await page.getByText("The link is revoked").waitFor();
      expect((await page.goto(url))?.status()).toBe(404);
      await close();
    },
    timeoutMs,
  );
});
