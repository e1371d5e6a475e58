import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventually } from "@svc/testkit";
import { sailUntil } from "../../e2e/harness/sandbox-clock.ts";
import { type System, startSystem, temporaryFolder } from "../../e2e/harness/system.ts";
import { startBrowser, type TestBrowser, type Visit } from "../harness/browser.ts";
import { chromium } from "../harness/chromium.ts";
import { layoutProblems, unfold } from "../harness/sweep.ts";
import { logIn } from "../harness/typing.ts";

const timeoutMs = 240_000;
const windows = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
] as const;
const themes = ["light", "dark"] as const;

/** As long as references get, and without a place to break; as many as some systems send. */
const longReference = `PO-${"ABCDEFGHJ".repeat(10)}`;
const manyReferences = Array.from({ length: 30 }, (_, index) => `PO-2026-${String(index).padStart(5, "0")}`);

/** Skipped on a machine without a browser. */
const withBrowser = chromium ? describe : describe.skip;

withBrowser("every page at three widths in both themes", () => {
  const dataDir = temporaryFolder();
  let system: System;
  let browser: TestBrowser;
  let visit: Visit;
  let paths: Readonly<Record<string, string>>;

  const track = async (request_number: string, more: object = {}): Promise<void> => {
    const request = { request_type: "bill_of_lading", request_number, scac: "SBXL", ...more };
    expect((await system.api.create("/tracking_requests", "tracking_request", request)).status).toBe(201);
  };

  beforeAll(async () => {
    [system, browser] = await Promise.all([startSystem({ dataDir }), startBrowser()]);
    await track("SBXSPL000123", { ref_numbers: [longReference], shipment_tags: ["urgent", "cold chain"] });
    await track("SBXRAI000123", { ref_numbers: manyReferences });
    await track("SBXDLY000123");
    await track("SBXNFD000123");
    await track("SBXROL000123");
    const secrets = { client_id: "id", client_secret: "secret", headers: [{ name: "Consumer-Key", value: "id" }] };
    const credentials = { kind: "oauth2_client_credentials", ...secrets };
    await system.api.create("/carrier_connections", "carrier_connection", { scac: "MAEU", credentials });
    const webhook = { url: "http://127.0.0.1:9/dead/port/with-a-long-path", events: ["*"], active: true };
    const { body: created } = await system.api.create("/webhooks", "webhook", webhook);
    const alert = { name: "Holds and fees of Kite", channel: "slack", frequency: "daily", time_zone: "Europe/Berlin" };
    const filter = { kinds: ["hold", "fee", "last_free_day_over"], carriers: ["MAEU", "SBXL"], tags: ["cold chain"] };
    const { body: subscribed } = await system.api.create("/alert_subscriptions", "alert_subscription", {
      ...{ ...alert, ...filter, webhook_url: "http://127.0.0.1:9/dead" },
    });
    const saved = { list: "shipments", name: "Urgent shipments of Kite", filters: { tag: "urgent" }, shared: true };
    const { body: view } = await system.api.create("/saved_views", "saved_view", saved);
    const { body: tariff } = await system.api.create("/demurrage_rules", "demurrage_rule", {
      ...{ name: "Contract of Kite 2026", kind: "demurrage", direction: "import", carrier_scac: "SBXL", free_days: 4 },
      ...{ free_day_calendar: "working_days", currency_code: "USD", equipment_types: ["dry", "reefer"] },
      tiers: [{ from_day: 1, amount_per_day: "75.00" }],
    });
    const { body: factor } = await system.api.create("/emission_factors", "emission_factor", {
      ...{ name: "Asia to North Europe by SBXL, 2026", energy_scope: "well_to_wake", grams_per_teu_km: 55.125 },
      ...{ distance_basis: "actual_distance", source: "Sustainability report of the line, edition of June 2026" },
      ...{ carrier_scac: "SBXL", origins: ["CN", "JP", "KR"], destinations: ["BE", "DE", "NL"], both_directions: true },
    });
    // Each request counts against the API's limit.
    const pauseMs = 500;
    const shipments = await eventually("all shipments have containers", async () => {
      await delay(pauseMs);
      const { body } = await system.api.get("/shipments?include=containers&sort=created_at");
      return body.data.length === 4 && (body.included?.length ?? 0) >= 5 ? body.data : undefined;
    });
    const idOf = (number: string): string =>
      shipments.find(({ attributes }) => attributes.bill_of_lading_number === number)?.id ?? "";
    const container = await eventually("a container is known", async () => {
      await delay(pauseMs);
      return (await system.api.get("/containers")).body.data[0];
    });
    const notification = await eventually("there is a notification", async () => {
      await delay(pauseMs);
      return (await system.api.get("/webhook_notifications")).body.data[0];
    });
    const exception = await sailUntil(
      system,
      "an exception is open",
      async () => (await system.api.get("/exceptions")).body.data[0],
    );
    const shipment = `/shipments/${idOf("SBXSPL000123")}`;
    const hook = `/developers/webhooks/${created.data.id}`;
    const earlier = String(container.attributes.created_at);
    paths = {
      "sign in": "/login",
      "lost password": "/login/forgotten",
      list: "/shipments",
      attention: "/attention",
      exception: `/attention/${exception.id}`,
      containers: "/containers",
      carriers: "/carriers",
      "connect a carrier": "/carriers/connect",
      "connect carrier": "/carriers/CMDU",
      "connect carrier by certificate": "/carriers/MSCU",
      "connected carrier": "/carriers/MAEU",
      "disconnect carrier": "/carriers/MAEU/disconnect",
      "carrier performance": "/carriers/performance",
      "filtered list": "/shipments?tag=urgent&carrier=SBXL&sort=created_at",
      "empty search": "/shipments?q=NOWHERE+1",
      shipment,
      "shipment by rail": `/shipments/${idOf("SBXRAI000123")}`,
      "shipment with a late ETA": `/shipments/${idOf("SBXDLY000123")}`,
      "shipment as known earlier": `${shipment}?as_of=${earlier}`,
      "container as known earlier": `/containers/${container.id}?as_of=${earlier}`,
      "edit shipment": `${shipment}/edit`,
      "shipment JSON": `${shipment}/json`,
      container: `/containers/${container.id}`,
      "raw messages": `/containers/${container.id}/raw-events`,
      track: "/track?number=SBXDIR000777",
      bulk: "/track/bulk",
      import: "/track/import",
      "EDI files": "/track/edi",
      requests: "/tracking-requests",
      search: "/track/search?q=SBXU",
      times: "/times",
      status: "/status",
      developers: "/developers",
      tokens: "/developers/tokens",
      "new token": "/developers/tokens/new",
      webhooks: "/developers/webhooks",
      webhook: hook,
      "edit webhook": `${hook}/edit`,
      "rotate secret": `${hook}/rotate`,
      "delete webhook": `${hook}/delete`,
      "recover webhook": `${hook}/recover`,
      "new webhook": "/developers/webhooks/new",
      notifications: "/developers/notifications",
      notification: `/developers/notifications/${notification.id}`,
      events: "/developers/events",
      event: "/developers/events/container.updated",
      inbox: "/developers/inbox",
      mcp: "/developers/mcp",
      alerts: "/account/alerts",
      "new alert": "/account/alerts/new",
      "edit alert": `/account/alerts/${subscribed.data.id}/edit`,
      "delete alert": `/account/alerts/${subscribed.data.id}/delete`,
      "saved views": "/account/views",
      "edit view": `/account/views/${view.data.id}/edit`,
      "delete view": `/account/views/${view.data.id}/delete`,
      "list with a view": `/shipments?tag=urgent&columns=status,arrival&saved=${view.data.id}`,
      "demurrage rules": "/account/demurrage",
      "new demurrage rule": "/account/demurrage/new",
      "edit demurrage rule": `/account/demurrage/${tariff.data.id}/edit`,
      "delete demurrage rule": `/account/demurrage/${tariff.data.id}/delete`,
      "emission factors": "/account/emissions",
      "new emission factor": "/account/emissions/new",
      "import emission factors": "/account/emissions/import",
      "edit emission factor": `/account/emissions/${factor.data.id}/edit`,
      "delete emission factor": `/account/emissions/${factor.data.id}/delete`,
      calendar: "/account/calendar",
      display: "/account/display",
      members: "/account/members",
      "sign-in rules": "/account/sign-in-rules",
      "audit log": "/account/audit",
      "own accounts": "/account/accounts",
      sessions: "/account/sessions",
      "two-factor authentication": "/account/two-factor",
      password: "/account/password",
      missing: "/no-such-page",
    };
    visit = await browser.visit(system.runtime().app);
    await visit.page.goto(`${system.runtime().app}/login`);
    await logIn(visit.page, system.runtime().login);
    await visit.page.waitForURL(/\/shipments/);
  }, timeoutMs);
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
    fs.rmSync(dataDir, { recursive: true, force: true });
  });

  test.each(windows)(
    "$width wide: every control can be hit, nothing overlaps, is clipped or leaves the window, axe finds nothing",
    async (viewport) => {
      const { page } = visit;
      await page.setViewportSize(viewport);
      const found: string[] = [];
      for (const [name, path] of Object.entries(paths)) {
        await page.goto(`${system.runtime().app}${path}`);
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          const contrast = colorScheme === "dark" ? ["color-contrast"] : undefined;
          const problems = [...(await layoutProblems(page)), ...(await visit.accessibilityProblems(contrast))];
          found.push(...problems.map((problem) => `${name}, ${colorScheme}: ${problem}`));
        }
        await unfold(page);
        found.push(...(await layoutProblems(page)).map((problem) => `${name}, unfolded: ${problem}`));
        await visit.picture(`sweep-${name.replaceAll(" ", "-")}-${viewport.width}`);
      }
      expect(found).toEqual([]);
      expect(visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
