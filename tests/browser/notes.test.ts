import { beforeAll, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sailUntil, sandboxClock } from "../e2e/harness/sandbox-clock.ts";
import { addColleague, withDatabase } from "./harness/add-colleague.ts";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const widths = [390, 820, 1440];

inBrowser("the page of an exception", (running) => {
  let address: string;

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXROL000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
    await sailUntil(running.system, "the rollover is an exception", async () => {
      const { body } = await running.system.api.get("/exceptions?filter[kind]=rollover");
      address = `${running.system.runtime().app}/attention/${body.data[0]?.id}`;
      return body.data.length === 1;
    });
    await sandboxClock.pause(running.system);
  }, timeoutMs);

  test(
    "saves a note while it suggests members, and asks before a page with unsaved text is left",
    async () => {
      const visit = await running.signIn("/shipments");
      const { page } = visit;
      const note = page.getByRole("textbox", { name: "Note" });
      const members = page.getByRole("listbox", { name: "Members" });
      const save = page.getByRole("button", { name: /^(Add|Save) note$/ });
      const dialogs: string[] = [];
      page.on("dialog", (dialog) => {
        dialogs.push(dialog.type());
        void dialog.dismiss();
      });
      await page.goto(address);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await typeInto(note, `At ${width} ask @demo`);
        await members.waitFor();
        await visit.picture(`note-suggestions-${width}`);
        await save.click();
        await page.getByText(/^(The note is saved|Saved)\.$/).waitFor();
        expect(await note.inputValue()).toBe(`At ${width} ask @demo`);
        await page.goto(address);
      }
      expect(dialogs).toEqual([]);

      await typeInto(note, "Saved once");
      await save.dblclick();
      await page.getByText("Saved.", { exact: true }).waitFor();
      expect(await note.inputValue()).toBe("Saved once");
      await page.goto(address);

      await typeInto(note, "Not saved yet");
      const leave = page.getByRole("link", { name: "Needs attention" });
      await leave.click();
      await eventually("the browser asks", () => Promise.resolve(dialogs.length === 1));
      expect([dialogs, page.url(), await note.inputValue()]).toEqual([["beforeunload"], address, "Not saved yet"]);
      await save.click();
      await page.getByText("Saved.").waitFor();
      await leave.click();
      await page.getByRole("heading", { name: "Needs attention" }).waitFor();
      expect(dialogs).toHaveLength(1);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test(
    "is assigned by the menu of its page, which keeps an address that is refused, by mouse and keyboard",
    async () => {
      const colleague = "ann@example.com";
      await withDatabase(running.system.runtime().databaseUrl, (database) => addColleague(database, colleague));
      const visit = await running.signIn("/shipments");
      const { page } = visit;
      await page.goto(address);
      await page.getByText("Assign", { exact: true }).first().click();
      const owner = page.getByRole("combobox", { name: "Assign to" });
      await typeInto(owner, "stranger@example.com");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").getByText("No member of this account has the e-mail address").waitFor();
      expect(await owner.inputValue()).toBe("stranger@example.com");
      await capture(visit, "exception-assign-refused");
      await typeInto(owner, colleague);
      await page.keyboard.press("Enter");
      await page.getByText("Assigned.", { exact: true }).waitFor();
      await page.getByText(new RegExp(`${colleague} · opened`)).waitFor();
      await capture(visit, "exception-assigned");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
