import { beforeEach, describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { containerId, unknownId } from "../testing/fake-api.ts";
import { startTools } from "../testing/tool-harness.ts";

const tools = started(startTools);
beforeEach(() => tools.overrule(undefined));

describe("errors that a model can fix", () => {
  test.each([
    ["list_shipments", { page_size: 500 }, /page_size must be at most 100, got 500\. Call again with page_size=100\./],
    ["list_shipments", { page: 0 }, /Call again with page=1/],
    ["list_shipments", { status: "lost" }, /status\.0 must be one of pending, awaiting_departure/],
    ["list_shipments", { port: "LA" }, /UN\/LOCODE of five characters/],
    [
      "list_shipments",
      { updated_after: "yesterday" },
      /updated_after must be a date or time such as 2026-01-31, got "yesterday"/,
    ],
    ["get_container", { id: containerId, include: ["everything"] }, /include\.0 must be one of shipment, pod_terminal/],
    ["get_container", {}, /id is required/],
    ["search_container", { query: " " }, /query must not be empty/],
    ["search_container", { query: "x".repeat(65) }, /at most 64 characters/],
    ["track_container", { number: 7 }, /number must be of type string, got 7/],
  ])("%s with %p", async (name, input, expected) => {
    const before = tools.received.length;
    const { text } = await tools.call(name, input);
    expect(text).toMatch(expected);
    expect(tools.received.length).toBe(before);
  });

  test.each(["get_container", "get_shipment_details", "get_container_transport_events"])(
    "%s with an unknown id names the call that finds it, and that call works",
    async (name) => {
      const { error, text } = await tools.call(name, { id: unknownId });
      expect(error).toBe("not_found");
      expect(text).toMatch(/search_container/);
      expect((await tools.call("search_container", { query: "MSKU0000006" })).content.total).toBe(1);
    },
  );

  test("get_container_route without the plan, or without a route, points to the events", async () => {
    for (const id of [containerId, unknownId]) {
      const { error, text } = await tools.call("get_container_route", { id });
      expect(error).toBe(id === containerId ? "feature_not_enabled" : "not_found");
      expect(text).toContain("get_container_transport_events(id)");
    }
  });

  test.each([
    ["a broken connection", "break" as const, "upstream_unavailable"],
    ["500", { status: 500, body: { errors: [{ code: "internal", detail: "secret stack" }] } }, "upstream_unavailable"],
    ["403", { status: 403, body: { errors: [{ code: "forbidden" }] } }, "forbidden"],
    ["400", { status: 400, body: { errors: [{ code: "invalid_parameter", detail: "secret" }] } }, "refused"],
    ["a page that is not JSON", { body: "<html>secret</html>" }, "upstream_unreadable"],
  ])("%s of the API is reported in the server's own words", async (_name, behaviour, code) => {
    tools.overrule(() => behaviour);
    const { error, text } = await tools.call("list_shipments");
    expect(error).toBe(code);
    expect(text).not.toContain("secret");
  });

  test("names the parameter that the API refused, and nothing else of the API's text", async () => {
    const errors = [
      { code: "invalid_parameter", detail: "secret", source: { parameter: "filter[request_number]" } },
      { code: "invalid", detail: "secret", source: { pointer: "/data/attributes/ref_numbers/0" } },
    ];
    tools.overrule(() => ({ status: 400, body: { errors } }));
    const { text } = await tools.call("list_tracking_requests");
    expect(text).toMatch(
      /^refused: The tracking API refused request_number, ref_numbers \(invalid_parameter, invalid\)\. /,
    );
  });

  test("logs a response of an unknown shape, and does not show its text", async () => {
    tools.overrule(() => ({ body: { data: [{ id: "x" }] } }));
    await expect(tools.call("list_shipments")).rejects.toThrow(/Internal error\. Ref [0-9a-f-]{36}/);
  });
});
