import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import type { Visit } from "./harness/browser.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const chooseEmail = (page: Page): Promise<void> => page.getByRole("radio", { name: "by email, kept" }).first().check();

const openMail = (page: Page): Promise<void> =>
  page.getByRole("navigation", { name: "Account", exact: true }).getByRole("link", { name: "Mail" }).click();

inBrowser("a member is alerted by e-mail", (running) => {
  async function signIn(javaScriptEnabled: boolean): Promise<Visit> {
    return running.signIn("/attention", { javaScriptEnabled, viewport: { width: 1440, height: 900 } });
  }
  test(
    "creates a digest by mouse, reads its test mail, and pauses and deletes it by keyboard",
    async () => {
      const visit = await signIn(true);
      const { page } = visit;
      await page.getByRole("link", { name: "New alert" }).click();
      await typeInto(page.getByLabel("Name"), "Fees in the morning");
      // The installation keeps its emails.
      expect(await page.getByLabel("A Slack channel").isChecked()).toBe(true);
      await chooseEmail(page);
      expect(await page.getByLabel("Time zone").isVisible()).toBe(false);
      await page.getByText("Every week").click();
      await page.getByLabel("Day", { exact: true }).selectOption("Friday");
      await page.getByLabel("Time", { exact: true }).selectOption("07:00");
      await page.getByLabel("Time zone").selectOption("Europe/Berlin");
      await page.getByText("Only these").click();
      await page.getByText("Fees", { exact: true }).click();
      await typeInto(page.getByLabel("Customers"), "Müller, Söhne");
      await capture(visit, "alert-weekly");
      await page.getByRole("button", { name: "Create alert" }).click();
      await page.getByText("The alert is created.").waitFor();
      expect(await page.locator("main").textContent()).toContain("Every Friday at 07:00, Europe/Berlin");
      await capture(visit, "alerts");

      await page.getByRole("button", { name: "Send a test message of Fees in the morning" }).click();
      // The page updates itself when the mail server has answered.
      await page.getByText("The test message of Fees in the morning was accepted").waitFor({ timeout: 60_000 });
      await openMail(page);
      await capture(visit, "mail-list");
      await page.getByRole("link", { name: "Test alert: Fees in the morning" }).click();
      expect(await page.locator("main").textContent()).toContain("This is a test.");
      await capture(visit, "mail");
      expect(visit.takeProblems()).toEqual([]);

      await page.getByRole("link", { name: "Alerts", exact: true }).click();
      await page.getByRole("button", { name: "Pause Fees in the morning" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("The alert is paused").waitFor();
      await page.getByRole("link", { name: "Delete Fees in the morning" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Delete alert" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("No alerts yet").waitFor();
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "creates an alert of a team's mailbox, which is confirmed by the link in its mail, by mouse",
    async () => {
      const visit = await signIn(true);
      const { page } = visit;
      await page.getByRole("link", { name: "New alert" }).click();
      await typeInto(page.getByLabel("Name"), "Holds for the team");
      expect(await page.getByLabel("Address of the mailbox").isVisible()).toBe(false);
      await page.getByText("A mailbox").click();
      await typeInto(page.getByLabel("Address of the mailbox"), "operations@example.com");
      await capture(visit, "alert-mailbox");
      await page.getByRole("button", { name: "Create alert" }).click();
      await page.getByText("A confirmation request was sent to the mailbox.").waitFor();
      await page.getByText("Not confirmed").waitFor();
      await capture(visit, "alerts-unconfirmed");

      const request = page.getByRole("link", { name: "Confirm the alert: Holds for the team" });
      await openMail(page);
      for (let count = 0; count < 60 && !(await request.isVisible()); count++) {
        await page.waitForTimeout(500);
        await page.reload();
      }
      await request.click();
      await page.locator("main a[href*='/alerts/confirm/']").click();
      await capture(visit, "alert-confirm");
      await page.getByRole("button", { name: "Confirm" }).click();
      await page.getByText("The address is confirmed").waitFor();
      await page.goto(`${running.system.runtime().app}/account/alerts`);
      await page.getByRole("button", { name: "Send a test message of Holds for the team" }).click();
      await page.getByText("The test message of Holds for the team was accepted").waitFor({ timeout: 60_000 });
      expect(visit.takeProblems()).toEqual([]);
      await page.getByRole("link", { name: "Delete Holds for the team" }).click();
      await page.getByRole("button", { name: "Delete alert" }).click();
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "without JavaScript: creates an alert at once, sees the outcome of its test after Refresh, and unsubscribes",
    async () => {
      const { page, close } = await signIn(false);
      await page.getByRole("link", { name: "New alert" }).click();
      await typeInto(page.getByLabel("Name"), "At once");
      await chooseEmail(page);
      await page.getByRole("button", { name: "Create alert" }).click();
      await page.getByRole("button", { name: "Send a test message of At once" }).click();
      const refresh = page.getByRole("link", { name: "Refresh" });
      for (let count = 0; count < 60 && (await refresh.isVisible()); count++) {
        await page.waitForTimeout(1_000);
        await refresh.click();
      }
      await page.getByText("The test message of At once was accepted").waitFor();
      await openMail(page);
      await page.getByRole("link", { name: "Test alert: At once" }).click();
      await page.locator("main a[href*='/alerts/unsubscribe/']").click();
      await page.getByRole("button", { name: "Unsubscribe" }).click();
      await page.getByText("You are unsubscribed").waitFor();
      await page.goto(`${running.system.runtime().app}/account/alerts`);
      expect(await page.locator("main").textContent()).toContain("Unsubscribed");
      await close();
    },
    timeoutMs,
  );
});
