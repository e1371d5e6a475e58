import { describe, expect, test } from "@jest/globals";
import { started } from "@svc/testkit/started";
import { containerId, startFakeApi, unknownId } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";

const api = started(startFakeApi);
const mcp = started(() => startMcp(api.baseUrl));

const version = "2026-07-28";
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
};

interface WireResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: results of many methods.
  readonly body: any;
}

async function send(
  method: string,
  params: object = {},
  headers: Record<string, string | null> = {},
): Promise<WireResponse> {
  const name = (params as { name?: string; uri?: string }).name ?? (params as { uri?: string }).uri;
  const all = {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null));
  const response = await mcp.post({ jsonrpc: "2.0", id: 1, method, params: { _meta: meta, ...params } }, sent);
  return { status: response.status, body: await response.json() };
}

describe("the revision 2026-07-28", () => {
  test("discover returns what initialize returns in the other revisions", async () => {
    const { status, body } = await send("server/discover");
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: "complete",
      supportedVersions: [version],
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} },
      instructions: expect.stringContaining("search_container"),
      ttlMs: expect.any(Number),
      cacheScope: "public",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "svc-mcp" } },
    });
  });

  test("marks public results as cacheable and account records as private", async () => {
    for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
      expect((await send(method)).body.result).toMatchObject({ cacheScope: "public", ttlMs: 3_600_000 });
    }
    const glossary = await send("resources/read", { uri: "svc://docs/milestone-glossary" });
    expect(glossary.body.result).toMatchObject({ cacheScope: "public" });
    const container = await send("resources/read", { uri: `svc://container/${containerId}` });
    expect(container.body.result).toMatchObject({ cacheScope: "private", ttlMs: 0 });
  });

  test("a tool is called without initialize, its error's meta stays", async () => {
    const good = await send("tools/call", { name: "get_container", arguments: { id: containerId } });
    expect(good.body.result).toMatchObject({
      resultType: "complete",
      structuredContent: { container: { id: containerId } },
    });
    const bad = await send("tools/call", { name: "get_container", arguments: { id: unknownId } });
    expect(bad.body.result).toMatchObject({ isError: true, _meta: { "svc/error": { code: "not_found" } } });
  });

  test.each(["initialize", "ping", "logging/setLevel", "resources/subscribe"])("%s is 404", async (method) => {
    expect(await send(method)).toMatchObject({ status: 404, body: { error: { code: -32601 } } });
  });

  test("an unknown resource has the code of invalid parameters", async () => {
    const uri = `svc://container/${unknownId}`;
    expect(await send("resources/read", { uri })).toMatchObject({
      status: 200,
      body: { error: { code: -32602, data: { uri } } },
    });
  });

  test.each([
    ["a missing version", { "mcp-protocol-version": null }, -32020],
    ["another version in the header", { "mcp-protocol-version": "2025-11-25" }, -32020],
    ["a missing method", { "mcp-method": null }, -32020],
    ["another method", { "mcp-method": "tools/list" }, -32020],
    ["a missing name", { "mcp-name": null }, -32020],
    ["another name", { "mcp-name": "track_container" }, -32020],
  ])("%s in the headers is refused before anything is done", async (_name, headers, code) => {
    const before = api.requests.length;
    const response = await send("tools/call", { name: "list_shipments", arguments: {} }, headers);
    expect(response).toMatchObject({ status: 400, body: { id: 1, error: { code } } });
    expect(api.requests.length).toBe(before);
  });

  test("a name may be encoded", async () => {
    const encoded = `=?base64?${Buffer.from("list_shipments").toString("base64")}?=`;
    const { status } = await send("tools/call", { name: "list_shipments", arguments: {} }, { "mcp-name": encoded });
    expect(status).toBe(200);
  });

  test("distinguishes missing members of _meta from unknown versions", async () => {
    expect(await send("tools/list", { _meta: {} })).toMatchObject({ status: 400, body: { error: { code: -32602 } } });
    const later = { ...meta, "io.modelcontextprotocol/protocolVersion": "2027-01-01" };
    expect(await send("tools/list", { _meta: later }, { "mcp-protocol-version": "2027-01-01" })).toMatchObject({
      status: 400,
      body: {
        error: { code: -32022, data: { requested: "2027-01-01", supported: expect.arrayContaining([version]) } },
      },
    });
  });
});
