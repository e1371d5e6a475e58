import { beforeAll, expect, test } from "@jest/globals";
import type { Request } from "playwright-core";
import type { Visit } from "./harness/browser.ts";
import { inBrowser, timeoutMs } from "./harness/in-browser.ts";

inBrowser("forms", (running) => {
  let visit: Visit;

  const open = (path: string) => visit.page.goto(`${running.system.runtime().app}${path}`);

  beforeAll(async () => {
    visit = await running.signIn();
  }, timeoutMs);

  test.each(["light", "dark"] as const)(
    "boxes that are not ticked have the colours of other inputs, %s",
    async (colorScheme) => {
      const { page } = visit;
      await page.emulateMedia({ colorScheme });
      await open("/account/demurrage/new");
      const styleOf = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((input) => {
            const { appearance, backgroundColor, borderTopColor, opacity } = getComputedStyle(input);
            return { appearance, backgroundColor, borderTopColor, opacity };
          });
      const { backgroundColor, borderTopColor } = await styleOf("#name");
      const expected = { appearance: "none", backgroundColor, borderTopColor, opacity: "1" };
      expect(await styleOf("input[type=checkbox]:not(:checked)")).toEqual(expected);
      const checkbox = page.getByRole("checkbox").first();
      const size = () =>
        checkbox.evaluate((input) => [input.getBoundingClientRect().width, input.getBoundingClientRect().height]);
      const [width = 0, height = 0] = await size();
      await checkbox.click();
      expect([await checkbox.isChecked(), width > 16, width === height, await size()]).toEqual([
        true,
        true,
        true,
        [width, height],
      ]);
      await page.emulateMedia({ colorScheme: null });
    },
    timeoutMs,
  );

  test(
    "a form begins at the edge of the page, beside a navigation at its edge, and below tabs takes the width",
    async () => {
      const { page } = visit;
      await page.setViewportSize({ width: 1440, height: 900 });
      const edges = async (path: string) => {
        await open(path);
        const form = await page.locator("main form.form").boundingBox();
        const [left, right] = await page
          .locator(path.startsWith("/account") ? ".with-side" : "body")
          .evaluate((part) => [part.getBoundingClientRect().left, part.getBoundingClientRect().right]);
        return [(form?.x ?? 0) - (left ?? 0), (right ?? 0) - (form?.x ?? 0) - (form?.width ?? 0)];
      };
      const [left = 0] = await edges("/developers/webhooks/new");
      expect(left).toBe(16);
      const [beside = 0] = await edges("/account/customers/new");
      // Where lists begin, too: the navigation of the section and its gap are 14rem wide.
      expect(Math.abs(beside - 224)).toBeLessThan(1);
      for (const path of ["/track", "/track/bulk", "/track/import"]) {
        expect([path, ...(await edges(path))]).toEqual([path, 16, 16]);
      }
    },
    timeoutMs,
  );

  test(
    "options are asked for only by types of custom fields that have them",
    async () => {
      await open("/account/custom-fields/new");
      const options = visit.page.getByLabel("Options, one per line");
      const isAsked = async (type: string): Promise<boolean> => {
        await visit.page.getByLabel("Type").selectOption(type);
        return options.isVisible();
      };
      expect([await isAsked("short_text"), await isAsked("enum"), await isAsked("enum_multi")]).toEqual([
        false,
        true,
        true,
      ]);
    },
    timeoutMs,
  );

  test(
    "a refused form has the focus in its first wrong field, and its summary leads to the others",
    async () => {
      const { page } = visit;
      await open("/account/demurrage/new");
      await page.getByLabel("Name").click();
      await page.keyboard.type("Contract of Kite");
      await page.getByRole("button", { name: "Create rule" }).click();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      const focused = () => page.evaluate(() => document.activeElement?.id);
      expect(await focused()).toBe("freeDays");
      await alert.getByRole("link", { name: "Enter a day and an amount" }).click();
      expect(await focused()).toBe("tiers");
      await page.getByLabel("Amount per day, row 1").click();
      await page.keyboard.type("75.00");
      expect(await page.getByLabel("From charged day, row 1").inputValue()).toBe("1");
      expect([await visit.accessibilityProblems(), visit.takeProblems()]).toEqual([[], []]);
    },
    timeoutMs,
  );

  test.each([
    [
      "/developers/webhooks/new",
      "Endpoint URL",
      "https://example.com/double-click",
      "Create webhook",
      /whsec_[\w+/=]+/,
    ],
    ["/developers/tokens/new", "Name", "Double click", "Create token", /svc_live_[0-9a-f]{40}/],
  ])(
    "a double click submits %s once and shows its secret, and the form can be submitted again after going back",
    async (path, label, value, button, secret) => {
      const { page } = visit;
      const posts: string[] = [];
      const note = (request: Request) => request.method() === "POST" && posts.push(request.postData() ?? "");
      page.on("request", note);
      await open(path);
      await page.getByLabel(label, { exact: true }).fill(value);
      const submit = page.getByRole("button", { name: button });
      const secretOf = async () => secret.exec(await page.locator("#secret").inputValue())?.[0];
      const box = await submit.boundingBox();
      await page.mouse.dblclick((box?.x ?? 0) + 10, (box?.y ?? 0) + 10);
      await page.getByText("I have copied it").waitFor();
      const shown = await secretOf();
      expect([posts.length, shown !== undefined]).toEqual([1, true]);
      await page.goBack();
      await page.getByLabel(label, { exact: true }).fill(value);
      await submit.click();
      await page.getByText("I have copied it").waitFor();
      expect(posts).toHaveLength(2);
      page.off("request", note);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
