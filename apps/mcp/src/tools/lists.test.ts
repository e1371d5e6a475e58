import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { wireShipment } from "@svc/sdk/testing";
import { containerId, requestId, shipmentId } from "../testing/fake-api.ts";
import { startTools, type ToolHarness } from "../testing/tool-harness.ts";
import { charactersPerToken } from "./define-tool.ts";

let tools: ToolHarness;

beforeAll(async () => {
  tools = await startTools();
});
beforeEach(() => tools.overrule(undefined));
afterAll(() => tools.close());

describe("lists", () => {
  const sent = () => new URL(tools.received.at(-1)?.rawUrl ?? "", "http://x").searchParams;

  test("list_shipments passes every filter on [spec: mcp.tool.list_shipments]", async () => {
    const input = {
      status: "in_transit",
      port: "uslax",
      carrier: "maeu",
      updated_after: "2026-01-31T00:00:00Z",
      page: 2,
      page_size: 10,
    };
    const { content, text } = await tools.call("list_shipments", input);
    expect(Object.fromEntries(sent())).toEqual({
      "filter[status]": "in_transit",
      "filter[port]": "USLAX",
      "filter[carrier]": "MAEU",
      "filter[updated_after]": "2026-01-31T00:00:00Z",
      "page[number]": "2",
      "page[size]": "10",
    });
    expect(content).toMatchObject({ page: 2, page_size: 10, total: 41, next_page: 3 });
    expect(content.items[0]).not.toHaveProperty("container_ids");
    expect(text).toContain("More with page=3");
  });

  test("list_shipments gives container ids when asked", async () => {
    const { content } = await tools.call("list_shipments", { include_containers: true });
    expect(content.items[0].container_ids).toEqual([containerId]);
  });

  test("list_containers passes filters and include on [spec: mcp.tool.list_containers]", async () => {
    const { content } = await tools.call("list_containers", {
      status: "available",
      include: ["shipment", "pod_terminal"],
    });
    expect(Object.fromEntries(sent())).toMatchObject({
      "filter[status]": "available",
      include: "shipment,pod_terminal",
    });
    expect(content.items[0]).toMatchObject({ bill_of_lading_number: "MAEU123456789", pod_terminal: "Pier 400" });
    expect(content).not.toHaveProperty("next_page");
  });

  test("list_tracking_requests passes filters on [spec: mcp.tool.list_tracking_requests]", async () => {
    const filters = {
      request_number: "MAEU1",
      scac: "maeu",
      created_after: "2026-01-01T00:00:00Z",
      created_before: "2026-02-01T00:00:00Z",
    };
    const { content } = await tools.call("list_tracking_requests", {
      status: "created",
      request_type: "bill_of_lading",
      filters,
    });
    expect(Object.fromEntries(sent())).toMatchObject({
      "filter[status]": "created",
      "filter[request_type]": "bill_of_lading",
      "filter[request_number]": "MAEU1",
      "filter[scac]": "MAEU",
      "filter[created_at][start]": "2026-01-01T00:00:00Z",
      "filter[created_at][end]": "2026-02-01T00:00:00Z",
    });
    expect(content.items[0]).toMatchObject({ id: requestId, shipment_id: shipmentId });
  });

  test("an empty list costs at most 80 tokens in either channel", async () => {
    const { text, content } = await tools.call("list_containers", { status: "new" });
    expect(content.items).toEqual([]);
    expect(Math.max(text.length, JSON.stringify(content).length) / charactersPerToken).toBeLessThanOrEqual(80);
  });

  test("the default page costs at most 2,500 tokens in either channel, the largest stays in its budget", async () => {
    const many = Array.from({ length: 50 }, (_, index) =>
      wireShipment({
        id: `0197a1b2-0000-7000-8000-0000000010${String(index).padStart(2, "0")}`,
        refNumbers: Array.from({ length: 100 }, (_, number) => `${"r".repeat(95)}-${number}`),
        containerIds: Array.from({ length: 40 }, () => containerId),
      }),
    );
    const plain = many.map((shipment) => ({
      ...shipment,
      attributes: { ...shipment.attributes, ref_numbers: ["PO-1"] },
    }));
    tools.overrule(() => ({ body: { data: plain.slice(0, 20), meta: { page: { total: 20 } } } }));
    const page = await tools.call("list_shipments");
    expect(Math.max(page.text.length, JSON.stringify(page.content).length) / charactersPerToken).toBeLessThanOrEqual(
      2_500,
    );
    tools.overrule(() => ({ body: { data: many, meta: { page: { total: 50 } } } }));
    const { content } = await tools.call("list_shipments", { page_size: 50, include_containers: true });
    expect(content.items).toHaveLength(50);
    expect(content.omitted).toMatch(/ref_numbers.*all beyond/);
  });
});
