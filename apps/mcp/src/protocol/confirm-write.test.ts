import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { type CallToolResult, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { wireShipment } from "@svc/sdk/testing";
import { machineEnvironment } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { shipmentId, startFakeApi } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";

const api = started(() =>
  startFakeApi(({ method }) => (method === "PATCH" ? { body: { data: wireShipment() } } : undefined)),
);
const mcp = started(() => startMcp(api.baseUrl));

const update = { name: "update_shipment", arguments: { ids: [shipmentId], add_tags: ["priority"] } };
const written = (from: number) => api.requests.slice(from).filter(({ method }) => method === "PATCH").length;

describe("a write in the revision 2026-07-28", () => {
  const version = "2026-07-28";
  const reserved = "io.modelcontextprotocol/";

  async function call(params: object, elicitation?: object, token = "svc_test_alpha") {
    const clientCapabilities = elicitation === undefined ? {} : { elicitation };
    const _meta = { [`${reserved}protocolVersion`]: version, [`${reserved}clientCapabilities`]: clientCapabilities };
    const { name } = params as { name: string };
    const headers = { "mcp-protocol-version": version, "mcp-method": "tools/call", "mcp-name": name };
    const response = await mcp.post(
      { jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...params, _meta } },
      { ...headers, authorization: `Bearer ${token}` },
    );
    // biome-ignore lint/suspicious/noExplicitAny: results of two kinds, and errors.
    return (await response.json()) as { result: any; error?: { code: number } };
  }

  test("is asked about first, and made once the user has accepted", async () => {
    const before = api.requests.length;
    const { result } = await call(update, {});
    expect(result).toMatchObject({
      resultType: "input_required",
      inputRequests: { confirm: { method: "elicitation/create", params: { mode: "form" } } },
      requestState: expect.any(String),
    });
    expect(result.inputRequests.confirm.params.message).toMatch(/^Change 1 shipment .*add tags priority\?$/);
    expect(written(before)).toBe(0);
    const { requestState } = result;
    const confirmed = { ...update, requestState, inputResponses: { confirm: { action: "accept", content: {} } } };
    expect((await call(confirmed, {})).result).toMatchObject({
      resultType: "complete",
      structuredContent: { results: [{ outcome: "updated" }] },
    });
    expect(written(before)).toBe(1);
  });

  test.each(["decline", "cancel"])("changes nothing after %s", async (action) => {
    const before = api.requests.length;
    const { requestState } = (await call(update, { form: {} })).result;
    const { result } = await call({ ...update, requestState, inputResponses: { confirm: { action } } }, { form: {} });
    expect([result.isError, result._meta["svc/error"].code, written(before)]).toEqual([true, "declined", 0]);
  });

  test("accepts a response only for its own call and caller", async () => {
    const before = api.requests.length;
    const { requestState } = (await call(update, {})).result;
    const inputResponses = { confirm: { action: "accept" } };
    const other = { ...update, arguments: { ...update.arguments, tracking: "stop" } };
    const codes = [
      await call({ ...other, requestState, inputResponses }, {}),
      await call({ ...update, inputResponses }, {}),
      await call({ ...update, requestState: `${requestState}0`, inputResponses }, {}),
      await call({ ...update, requestState, inputResponses }, {}, "svc_test_beta"),
    ].map(({ error }) => error?.code);
    expect([codes, written(before)]).toEqual([[-32602, -32602, -32602, -32602], 0]);
  });

  test("is not asked about with dry_run, wrong arguments, or a client without forms", async () => {
    const dry = { ...update, arguments: { ...update.arguments, dry_run: true } };
    expect((await call(dry, {})).result.structuredContent.results[0].outcome).toBe("would_update");
    expect((await call({ ...update, arguments: {} }, {})).result.isError).toBe(true);
    for (const capability of [undefined, { url: {} }]) {
      expect((await call(update, capability)).result.resultType).toBe("complete");
    }
    expect((await call({ name: "list_shipments", arguments: {} }, {})).result.resultType).toBe("complete");
  });

  test("names what it would track, with values as data", async () => {
    const number = "MAEU612999999";
    const { result } = await call({ name: "track_container", arguments: { number, tags: ["<b>x</b>"] } }, {});
    expect(result.inputRequests.confirm.params.message).toBe(`Start tracking 1 number (${number}), tags "‹b›x‹/b›"?`);
  });
});

describe("a write over stdio", () => {
  const entry = fileURLToPath(new URL("../stdio.ts", import.meta.url));

  async function connect(action: "accept" | "decline" | null) {
    const asked: string[] = [];
    const client = new Client({ name: "test", version: "1" }, { capabilities: action ? { elicitation: {} } : {} });
    if (action) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return action === "accept" ? { action, content: {} } : { action };
      });
    }
    const env = { ...machineEnvironment(), SVC_API_BASE_URL: api.baseUrl, SVC_API_TOKEN: "svc_test_alpha" };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [entry], env, stderr: "ignore" }));
    return { client, asked };
  }

  test.each([
    ["accept", 1, 1],
    ["decline", 1, 0],
    [null, 0, 1],
  ] as const)(
    "with a client that responds %p is confirmed %d times and made %d times",
    async (action, times, writes) => {
      const before = api.requests.length;
      const { client, asked } = await connect(action);
      try {
        const result = (await client.callTool(update)) as CallToolResult;
        expect([result.isError ?? false, asked.length, written(before)]).toEqual([writes === 0, times, writes]);
      } finally {
        await client.close();
      }
    },
  );
});
