import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { eventually, startWebhookSink, type WebhookSink } from "@svc/testkit";
import type { Page } from "playwright-core";
import { apiClient } from "../e2e/harness/api-client.ts";
import { readNotification } from "../e2e/harness/notifications.ts";
import { sizes, type TestBrowser } from "./harness/browser.ts";
import { inBrowser } from "./harness/in-browser.ts";
import { openUserMenu, typeDateTime, typeInto } from "./harness/typing.ts";

const timeoutMs = 180_000;

inBrowser("the developers' dashboard in a browser", (running) => {
  let sink: WebhookSink;

  beforeAll(async () => {
    sink = await startWebhookSink();
  }, timeoutMs);
  afterAll(async () => {
    await sink?.close();
  });

  const addressOf = (path: string) => `${running.system.runtime().app}${path}`;
  const goTo = (page: Page, path: string) => page.goto(addressOf(path));
  const statusWith = async (token: string) =>
    (await apiClient(running.system.runtime().apiBaseUrl, token).get("/shipments")).status;

  const logInWith = (options: Parameters<TestBrowser["visit"]>[1] = {}) => running.signIn("/developers", options);

  async function track(number: string): Promise<void> {
    const request = { request_type: "bill_of_lading", request_number: number, scac: "SBXL" };
    expect((await running.system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
  }

  /** Creates one as a person does; returns its secret. */
  async function createWebhook(page: Page, url: string): Promise<string> {
    await goTo(page, "/developers/webhooks");
    await page.getByRole("link", { name: "New webhook" }).click();
    await typeInto(page.getByLabel("Endpoint URL"), url);
    await page.getByRole("button", { name: "Create webhook" }).click();
    const secret = await page.getByLabel("Webhook secret").getByRole("textbox").inputValue();
    await page.getByRole("link", { name: "I have copied it" }).click();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(url);
    return secret;
  }

  const scripts = Object.entries(sizes).flatMap(([size, viewport]) =>
    [true, false].map((javaScriptEnabled) => ({
      size,
      viewport,
      javaScriptEnabled,
      with: javaScriptEnabled ? "with" : "without",
    })),
  );

  test.each([true, false])("a password is shown by a button, where scripts run: %s", async (javaScriptEnabled) => {
    const visit = await running.browser.visit(running.system.runtime().app, {
      viewport: sizes.phone,
      javaScriptEnabled,
    });
    const { page } = visit;
    await goTo(page, "/login");
    const field = page.getByLabel("Password", { exact: true });
    await typeInto(field, "kite harbour lamp");
    const show = page.getByRole("button", { name: "Show password" });
    expect(await show.count()).toBe(javaScriptEnabled ? 1 : 0);
    expect(await field.getAttribute("type")).toBe("password");
    if (javaScriptEnabled) {
      await show.click();
      expect([await field.getAttribute("type"), await field.inputValue()]).toEqual(["text", "kite harbour lamp"]);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByRole("button", { name: "Hide password" }).click();
      expect(await field.getAttribute("type")).toBe("password");
    }
    expect(visit.takeProblems()).toEqual([]);
    await visit.close();
  });

  test.each(scripts)(
    "a token made there opens the API until it is revoked there, $size, $with JavaScript [spec: authentication.4]",
    async ({ size, viewport, javaScriptEnabled }) => {
      const visit = await logInWith({ viewport, javaScriptEnabled });
      const { page } = visit;
      await page.getByRole("navigation", { name: "Developers" }).getByRole("link", { name: "API tokens" }).click();
      await page.getByRole("link", { name: "New token" }).click();
      const name = `Warehouse ${size} ${javaScriptEnabled}`;
      await typeInto(page.getByLabel("Name"), name);
      await page.getByRole("button", { name: "Create token" }).click();
      const token = await page.getByLabel("The new API token").getByRole("textbox").inputValue();
      expect(await statusWith(token)).toBe(200);
      expect(page.url()).not.toContain(token);
      await page.getByRole("link", { name: "I have copied it" }).click();
      expect(await page.content()).not.toContain(token);
      await page.getByRole("link", { name: `Revoke ${name}` }).click();
      await page.getByRole("button", { name: "Revoke token" }).click();
      expect(await page.getByRole("status").textContent()).toBe("The token is revoked.");
      await eventually("every process knows it", async () => (await statusWith(token)) === 401);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([
    ["phone", "SBXDIR000777"],
    ["desktop", "SBXDIR000778"],
  ] as const)(
    "%s: creates a webhook that receives deliveries, and shows request and response of each",
    async (size, number) => {
      const visit = await logInWith({ viewport: sizes[size] });
      const { page } = visit;
      const path = `/orders-${size}`;
      const url = `${sink.url}${path}`;
      sink.respondWith({ status: 200, headers: { "x-handled-by": "orders" }, body: '{"stored":true}' });
      expect(await createWebhook(page, url)).toMatch(/^whsec_/);
      await track(number);
      const delivery = await sink.delivery("the shipment is found", (one) => {
        return one.path === path && readNotification(one).event === "tracking_request.succeeded";
      });
      const link = page.getByRole("link", { name: "tracking_request.succeeded" });
      await eventually("the page shows it", async () => {
        await page.reload();
        return (await link.count()) > 0;
      });
      await link.first().click();
      await eventually("the attempt is there", async () => {
        await page.reload();
        return (await page.getByText("Attempt 1", { exact: true }).count()) > 0;
      });
      const mainText = await page.getByRole("main").textContent();
      expect(mainText).toContain(readNotification(delivery).id);
      expect(mainText).toContain("x-handled-by");
      expect(mainText).toContain('"stored": true');
      expect(mainText).toContain(number);
      await page.getByRole("button", { name: "Resend" }).click();
      const notice = page.getByRole("main").getByRole("status");
      expect(await notice.textContent()).toContain("It is being delivered now.");
      await eventually("it arrived again", () => {
        const { id } = readNotification(delivery);
        return sink.deliveries.filter((one) => one.path === path && readNotification(one).id === id).length === 2;
      });
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([
    ["phone", "SBXDIR000888"],
    ["desktop", "SBXDIR000889"],
  ] as const)(
    "%s: reactivates a disabled webhook and recovers its missed events",
    async (size, number) => {
      const visit = await logInWith({ viewport: sizes[size] });
      const { page } = visit;
      const gone = `/gone-${size}`;
      const atGone = ({ path }: { readonly path: string }) => path === gone;
      sink.respondWith(({ path }) => ({ status: path === gone ? 410 : 200 }));
      await createWebhook(page, `${sink.url}${gone}`);
      await track(number);
      await sink.delivery("the refusal", atGone);
      await eventually("it is deactivated", async () => {
        await page.reload();
        return (await page.getByText("Disabled automatically", { exact: true }).count()) > 0;
      });
      expect(await page.getByRole("main").textContent()).toContain("because its endpoint answered 410 Gone");
      await visit.picture(`webhook-deactivated-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      sink.respondWith({ status: 200 });
      await page.getByRole("button", { name: "Enable" }).click();
      expect(await page.getByText("Active", { exact: true }).count()).toBe(1);
      const before = sink.deliveries.filter(atGone).length;
      await typeDateTime(page.getByLabel("Created since (UTC)"), "2026-01-01T00:00");
      await page.getByRole("button", { name: "Preview" }).click();
      expect(await page.getByRole("main").textContent()).toMatch(/\d notifications? of this webhook failed since/);
      await visit.picture(`webhook-recover-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByRole("button", { name: "Resend" }).click();
      expect(await page.getByRole("status").textContent()).toMatch(/will be resent/);
      await eventually("what it missed arrives", () => sink.deliveries.filter(atGone).length > before);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each(Object.entries(sizes))(
    "%s: offers the inbox as an endpoint, which shows requests as they arrive",
    async (size, viewport) => {
      const visit = await logInWith({ viewport });
      const { page } = visit;
      await page.getByRole("navigation", { name: "Developers" }).getByRole("link", { name: "Inbox" }).click();
      await visit.picture(`inbox-closed-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await page.getByRole("button", { name: "Open an inbox" }).click();
      const address = await page.getByLabel("Address of the inbox").inputValue();
      const other = await page.context().newPage();
      await goTo(other, "/developers/inbox");
      expect(await other.getByText("No requests yet.").count()).toBe(1);
      await page.getByRole("link", { name: "Create a webhook for this inbox" }).click();
      expect(await page.getByLabel("Endpoint URL").inputValue()).toBe(address);
      await page.getByRole("button", { name: "Create webhook" }).click();
      await page.getByRole("link", { name: "I have copied it" }).click();
      await page.getByRole("button", { name: "Send test" }).click();
      await other.evaluate(() => window.dispatchEvent(new Event("online")));
      // Notifications of demo voyages may be there as well.
      await other.getByText(/^\d+ requests?\.$/).waitFor();
      await other.close();
      await goTo(page, "/developers/inbox");
      await page.locator(".received > summary").first().click();
      expect(await page.locator(".received").first().textContent()).toContain("x-svc-webhook-signature");
      await visit.picture(`inbox-${size}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      await page.getByRole("button", { name: "Close the inbox" }).click();
      expect(await page.getByText("The inbox is closed").count()).toBe(1);
      await goTo(page, "/developers/webhooks");
      await page.getByRole("link", { name: address }).click();
      await page.getByLabel("More actions").click();
      await page.getByRole("link", { name: "Delete" }).click();
      await page.getByRole("button", { name: /Delete/ }).click();
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([true, false])(
    "the theme is chosen by mouse, with JavaScript: %s",
    async (javaScriptEnabled) => {
      const visit = await logInWith({ viewport: sizes.phone, colorScheme: "light", javaScriptEnabled });
      const { page } = visit;
      const ground = () => page.locator("body").evaluate((body) => getComputedStyle(body).backgroundColor);
      const theme = (name: string) =>
        page
          .getByRole("form", { name: "Theme", includeHidden: true })
          .getByRole("button", { name, includeHidden: true });
      const [light, dark] = ["rgb(243, 246, 249)", "rgb(14, 20, 26)"];
      expect(await ground()).toBe(light);
      await openUserMenu(page);
      await theme("Dark").click();
      expect([page.url(), await ground()]).toEqual([addressOf("/developers"), dark]);
      expect(await theme("Dark").getAttribute("aria-pressed")).toBe("true");
      await goTo(page, "/account/sessions");
      expect(await ground()).toBe(dark);
      await openUserMenu(page);
      await theme("System").click();
      expect(await ground()).toBe(light);
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );

  test.each([
    ["phone", "dark"],
    ["desktop", "light"],
  ] as const)(
    "shows results of forms that are readable and accessible: %s, %s",
    async (size, colorScheme) => {
      const visit = await logInWith({ viewport: sizes[size], colorScheme });
      const { page } = visit;
      const capture = async (name: string) => {
        await visit.picture(`dashboard-${name}-${size}-${colorScheme}`);
        expect({ name, problems: await visit.accessibilityProblems() }).toEqual({ name, problems: [] });
        const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
        expect({ name, fits }).toEqual({ name, fits: true });
      };
      await goTo(page, "/developers/tokens/new");
      await typeInto(page.getByLabel("Name"), "Look");
      await page.getByRole("button", { name: "Create token" }).click();
      await capture("token-made");
      await goTo(page, "/developers/webhooks/new");
      await typeInto(page.getByLabel("Endpoint URL"), "nonsense");
      await page.getByRole("button", { name: "Create webhook" }).click();
      await capture("webhook-refused");
      await goTo(page, "/developers/webhooks");
      await page.locator('main a[href^="/developers/webhooks/0"]').first().click();
      await page.getByRole("button", { name: "Send test" }).click();
      await capture("test-result");
      expect(visit.takeProblems()).toEqual([]);
      await visit.close();
    },
    timeoutMs,
  );
});
