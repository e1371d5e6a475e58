import { beforeEach, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { requestId, shipmentId, unknownId } from "../testing/fake-api.ts";
import { startTools } from "../testing/tool-harness.ts";

const tools = started(startTools);

const stoppedShipment = {
  entity_type: "shipment",
  number: "MAEU999000",
  other_numbers: [],
  scac: "MAEU",
  ref_numbers: [],
  tracking_stopped: true,
};
beforeEach(() => tools.overrule(undefined));

describe("search_container", () => {
  test("resolves in the order of a web deep link [spec: mcp.tool.search_container]", async () => {
    expect((await tools.call("search_container", { query: "mskU 000000-6" })).content.matches).toEqual([
      expect.objectContaining({ match: "container_exact", container_number: "MSKU0000006" }),
    ]);
    expect((await tools.call("search_container", { query: "MAEU123456789" })).content.matches[0].match).toBe(
      "shipment_exact",
    );
    expect((await tools.call("search_container", { query: "po-1" })).content.matches[0].match).toBe("reference");
    expect((await tools.call("search_container", { query: "MSKU" })).content.matches[0].match).toBe(
      "container_partial",
    );
  });

  test("names the next call when nothing matches", async () => {
    const { text, content } = await tools.call("search_container", { query: "NONE0000000" });
    expect(content).toMatchObject({ matches: [], total: 0, truncated: false });
    expect(text).toContain("track_container(number=NONE0000000)");
  });

  test("the name of a port returns its UN/LOCODE", async () => {
    const port = { id: "p", type: "port", attributes: { code: "USLGB", name: "Long Beach" } };
    tools.overrule(({ url }) =>
      /\/ports\?search=Long(?:\+|%20)Beach$/.test(url) ? { body: { data: [port] } } : undefined,
    );
    expect((await tools.call("search_container", { query: "Long Beach" })).text).toContain("port=USLGB");
    tools.overrule(undefined);
  });

  test.each(["acme", "Long Beach", "!!"])("%p is no number, so tracking it is not advised", async (query) => {
    const { text } = await tools.call("search_container", { query });
    expect(text).toContain("is not a container, bill of lading or booking number");
    expect(text).not.toContain("track_container");
  });

  test("a wrong check digit is named, with the right one", async () => {
    const { text } = await tools.call("search_container", { query: "MSKU0000007" });
    expect(text).toMatch(/check digit of MSKU0000007 is wrong: MSKU000000 ends in 6/);
    const tracked = await tools.call("track_container", { number: "MSKU0000007" });
    expect([tracked.error, tracked.text]).toEqual([
      "check_digit_wrong",
      expect.stringContaining("numberType=container"),
    ]);
  });

  test("finds an exact container among more matches than the API gives", async () => {
    const partial = {
      id: unknownId,
      type: "search_result",
      attributes: { entity_type: "shipment", number: "XMSKU0000006X", other_numbers: [], scac: null, ref_numbers: [] },
    };
    tools.overrule(({ url }) =>
      url.startsWith("/v2/search") ? { body: { data: Array(25).fill(partial) } } : undefined,
    );
    const { content } = await tools.call("search_container", { query: "MSKU0000006" });
    expect(content.matches[0]).toMatchObject({ match: "container_exact", container_number: "MSKU0000006" });
    expect(content).toMatchObject({ truncated: true });
    expect(content.matches).toHaveLength(10);
  });
});

describe("search_container for what is not tracked", () => {
  test("identifies a number without tracking it: its kind, its carrier and whether that is connected", async () => {
    const { content } = await tools.call("search_container", { query: "MAEU777000" });
    expect(content.identified).toEqual({
      number_type: "bill_of_lading",
      lines: [{ scac: "MAEU", connection: "service" }],
    });
  });

  test("returns the search result when detection is rate limited", async () => {
    tools.overrule(({ method }) =>
      method === "POST" ? { status: 429, headers: { "Retry-After": "30" }, body: { errors: [] } } : undefined,
    );
    const { content, error } = await tools.call("search_container", { query: "MAEU777000" });
    expect([error, content.matches, content.identified]).toEqual([undefined, [], undefined]);
  });

  test("names the lines that it may be of, and identifies no words and no number with a wrong check digit", async () => {
    const { content } = await tools.call("search_container", { query: "ZZ777000" });
    expect(content.identified).toEqual({
      number_type: "bill_of_lading",
      lines: [{ scac: "MAEU", connection: "service" }],
    });
    for (const query of ["Long Beach", "MSCU1234567"]) {
      expect((await tools.call("search_container", { query })).content).not.toHaveProperty("identified");
    }
  });
});

describe("track_container", () => {
  test("returns what is already tracked without a write", async () => {
    const { content } = await tools.call("track_container", { number: "MSKU 000000 6" });
    expect(content).toMatchObject({
      created: false,
      container: { container_number: "MSKU0000006" },
      shipment: { id: shipmentId },
    });
    expect(tools.received.some(({ method, url }) => method === "POST" && url === "/v2/tracking_requests")).toBe(false);
  });

  test.each(["123456789", "KST 2048"])("knows a tracked shipment by %s, too", async (number) => {
    const { content } = await tools.call("track_container", { number });
    expect(content).toMatchObject({ created: false, shipment: { bill_of_lading_number: "MAEU123456789" } });
    expect((await tools.call("get_shipment_details", { id: number })).content.shipment.id).toBe(shipmentId);
  });

  test("requests a number again when its tracking has ended, unless another record of it is tracked", async () => {
    const stopped = { id: unknownId, type: "search_result", attributes: stoppedShipment };
    const active = { ...stopped, id: shipmentId, attributes: { ...stoppedShipment, tracking_stopped: false } };
    const track = (data: readonly object[]) => {
      tools.overrule(({ url }) => (url.startsWith("/v2/search") ? { body: { data } } : undefined));
      return tools.call("track_container", { number: "MAEU999000" });
    };
    const { content, text } = await track([stopped]);
    expect(content).toMatchObject({ created: true, tracking_request: { status: "pending" } });
    expect(text).toContain("It was tracked before, until that tracking ended.");
    expect((await track([stopped, active])).content).toMatchObject({ created: false, shipment: { id: shipmentId } });
  });

  test("starts tracking with the carrier that is inferred, not with the container's owner [spec: mcp.tool.track_container]", async () => {
    const { content, text } = await tools.call("track_container", {
      number: "MAEU999000",
      refNumbers: ["PO-9", "PO-9"],
    });
    expect(content).toMatchObject({ created: true, tracking_request: { scac: "MAEU", status: "pending" } });
    expect(text).toContain("search_container(query=MAEU999000)");
    const posted = tools.received.findLast(({ method, url }) => method === "POST" && url === "/v2/tracking_requests");
    expect(posted?.body).toEqual({
      data: {
        type: "tracking_request",
        attributes: {
          request_type: "bill_of_lading",
          request_number: "MAEU999000",
          scac: "MAEU",
          ref_numbers: ["PO-9"],
        },
      },
    });
    expect(posted?.headers["idempotency-key"]).toMatch(/./);
  });

  test("returns the existing request for a duplicate", async () => {
    const { content } = await tools.call("track_container", {
      number: "MAEUPENDING",
      scac: "MAEU",
      numberType: "bill_of_lading",
    });
    expect(content).toMatchObject({ created: false, tracking_request: { id: requestId } });
  });

  test("an unclear carrier lists candidates, and the call that the error names succeeds", async () => {
    const { error, text } = await tools.call("track_container", { number: "ZZ123456" });
    expect(error).toBe("carrier_unclear");
    const scac = /scac=([A-Z]{4})/.exec(text)?.[1];
    expect((await tools.call("track_container", { number: "ZZ123456", scac })).content.created).toBe(true);
  });

  test("a carrier that cannot be tracked names where to find one", async () => {
    const { error, text } = await tools.call("track_container", { number: "ZZ123456", scac: "xxxx" });
    expect(error).toBe("carrier_not_supported");
    expect(text).toContain("get_supported_shipping_lines");
  });
});
