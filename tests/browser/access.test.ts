import { expect, test } from "@jest/globals";
import { capture } from "./harness/capture.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";
import { typeInto } from "./harness/typing.ts";

const chosen = "three blue lighthouses";

inBrowser("roles and the audit log", (running) => {
  test(
    "an owner invites a viewer, who changes nothing, changes the role, and reads all of it in the audit log",
    async () => {
      const { app } = running.system.runtime();
      const owner = await running.signIn("/account/members", { viewport: { width: 1440, height: 900 } });
      const { page } = owner;
      await capture(owner, "members");
      await page.getByRole("link", { name: "Invite member" }).click();
      await typeInto(page.getByLabel("Email address"), "vera@example.test");
      await page.getByText("Viewer: reads everything").click();
      await page.getByRole("button", { name: "Create invite link" }).click();
      const link = await page.getByLabel("Invite link").getByRole("textbox").inputValue();

      const viewer = await running.browser.visit(app, { viewport: { width: 1440, height: 900 } });
      await viewer.page.goto(link);
      await typeInto(viewer.page.getByLabel("New password", { exact: true }), chosen);
      await typeInto(viewer.page.getByLabel("Repeat new password"), chosen);
      await viewer.page.getByRole("button", { name: "Join" }).click();
      await viewer.page.waitForURL(`${app}/shipments`);
      expect(await viewer.page.getByRole("link", { name: "Track a number" }).count()).toBe(0);
      expect((await viewer.page.goto(`${app}/track`))?.status()).toBe(403);
      expect(await viewer.page.getByRole("main").textContent()).toContain("requires the role operator");
      await capture(viewer, "role-refused");
      await viewer.page.goto(`${app}/account/members`);
      expect(await viewer.page.getByRole("link", { name: "Audit log" }).count()).toBe(0);

      await page.goto(`${app}/account/members`);
      await page.getByRole("link", { name: "Change role of vera@example.test" }).click();
      await page.getByText("Operator: also tracks").click();
      await capture(owner, "member-role");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("The role is changed.").waitFor();
      expect((await viewer.page.goto(`${app}/track`))?.status()).toBe(200);

      await page.getByRole("link", { name: "Audit log" }).click();
      const text = (await page.getByRole("main").textContent()) ?? "";
      for (const expectedText of ["Invitation created", "Member created", "Member updated", "viewer → operator"]) {
        expect(text).toContain(expectedText);
      }
      await capture(owner, "audit-log");
      await page.getByLabel("Subject").selectOption("member");
      await page.getByRole("button", { name: "Apply" }).click();
      expect(await page.getByRole("main").textContent()).not.toContain("Invitation created");
      expect(owner.takeProblems()).toEqual([]);
      await Promise.all([owner.close(), viewer.close()]);
    },
    timeoutMs,
  );
});
