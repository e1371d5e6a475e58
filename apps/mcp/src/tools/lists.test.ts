import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { wireContainer, wireShipment, wireTerminal } from "@svc/sdk/testing";
import { containerId, requestId, shipmentId } from "../testing/fake-api.ts";
import { startTools, type ToolHarness } from "../testing/tool-harness.ts";

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
    const { tokens, content } = await tools.call("list_containers", { status: "new" });
    expect(content.items).toEqual([]);
    expect(tokens).toBeLessThanOrEqual(80);
  });
});

describe("what a page costs, with values as long as they are in practice", () => {
  const numbered = (index: number) => String(100_000 + index * 7919).padStart(9, "0");
  const idOf = (kind: string, index: number) =>
    `0197${kind}b2-8f3c-7d4e-9a6b-${(index * 48_271 + 11).toString(16).padStart(12, "c")}`;
  const timesOf = (index: number) => {
    const at = (day: number) =>
      instant(new Date(Date.UTC(2026, 9, day + (index % 20), 7, 35 + (index % 20))).toISOString());
    return { polAtdAt: at(1), podEtaAt: at(20), podAtaAt: at(21) };
  };
  const shipments = (count: number, refNumbers: readonly string[]) =>
    Array.from({ length: count }, (_, index) =>
      wireShipment({
        ...timesOf(index),
        id: idOf("a1", index),
        billOfLadingNumber: `MAEU${numbered(index)}`,
        refNumbers,
        containerIds: Array.from({ length: 3 }, (_, number) => idOf("c3", index * 3 + number)),
      }),
    );
  const containers = (count: number, refNumbers: readonly string[]) =>
    Array.from({ length: count }, (_, index) =>
      wireContainer({
        id: idOf("c3", index),
        shipmentId: idOf("a1", index),
        number: `MSKU${numbered(index).slice(2)}`,
        refNumbers,
      }),
    );
  const requests = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: idOf("d4", index),
      type: "tracking_request",
      attributes: {
        request_type: "bill_of_lading",
        request_number: `MAEU${numbered(index)}`,
        scac: "MAEU",
        status: "created",
        created_at: timesOf(index).polAtdAt,
      },
      relationships: { tracked_object: { data: { id: idOf("a1", index), type: "shipment" } } },
    }));
  const answer = (refNumbers: readonly string[]) =>
    tools.overrule((request) => {
      const url = new URL(request.rawUrl, "http://x");
      const size = Number(url.searchParams.get("page[size]"));
      const data = url.pathname.endsWith("shipments")
        ? shipments(size, refNumbers)
        : url.pathname.endsWith("containers")
          ? containers(size, refNumbers)
          : requests(size);
      const included = [wireTerminal(), ...shipments(size, [])];
      return { body: { data, included, links: { next: "x" }, meta: { page: { total: 4_120, total_is_exact: true } } } };
    });
  const everyRow = {
    list_shipments: { include_containers: true },
    list_containers: { include: ["shipment", "pod_terminal"] },
    list_tracking_requests: {},
  };

  test.each(Object.entries(everyRow))("%s: at most 2,500 tokens by default, 6,000 for any page", async (name, all) => {
    answer(["PO-4500123456", "SO-99-12"]);
    const plain = await tools.call(name);
    expect([plain.content.items.length, plain.content.omitted]).toEqual([15, undefined]);
    expect(plain.tokens).toBeLessThanOrEqual(2_500);
    // And what is asked for in addition is there as well, in fewer rows when it costs much.
    const more = await tools.call(name, all);
    expect([more.content.items.length, more.content.omitted]).toEqual([name === "list_shipments" ? 10 : 15, undefined]);
    expect(more.tokens).toBeLessThanOrEqual(2_500);
    const largest = await tools.call(name, { ...all, page_size: 40 });
    expect(largest.content.items).toHaveLength(40);
    expect(largest.tokens).toBeLessThanOrEqual(6_000);
  });

  test("references without measure are cut, and the answer says so", async () => {
    answer(Array.from({ length: 100 }, (_, number) => `${"r4x-".repeat(24)}${number}`));
    const plain = await tools.call("list_shipments");
    expect(plain.tokens).toBeLessThanOrEqual(2_500);
    expect(plain.content.omitted).toMatch(/ref_numbers: all beyond \d/);
    const { content, tokens } = await tools.call("list_shipments", { page_size: 40, include_containers: true });
    expect(content.items).toHaveLength(40);
    expect(tokens).toBeLessThanOrEqual(6_000);
  });
});
