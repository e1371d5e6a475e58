import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { WireServer } from "@svc/sdk/testing";
import { startFakeApi } from "../testing/fake-api.ts";
import { startMcp, type TestMcp } from "../testing/start-mcp.ts";

let api: WireServer;
let mcp: TestMcp;
const clients: Client[] = [];

beforeAll(async () => {
  api = await startFakeApi();
  mcp = await startMcp(api.baseUrl);
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await mcp.close();
  await api.close();
});

async function connect(path: string, header?: string): Promise<Client> {
  const client = new Client({ name: "read-only", version: "1" });
  const headers = { Authorization: "Bearer svc_test_alpha", ...(header !== undefined && { "X-MCP-Readonly": header }) };
  await client.connect(new StreamableHTTPClientTransport(new URL(path, mcp.url), { requestInit: { headers } }));
  clients.push(client);
  return client;
}

const writers = ["track_container", "update_shipment"];
const listedWriters = async (client: Client) =>
  (await client.listTools()).tools.map(({ name }) => name).filter((name) => writers.includes(name));

describe("a read-only connection", () => {
  test.each([
    ["/mcp/readonly", undefined],
    ["/api/mcp/readonly", undefined],
    ["/mcp/readonly/", "false"],
    ["/mcp", "true"],
    ["/mcp", "1"],
    ["/mcp", "please"],
  ])("%s with the header %p lists no tool that writes, and calls none", async (path, header) => {
    const client = await connect(path, header);
    expect(await listedWriters(client)).toEqual([]);
    const before = api.requests.length;
    const calls = { track_container: { number: "MAEU612999999" }, update_shipment: { ids: ["X"], tracking: "stop" } };
    for (const [name, input] of Object.entries(calls)) {
      const result = (await client.callTool({ name, arguments: input })) as CallToolResult;
      const [block] = result.content;
      expect([result.isError, block?.type === "text" && block.text]).toEqual([
        true,
        expect.stringMatching(/^read_only: .* changed nothing\. .* without the header X-MCP-Readonly\.$/),
      ]);
    }
    expect(api.requests.slice(before).map(({ method }) => method)).not.toContain("POST");
    const found = (await client.callTool({ name: "list_shipments", arguments: {} })) as CallToolResult;
    expect(found.isError).toBeUndefined();
  });

  test.each([undefined, "false", "0"])("/mcp with the header %p is not one", async (header) => {
    expect(await listedWriters(await connect("/mcp", header))).toEqual(writers);
  });

  test("the prompt to track a shipment then asks for nothing that writes", async () => {
    const textOf = async (client: Client) =>
      JSON.stringify(
        await client.getPrompt({ name: "track-shipment", arguments: { container_number: "MSKU0000006" } }),
      );
    expect(await textOf(await connect("/mcp"))).toContain("track_container");
    expect(await textOf(await connect("/mcp/readonly"))).not.toContain("track_container");
  });

  test("its list of tools is not shared by caches that know the address only", async () => {
    const version = "2026-07-28";
    const reserved = "io.modelcontextprotocol/";
    const params = { _meta: { [`${reserved}protocolVersion`]: version, [`${reserved}clientCapabilities`]: {} } };
    const scopeOf = async (headers: Record<string, string>) => {
      const response = await mcp.post(
        { jsonrpc: "2.0", id: 1, method: "tools/list", params },
        { "mcp-protocol-version": version, "mcp-method": "tools/list", ...headers },
      );
      return ((await response.json()) as { result: { cacheScope: string } }).result.cacheScope;
    };
    expect([await scopeOf({}), await scopeOf({ "x-mcp-readonly": "true" })]).toEqual(["public", "private"]);
  });
});

test("an application that signs in at a read-only address is asked to request the scope read alone", async () => {
  const signIn = { publicUrl: "https://mcp.example.com/mcp", appUrl: "https://app.example.com" };
  const offering = await startMcp(api.baseUrl, { signIn });
  try {
    for (const [path, scopes] of [
      ["/mcp/readonly", ["read"]],
      ["/api/mcp/readonly", ["read"]],
      ["/mcp", ["read", "write"]],
    ] as const) {
      const refused = await fetch(`${offering.url}${path}`, { method: "POST" });
      const metadata = `/.well-known/oauth-protected-resource${path}`;
      expect(refused.headers.get("www-authenticate")).toBe(
        `Bearer realm="svc-mcp", resource_metadata="https://mcp.example.com${metadata}", scope="${scopes.join(" ")}"`,
      );
      expect(await (await fetch(`${offering.url}${metadata}`)).json()).toMatchObject({
        resource: `https://mcp.example.com${path}`,
        scopes_supported: scopes,
      });
    }
  } finally {
    await offering.close();
  }
});
