import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type CallToolResult, Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { eventually } from "@svc/testkit";
import type { Frame } from "playwright-core";
import { sailUntil } from "../../e2e/harness/sandbox-clock.ts";
import { injections } from "../../e2e/mcp-questions/injections.ts";
import { inBrowser, timeoutMs } from "../harness/in-browser.ts";
import { logIn } from "../harness/typing.ts";
import { startViewHost, type ViewHost, viewCapabilities } from "../harness/view-host.ts";

const widths = [320, 800];
/** A picture has only that part of a frame which is within the window. */
const viewportHeight = 3_000;
const themes = ["light", "dark"] as const;

inBrowser("views of the MCP server in a host", (running) => {
  let client: Client;
  let host: ViewHost;

  beforeAll(async () => {
    const request = { request_type: "bill_of_lading", request_number: "SBXROL000123", scac: "SBXL" };
    await running.system.api.create("/tracking_requests", "tracking_request", request);
    await sailUntil(running.system, "the rollover is an exception", async () => {
      const { body } = await running.system.api.get("/exceptions?filter[kind]=rollover");
      return body.data.length === 1;
    });
    client = new Client({ name: "host", version: "1" }, { capabilities: viewCapabilities });
    const headers = { Authorization: `Bearer ${running.system.runtime().token}` };
    await client.connect(
      new StreamableHTTPClientTransport(new URL("/mcp", running.system.runtime().mcp), { requestInit: { headers } }),
    );
    host = await startViewHost(running.browser, client);
  }, timeoutMs);
  afterAll(async () => {
    await host?.close();
    await client?.close();
  });

  const call = (name: string, input: Record<string, unknown>): Promise<CallToolResult> =>
    client.callTool({ name, arguments: input });

  /** The view that tools/list names, with the result of a real call. */
  async function showToolResult(name: string, input: Record<string, unknown>) {
    const { tools } = await client.listTools();
    const meta = tools.find((tool) => tool.name === name)?._meta as { ui: { resourceUri: string } };
    const result = await call(name, input);
    expect(result.isError).toBeFalsy();
    const frame = await host.show(meta.ui.resourceUri, { input, result, theme: "light" });
    return { frame, content: result.structuredContent as { page_url: string } & Record<string, unknown> };
  }

  async function takePictures(frame: Frame, name: string): Promise<void> {
    for (const theme of themes) {
      await host.setTheme(theme);
      await frame.waitForFunction(
        (expectedTheme) => document.documentElement.style.colorScheme === expectedTheme,
        theme,
      );
      for (const width of widths) {
        await host.page.setViewportSize({ width, height: viewportHeight });
        const overflow = await frame.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow).toBeLessThanOrEqual(0);
        await eventually("the frame has the height of its content", () =>
          frame.evaluate(() => Math.abs(document.documentElement.scrollHeight - window.innerHeight) <= 1),
        );
        expect(await host.accessibilityProblems(frame)).toEqual([]);
        await host.visit.picture(`${name}-${width}-${theme}`);
      }
    }
  }

  test(
    "a container: status, map and timeline; refreshed by mouse and keyboard; its page is opened",
    async () => {
      const { data } = (await running.system.api.get("/containers")).body;
      const number = String(data[0]?.attributes.number);
      const { frame, content } = await showToolResult("get_container", { id: number });
      await frame.getByRole("heading", { name: number }).waitFor();
      await frame.getByRole("img", { name: /^Route .+ to / }).waitFor();
      await frame.getByRole("heading", { name: "Timeline" }).waitFor();
      expect(await frame.locator(".timeline li").count()).toBeGreaterThan(1);
      expect(host.called.toSorted()).toEqual(["get_container", "get_container_map"]);

      const status = frame.getByRole("status");
      await frame.getByRole("button", { name: "Refresh" }).click();
      await status.getByText(/^Updated at/).waitFor();
      expect(host.called).toHaveLength(4);
      await frame.getByRole("button", { name: "Refresh" }).focus();
      await host.page.keyboard.press("Enter");
      await eventually("the keyboard refreshes, too", () => host.called.length === 6);
      await frame.getByText("Stops as a table").click();
      await frame.getByRole("table", { name: /^Stops of the route/ }).waitFor();
      await takePictures(frame, "mcp-container");

      await frame.getByRole("link", { name: "Open page" }).click();
      await eventually("the host opens the page", () => host.opened.length === 1);
      expect(host.opened[0]).toBe(content.page_url);
      const { app, login } = running.system.runtime();
      const visit = await running.browser.visit(app);
      await visit.page.goto(content.page_url);
      await logIn(visit.page, login);
      await visit.page.getByText(number).first().waitFor();
      await visit.close();
      expect(host.visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "filters exceptions by kind, refreshes them and opens the page of a subject",
    async () => {
      const { frame, content } = await showToolResult("list_shipments", { needs_attention: true });
      expect(content.page_url).toBe(`${running.system.runtime().app}/attention`);
      await frame.getByRole("heading", { name: /Needs attention/ }).waitFor();
      const row = frame.getByRole("row", { name: /to BEANR Rolled over/ });
      await row.waitFor();
      await takePictures(frame, "mcp-board");
      await frame.getByRole("button", { name: /^Rollover/ }).click();
      await frame.getByRole("button", { name: /^Rollover/, pressed: true }).waitFor();
      expect(await row.count()).toBe(1);
      await frame.getByRole("button", { name: "Refresh" }).focus();
      await host.page.keyboard.press("Enter");
      await frame
        .getByRole("status")
        .getByText(/^Updated at/)
        .waitFor();
      const before = host.opened.length;
      await row.getByRole("link").click();
      await eventually("the host opens the page", () => host.opened.length === before + 1);
      expect(host.opened.at(-1)).toContain(`${new URL(content.page_url).origin}/shipments/find?q=`);
      expect(host.visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "shipments and counts are tables, and an error is its text",
    async () => {
      const list = await showToolResult("list_shipments", {});
      await list.frame.getByRole("row", { name: /SBXROL000123/ }).waitFor();
      const counts = await showToolResult("list_shipments", { summary: "status" });
      await counts.frame.getByRole("table", { name: "Shipments by value" }).waitFor();
      const input = { id: "NONE0000001" };
      const frame = await host.show("ui://svc/container", {
        input,
        result: await call("get_container", input),
        theme: "light",
      });
      await frame
        .getByRole("alert")
        .getByText(/NONE0000001/)
        .waitFor();
      expect(host.visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );

  test(
    "injections stay text, also where a server would not have cleaned them",
    async () => {
      for (const text of injections) {
        const shipment = {
          bill_of_lading_number: text,
          vessel: text,
          customer: text,
          pod_eta_at: "2026-12-01T10:00:00Z",
        };
        const container = {
          id: text,
          container_number: text,
          current_status: text,
          shipment_id: text,
          equipment: text,
          holds: [{ name: text, status: text, description: text }],
          times: {},
        };
        const event = {
          event: text,
          at: "2026-11-01T10:00:00Z",
          location: text,
          vessel: text,
          terminal: text,
          timezone: text,
        };
        const exception = {
          number: text,
          kind: "hold",
          severity: "critical",
          summary: text,
          cause: text,
          note: text,
          owner: text,
          customer: text,
          opened_at: "2026-11-01T10:00:00Z",
        };
        const results = {
          "ui://svc/container": {
            container,
            shipment,
            transport_events: [event],
            events_total: 1,
            exceptions: [exception],
          },
          "ui://svc/board": { exceptions: [exception], total: 1, page: 1, groups: [{ value: text, count: 1 }] },
        };
        for (const [uri, structuredContent] of Object.entries(results)) {
          const result: CallToolResult = { content: [{ type: "text", text: "" }], structuredContent };
          const frame = await host.show(uri, { input: {}, result, theme: "light" });
          await frame.getByRole("heading", { level: 1 }).waitFor();
          const found = await frame.evaluate(() => ({
            foreign: document.querySelectorAll("main :is(script, img, iframe, object, embed, form, style, link, base)")
              .length,
            handlers: [...document.querySelectorAll("main *")].filter((element) =>
              element.getAttributeNames().some((name) => name.startsWith("on") || name === "style"),
            ).length,
            links: [...document.querySelectorAll("main a")].map((link) => link.getAttribute("href")),
            text: document.querySelector("main")?.textContent ?? "",
          }));
          expect([uri, found.foreign, found.handlers, found.links]).toEqual([uri, 0, 0, []]);
          expect(found.text.replace(/\s+/g, " ")).toContain(text.replace(/\s+/g, " ").trim());
        }
      }
      expect(host.opened.filter((url) => !url.startsWith(running.system.runtime().app))).toEqual([]);
      expect(host.visit.takeProblems()).toEqual([]);
    },
    timeoutMs,
  );
});
