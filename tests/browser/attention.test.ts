import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sailUntil, sandboxClock } from "../e2e/harness/sandbox-clock.ts";
import { addColleague, withDatabase } from "./harness/add-colleague.ts";
import { addOverdueShipment } from "./harness/add-overdue-shipment.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];

inBrowser("a member works through what needs attention", (running) => {
  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXROL000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
    await sailUntil(running.system, "the rollover is an exception", async () => {
      const { body } = await running.system.api.get("/exceptions?filter[kind]=rollover");
      return body.data.length === 1;
    });
    // The exception ends when the containers depart, so the voyages are paused.
    await sandboxClock.pause(running.system);
  }, timeoutMs);

  test(
    "assigns an exception, adds a note, snoozes it and resolves it, by mouse and keyboard",
    async () => {
      const { app, login } = running.system.runtime();
      const visit = await running.signIn("/attention");
      const { page } = visit;
      // The row of the delay names the rollover as its cause.
      const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: /^Rolled over/ }) });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`attention-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);

      await row.getByRole("button", { name: /Assign to me/ }).click();
      const toast = page.locator(".toast");
      await toast.getByText(/^\w+ assigned to you\.$/).waitFor();
      await row.getByText(login.email).waitFor();
      await toast.getByRole("button", { name: "Undo" }).click();
      await toast.getByText("without an owner again").waitFor();
      await row.getByText("No owner").waitFor();

      await page.getByRole("checkbox", { name: "Select all on this page" }).click();
      const bar = page.getByRole("form", { name: "Selected rows" });
      await bar.getByText(/^[2-9] selected$/).waitFor();
      await page.getByRole("checkbox", { name: /^Select Rolled over/ }).press("Space");
      await bar.getByText(/^\d selected$/).waitFor();
      await bar.getByRole("button", { name: "Assign to me" }).click();
      await toast.getByText(/^\d exceptions? assigned to you\.$/).waitFor();
      await row.getByText("No owner").waitFor();
      expect(await bar.isVisible()).toBe(false);

      await row.getByRole("link", { name: /Rolled over/ }).click();
      await page.getByRole("heading", { name: /Rolled over/ }).waitFor();
      await typeInto(page.getByLabel("Note"), "Called the carrier");
      const snooze = page.getByText("Snooze", { exact: true });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await snooze.click();
        const bounds = await page.locator("#snooze > .menu").boundingBox();
        expect([width, bounds && bounds.x >= 0 && bounds.x + bounds.width <= width]).toEqual([width, true]);
        await visit.picture(`exception-snooze-${width}`);
        await page.keyboard.press("Escape");
      }
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await page.getByText("Snoozed for 7 days.").waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`exception-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(await page.getByLabel("Note").inputValue()).toBe("Called the carrier");
      const activity = page.getByRole("region", { name: "Activity" });
      expect(await activity.getByRole("listitem").last().textContent()).toContain("Opened: Rollover");
      await activity.getByText("Note: Called the carrier").waitFor();

      await page.goto(`${app}/attention`);
      expect(await row.count()).toBe(0);
      await page.getByRole("link", { name: /^Snoozed/ }).click();
      await row.getByRole("button", { name: /Reopen/ }).click();
      await toast.getByText(/^\w+ open again\.$/).waitFor();
      await page.goto(`${app}/attention`);
      await row.getByText("…").click();
      await row.getByRole("button", { name: /Resolve/ }).click();
      await row.waitFor({ state: "detached" });
      await page.goto(`${app}/attention`);
      await page.getByRole("link", { name: /^Resolved/ }).click();
      await row.getByRole("link", { name: /Rolled over/ }).click();
      // The buttons below the heading save what is typed in the form.
      await typeInto(page.getByLabel("Note"), "Resolved too early");
      await page.getByRole("button", { name: "Reopen" }).click();
      await page.getByText("Open again.").waitFor();
      expect(await page.getByLabel("Note").inputValue()).toBe("Resolved too early");
      await typeInto(page.getByLabel("Note"), "Rebooked");
      await page.getByRole("button", { name: "Resolve" }).click();
      await page.getByText("Resolved.", { exact: true }).waitFor();
      expect(await page.getByLabel("Note").inputValue()).toBe("Rebooked");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "works through twelve containers over their last free day as one row, by mouse",
    async () => {
      await withDatabase(running.system.runtime().databaseUrl, (database) =>
        addOverdueShipment(database, "OVERDUE1", 12),
      );
      await eventually("the exceptions are open", async () => {
        const { body } = await running.system.api.get("/exceptions?filter[kind]=last_free_day_over");
        return body.data.length === 12;
      });
      const visit = await running.signIn("/attention");
      const { page } = visit;
      const row = page.getByRole("row").filter({ hasText: "12 containers" });
      const count = page.locator("header .open-count > [aria-hidden]");
      const before = Number(await count.textContent());
      await row.getByText("Last free day over: 12 containers", { exact: true }).click();
      expect(await row.getByRole("listitem").count()).toBe(12);
      await capture(visit, "attention-group");
      await row.getByRole("checkbox", { name: "Select Last free day over: 12 containers, OVERDUE1" }).click();
      const bar = page.getByRole("form", { name: "Selected rows" });
      await bar.getByText("12 selected", { exact: true }).waitFor();
      await row.getByRole("checkbox", { name: /LFDU1000003$/ }).click();
      await bar.getByText("11 selected", { exact: true }).waitFor();
      await row.getByRole("button", { name: /^Assign to me/ }).click();
      await page.locator(".toast").getByText("12 exceptions assigned to you.").waitFor();
      // The row stays unfolded.
      await row.getByRole("link", { name: "LFDU1000003" }).waitFor();
      expect(await bar.isVisible()).toBe(false);
      await row.getByText("…").click();
      await row.getByRole("button", { name: /^Snooze 1 day/ }).click();
      await page.locator(".toast").getByText("12 exceptions snoozed for a day.").waitFor();
      await row.waitFor({ state: "detached" });
      expect(Number(await count.textContent())).toBe(before - 12);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "the containers page shows at least twelve rows in a window of 1440 × 900",
    async () => {
      const visit = await running.signIn("/containers");
      const { page } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox", { name: /^Select \w{4}\d{7}/ }) });
      const bottoms = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
      expect(bottoms.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(12);
      await capture(visit, "containers-density");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "the count beside Attention changes in open pages, and is read to screen readers",
    async () => {
      const visit = await running.signIn("/shipments");
      const { page } = visit;
      const label = /^Attention \(\d+ open exceptions?, yours or without an owner\)$/;
      const entry = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: label });
      const count = async () => Number(await entry.locator(".open-count > [aria-hidden]").textContent());
      const before = await count();
      expect(before).toBeGreaterThan(0);
      await capture(visit, "attention-count");
      const { body } = await running.system.api.get("/exceptions?filter[status]=snoozed");
      const [{ id } = { id: "" }] = body.data;
      await running.system.api.edit(`/exceptions/${id}`, "exception", { status: "open" });
      await eventually("the open page has the count", async () => (await count()) === before + 1);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "mentions a colleague whom the note suggests, and names an unknown member, by mouse and keyboard",
    async () => {
      await withDatabase(running.system.runtime().databaseUrl, async (database) => {
        await addColleague(database, "cleo@example.com");
        await addColleague(database, "clement@example.com");
      });
      const visit = await running.signIn("/shipments");
      const { page } = visit;
      const { body } = await running.system.api.get("/exceptions");
      await page.goto(`${running.system.runtime().app}/attention/${body.data[0]?.id}`);
      const note = page.getByRole("textbox", { name: "Note" });
      const members = page.getByRole("listbox", { name: "Members" });
      await typeInto(note, "Ask @cl");
      expect(await members.getByRole("option").allTextContents()).toEqual(["cleo@example.com", "clement@example.com"]);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await members.scrollIntoViewIfNeeded();
        const bounds = await members.boundingBox();
        expect([width, bounds && bounds.x >= 0 && bounds.x + bounds.width <= width]).toEqual([width, true]);
        await visit.picture(`exception-mention-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.keyboard.press("ArrowDown");
      const active = await note.getAttribute("aria-activedescendant");
      expect(await page.locator(`#${active}[aria-selected=true]`).textContent()).toBe("clement@example.com");
      await page.keyboard.press("Enter");
      expect(await note.inputValue()).toBe("Ask @clement@example.com ");
      await page.keyboard.type("or @cl");
      await members.getByRole("option", { name: "cleo@example.com" }).click();
      await page.keyboard.type("not @c");
      await page.keyboard.press("Escape");
      expect(await members.isVisible()).toBe(false);
      await page.keyboard.press("Backspace");
      await page.keyboard.type("nora");
      expect(await note.inputValue()).toBe("Ask @clement@example.com or @cleo@example.com not @nora");
      await page.getByRole("button", { name: /^(Add|Save) note$/ }).click();
      await page.getByText("No member is called @nora: no mail was sent.").waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`exception-mention-problem-${width}`);
      }
      const { body: shipments } = await running.system.api.get("/shipments");
      await page.goto(`${running.system.runtime().app}/shipments/${shipments.data[0]?.id}/edit`);
      await page.emulateMedia({ colorScheme: "dark" });
      await typeInto(note, "@leo");
      await members.getByRole("option", { name: "cleo@example.com" }).waitFor();
      await visit.picture("shipment-mention-dark");
      await page.keyboard.press("Enter");
      await page.keyboard.type("@norma");
      expect(await note.inputValue()).toBe("@cleo@example.com @norma");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("No member is called @norma: no mail was sent.").waitFor();
      await capture(visit, "shipment-mention-problem-dark");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "assigns a row and selected rows to a colleague, whose address the field suggests, by mouse",
    async () => {
      const colleague = "ann@example.com";
      await withDatabase(running.system.runtime().databaseUrl, async (database) => {
        await addColleague(database, colleague);
        await addOverdueShipment(database, "OVERDUE2", 3);
      });
      await eventually("the exceptions are open", async () => {
        const { body } = await running.system.api.get("/exceptions?filter[kind]=last_free_day_over");
        return body.data.some(({ attributes }) => attributes.number === "LFDU2000003");
      });
      const visit = await running.signIn("/attention");
      const { page } = visit;
      const row = page.getByRole("row").filter({ hasText: "OVERDUE2" });
      await row.getByText("…").click();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const bounds = await row.locator(".menu").boundingBox();
        expect([width, bounds && bounds.x >= 0 && bounds.x + bounds.width <= width]).toEqual([width, true]);
        await visit.picture(`attention-assign-${width}`);
      }
      expect(await page.locator(`datalist option[value="${colleague}"]`).count()).toBe(1);
      await typeInto(row.getByRole("combobox", { name: "Assign to" }), colleague);
      await page.keyboard.press("Enter");
      await page.locator(".toast").getByText("3 exceptions assigned.").waitFor();
      await row.locator("[data-label=Owner]").getByText(colleague).waitFor();
      expect(await row.getByRole("combobox", { name: "Assign to" }).inputValue()).toBe("");

      const bar = page.getByRole("form", { name: "Selected rows" });
      const message = page.locator(".toast");
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        if (width === widths[0]) {
          await row.getByRole("checkbox", { name: /^Select Last free day over: 3 containers/ }).click();
        }
        const [upper, lower] = [await message.boundingBox(), await bar.boundingBox()];
        expect([width, upper && lower && upper.y + upper.height <= lower.y]).toEqual([width, true]);
        await visit.picture(`attention-assign-selected-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      await typeInto(bar.getByRole("combobox", { name: "Assign to" }), colleague);
      await page.keyboard.press("Enter");
      await bar.waitFor({ state: "hidden" });
      await row.getByRole("checkbox", { name: /^Select Last free day over: 3 containers/ }).click();
      await typeInto(bar.getByRole("combobox", { name: "Assign to" }), "stranger@example.com");
      await bar.getByRole("button", { name: "Assign", exact: true }).click();
      await page.getByText("No member of this account has the e-mail address").first().waitFor();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "filters the queue by number and owner, and removes a filter by its chip, by mouse",
    async () => {
      const visit = await running.signIn("/attention");
      const { page } = visit;
      const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox") });
      const open = page.getByText("Filter", { exact: true });
      await open.click();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await visit.picture(`attention-filters-${width}`);
      }
      expect(await visit.accessibilityProblems()).toEqual([]);
      await typeInto(page.getByLabel("Number or reference"), "overdue2");
      await page.getByRole("combobox", { name: "Owner", exact: true }).selectOption("ann@example.com");
      await page.getByRole("button", { name: "Apply" }).click();
      const chips = page.getByRole("list", { name: "Filters that are on" }).getByRole("link");
      await chips.nth(1).waitFor();
      expect((await chips.allTextContents()).map((text) => text.trim())).toEqual([
        "Remove the filter Search overdue2 ×",
        "Remove the filter Owner ann@example.com ×",
        "Clear all",
      ]);
      await visit.picture("attention-filtered");
      const visibleRows = async () => (await rows.allTextContents()).filter((text) => !text.includes("OVERDUE2"));
      expect(await visibleRows()).toEqual([expect.stringContaining("Number")]);
      await chips.nth(1).click();
      await eventually("one chip is left", async () => (await chips.count()) === 1);
      await chips.click();
      await eventually("other rows are back", async () => (await visibleRows()).length > 1);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
