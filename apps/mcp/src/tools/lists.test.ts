import { beforeEach, describe, expect, test } from "@jest/globals";
import { instant } from "@svc/domain";
import { wireContainerOverview, wireShipmentOverview } from "@svc/sdk/testing";
import { started } from "@svc/testkit/started";
import { shipmentId } from "../testing/fake-api.ts";
import { startTools } from "../testing/tool-harness.ts";

const tools = started(startTools);
beforeEach(() => tools.overrule(undefined));

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
      customer: "Nordic, Inc",
      delayed_by_days: "3",
      stale: "true",
    };
    const { content, text } = await tools.call("list_shipments", input);
    expect(Object.fromEntries(sent())).toEqual({
      "filter[status]": "in_transit",
      "filter[port]": "USLAX",
      "filter[carrier]": "MAEU",
      "filter[updated_after]": "2026-01-31T00:00:00Z",
      "filter[customer]": "Nordic\\, Inc",
      "filter[delayed_by_days]": "3",
      "filter[stale]": "true",
      sort: "-created_at",
      "page[number]": "2",
      "page[size]": "10",
    });
    expect(content).toMatchObject({ page: 2, page_size: 10, total: 41, next_page: 3 });
    expect(content.items[0]).not.toHaveProperty("id");
    expect(text).toContain("More with page=3");
  });

  test("list_shipments gives container numbers, no ids", async () => {
    const { content } = await tools.call("list_shipments", { include_containers: true });
    expect(content.items[0]).toMatchObject({
      container_numbers: ["MSKU0000006"],
      delay_days: 3,
      customer: "Nordic Furniture",
    });
    expect(content).not.toHaveProperty("warning");
  });

  test("list_containers: one status or several, rows with what questions are about [spec: mcp.tool.list_containers]", async () => {
    const { content } = await tools.call("list_containers", { status: "available,grounded", include: ["shipment"] });
    expect(Object.fromEntries(sent())).toMatchObject({ "filter[status]": "available,grounded" });
    expect(content.items[0]).toMatchObject({
      bill_of_lading_number: "MAEU123456789",
      last_free_day: "2026-10-25",
      last_free_day_source: "terminal",
      holds: ["customs"],
      fees: "demurrage 120 USD",
    });
    expect(content).not.toHaveProperty("next_page");
  });

  test.each([
    [null, undefined],
    ["2026-10-25T00:00:00.000Z", "2026-10-25T00:00:00Z"],
  ])("with the inland estimate %s, the actual arrival at the port is no estimate", async (estimate, eta) => {
    const overview = wireShipmentOverview({ shipmentId, number: "MSKU0000006", refNumbers: [] });
    const inland = {
      destination_locode: "USCHI",
      destination_eta_at: estimate,
      pod_ata_at: "2026-10-20T00:00:00.000Z",
    };
    const data = [{ ...overview, attributes: { ...overview.attributes, ...inland } }];
    tools.overrule(({ url }) => (url.startsWith("/v2/shipment_overviews") ? { body: { data, meta: {} } } : undefined));
    const [row] = (await tools.call("list_shipments")).content.items;
    expect([row.eta_at, row.arrived_at]).toEqual([eta, "2026-10-20T00:00:00Z"]);
  });

  test("summary gives counts without rows", async () => {
    const { content } = await tools.call("list_containers", { summary: "status" });
    expect(content).toEqual({ groups: [{ value: "on_ship", count: 3 }], total: 3 });
    expect(Object.fromEntries(sent())).toMatchObject({ group_by: "status" });
  });

  test.each([
    ["tag", 2, "41 shipments: 2 groups by tag."],
    ["customer", 100, "41 shipments: the largest 100 groups by customer."],
    ["customer", 2, "6 shipments: 2 groups by customer."],
  ])(
    "a summary by %s with %d groups has the number of shipments, not the sum of some groups",
    async (by, size, headline) => {
      const data = Array.from({ length: size }, (_, index) => ({
        id: `x${index}`,
        type: "overview_count",
        attributes: { value: `group ${index}`, count: 3 },
      }));
      tools.overrule(({ url }) => (url.startsWith("/v2/shipment_overviews/counts") ? { body: { data } } : undefined));
      const { content, text } = await tools.call("list_shipments", { summary: by });
      expect([content.total, text]).toEqual([Number.parseInt(headline, 10), expect.stringContaining(headline)]);
    },
  );

  test("an unknown argument is named in a warning, the others count", async () => {
    const { content, text } = await tools.call("list_containers", { state: "x", port: "USLAX" });
    expect(content.warning).toMatch(/^Ignored unknown argument "state"\. Accepted: status, /);
    expect(text).toMatch(/^Ignored unknown argument/);
    expect(Object.fromEntries(sent())).toMatchObject({ "filter[port]": "USLAX" });
  });

  test("page_size up to 100 is accepted and cut to what fits", async () => {
    const { content } = await tools.call("list_shipments", { page_size: 100 });
    expect(content.page_size).toBe(40);
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
    expect(content.items[0]).toMatchObject({ request_number: "MAEU123456789", is_tracked: true });
  });

  test("list_tracking_requests says of which waiting requests the carrier is not connected", async () => {
    tools.overrule(({ url }) => {
      if (url.includes("/shipping_lines")) return { body: { data: [unconnectedCarrier] } };
      return url.includes("/tracking_requests") ? { body: { data: [waitingRequest] } } : undefined;
    });
    const { content, text } = await tools.call("list_tracking_requests");
    expect(content.items[0]).toMatchObject({ scac: "MSCU", is_tracked: false, connection: "none" });
    expect(text).toContain("get_supported_shipping_lines(search=<its scac>)");
  });

  test("an empty list without a filter reports that nothing is tracked; with filters, it suggests fewer", async () => {
    tools.overrule(({ url }) => (url.includes("_overviews") ? { body: { data: [], links: {} } } : undefined));
    expect((await tools.call("list_shipments")).text).toContain("Nothing is tracked yet");
    expect((await tools.call("list_shipments", { has_holds: true })).text).toContain("with fewer of them");
  });

  test("list_changes of one shipment asks for that alone", async () => {
    const before = tools.received.length;
    await tools.call("list_changes", { shipment: "MAEU123456789", fields: "pod_eta_at, pod_ata_at" });
    const [sent] = tools.received.slice(before).filter(({ url }) => url.startsWith("/v2/changes"));
    expect(Object.fromEntries(new URL(sent?.url ?? "", "http://x").searchParams)).toMatchObject({
      "filter[shipment]": shipmentId,
      "filter[field]": "pod_eta_at,pod_ata_at",
    });
  });

  test("an unknown UN/LOCODE names the nearest of the whole directory, inland places too", async () => {
    const place = (type: string, code: string, name: string) => ({ id: code, type, attributes: { code, name } });
    tools.overrule(({ url }) => {
      if (url.includes("_overviews")) return { body: { data: [], links: {} } };
      if (url.endsWith("/ports?search=USCHX")) return { body: { data: [place("port", "USCHS", "Charleston")] } };
      if (url.endsWith("/metro_areas?search=USCHX"))
        return { body: { data: [place("metro_area", "USCHI", "Chicago")] } };
      return undefined;
    });
    const { text } = await tools.call("list_shipments", { port: "USCHX" });
    expect(text).toContain(
      "USCHX is not a UN/LOCODE that is known here. Nearest: USCHI (Chicago), USCHS (Charleston).",
    );
  });

  test("an empty list costs at most 100 tokens in either channel", async () => {
    const { tokens, content } = await tools.call("list_containers", { status: "new" });
    expect(content.items).toEqual([]);
    expect(tokens).toBeLessThanOrEqual(100);
  });
});

const unconnectedCarrier = {
  id: "0197a1b2-0000-7000-8000-000000000201",
  type: "shipping_line",
  attributes: { scac: "MSCU", name: "MSC", short_name: "MSC", alternative_scacs: [], service_connected: false },
};
const waitingRequest = {
  id: "0197a1b2-0000-7000-8000-000000000202",
  type: "tracking_request",
  attributes: {
    request_type: "bill_of_lading",
    request_number: "MEDU1234567",
    scac: "MSCU",
    status: "pending",
    created_at: "2026-10-01T00:00:00.000Z",
  },
  relationships: { tracked_object: { data: null } },
};

describe("token cost of a page with long values", () => {
  const numbered = (index: number) => String(100_000 + index * 7919).padStart(9, "0");
  const idOf = (kind: string, index: number) =>
    `0197${kind}b2-8f3c-7d4e-9a6b-${(index * 48_271 + 11).toString(16).padStart(12, "c")}`;
  const timesOf = (index: number) => {
    const at = (day: number) =>
      instant(new Date(Date.UTC(2026, 9, day + (index % 20), 7, 35 + (index % 20))).toISOString());
    return { polAtdAt: at(1) };
  };
  const textsOf = (index: number, refNumbers: readonly string[]) => ({
    shipmentId: idOf("a1", index),
    number: `MSKU${numbered(index).slice(2)}`,
    refNumbers,
  });
  const shipments = (count: number, refNumbers: readonly string[]) =>
    Array.from({ length: count }, (_, index) => wireShipmentOverview(textsOf(index, refNumbers)));
  const containers = (count: number, refNumbers: readonly string[]) =>
    Array.from({ length: count }, (_, index) => wireContainerOverview(idOf("c3", index), textsOf(index, refNumbers)));
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
  const recordsAt = (path: string, size: number, refNumbers: readonly string[]) => {
    if (path.endsWith("shipment_overviews")) return shipments(size, refNumbers);
    return path.endsWith("container_overviews") ? containers(size, refNumbers) : requests(size);
  };
  const listWith = (refNumbers: readonly string[]) =>
    tools.overrule((request) => {
      const url = new URL(request.rawUrl, "http://x");
      const size = Number(url.searchParams.get("page[size]"));
      const data = recordsAt(url.pathname, size, refNumbers);
      return { body: { data, links: { next: "x" }, meta: { page: { total: 4_120, total_is_exact: true } } } };
    });
  test.each(["list_shipments", "list_containers", "list_tracking_requests"])(
    "%s: at most 2,500 tokens by default, 6,000 for any page",
    async (name) => {
      listWith(["PO-4500123456", "SO-99-12"]);
      const plain = await tools.call(name);
      expect([plain.content.items.length, plain.content.items_omitted]).toEqual([10, undefined]);
      const largest = await tools.call(name, { page_size: 40 });
      expect(largest.content.items.length + (largest.content.items_omitted ?? 0)).toBe(40);
    },
  );

  test("references without measure are cut, and the row says how many there are", async () => {
    listWith(Array.from({ length: 100 }, (_, number) => `${"r4x-".repeat(24)}${number}`));
    const { content } = await tools.call("list_shipments");
    expect(content.items).toHaveLength(10);
    expect(content.items[0].ref_numbers_total).toBe(100);
  });
});
