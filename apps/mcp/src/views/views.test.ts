import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { machineEnvironment } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { containerId, startFakeApi } from "../testing/fake-api.ts";
import { startMcp } from "../testing/start-mcp.ts";
import { viewUris } from "./views.ts";

const mimeType = "text/html;profile=mcp-app";
const views = { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: [mimeType] } } };
/** A view is fetched with each conversation. */
const compressedBytesMax = 60_000;

const api = started(startFakeApi);
const mcp = started(() => startMcp(api.baseUrl, { appUrl: "https://tracking.example.com" }));

const token = "svc_test_alpha";
const transports = {
  stdio: () =>
    new StdioClientTransport({
      command: process.execPath,
      args: [fileURLToPath(new URL("../stdio.ts", import.meta.url))],
      env: { ...machineEnvironment(), SVC_API_BASE_URL: api.baseUrl, SVC_API_TOKEN: token },
      stderr: "ignore",
    }),
  http: (readOnly = false) =>
    new StreamableHTTPClientTransport(new URL(readOnly ? "/mcp/readonly" : "/mcp", mcp.url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
};

async function withClient<Result>(
  options: { over: "stdio" | "http"; mode: "legacy" | "auto"; capabilities?: object; readOnly?: boolean },
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { over, mode, capabilities = {}, readOnly } = options;
  const client = new Client({ name: "host", version: "1" }, { capabilities, versionNegotiation: { mode } });
  await client.connect(over === "http" ? transports.http(readOnly) : transports.stdio());
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe.each(["stdio", "http"] as const)("views over %s", (over) => {
  test.each(["legacy", "auto"] as const)("in mode %s, are offered to clients that declare them", async (mode) => {
    const tools = await withClient(
      { over, mode, capabilities: views },
      async (client) => (await client.listTools()).tools,
    );
    const named = tools.filter(({ _meta }) => _meta?.ui).map(({ name, _meta }) => [name, _meta?.ui]);
    expect(named).toEqual([
      ["get_container", { resourceUri: viewUris.container }],
      ["list_shipments", { resourceUri: viewUris.board }],
      ["get_container_map", { resourceUri: viewUris.container, visibility: ["app"] }],
    ]);
    expect(tools).toHaveLength(13);
  });

  test("are not offered to others", async () => {
    const tools = await withClient({ over, mode: "legacy" }, async (client) => (await client.listTools()).tools);
    expect(tools).toHaveLength(12);
    expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
  });

  test("are documents that load nothing, small enough to be fetched with each conversation", async () => {
    await withClient({ over, mode: "auto", capabilities: views }, async (client) => {
      for (const uri of Object.values(viewUris)) {
        const { contents } = await client.readResource({ uri });
        const [view] = contents as readonly { text: string; mimeType: string; _meta: object }[];
        const noDomains = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };
        expect(view).toMatchObject({ uri, mimeType, _meta: { ui: { csp: noDomains } } });
        const text = view?.text ?? "";
        expect(text).toMatch(/^<!doctype html>/);
        expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/|url\(|@import/);
        expect(gzipSync(text).length).toBeLessThanOrEqual(compressedBytesMax);
      }
      await expect(client.readResource({ uri: "ui://svc/other" })).rejects.toThrow("Resource not found");
      expect((await client.listResources()).resources.filter(({ uri }) => uri.startsWith("ui:"))).toEqual([]);
    });
  });
});

test.each([
  ["legacy", { elicitation: {} }],
  ["auto", { elicitation: {} }],
  ["auto", {}],
  ["auto", { extensions: { "io.modelcontextprotocol/ui": { mimeTypes: ["text/plain"] } } }],
] as const)("in mode %s, views are not offered to clients that declare %p", async (mode, capabilities) => {
  const options = { over: "http", mode, capabilities } as const;
  const tools = await withClient(options, async (client) => (await client.listTools()).tools);
  expect(tools).toHaveLength(12);
  expect(tools.filter(({ _meta }) => _meta !== undefined)).toEqual([]);
});

test("a read-only connection has its views, and the client's forms beside them", async () => {
  const capabilities = { ...views, elicitation: {} };
  const names = await withClient({ over: "http", mode: "legacy", capabilities, readOnly: true }, async (client) =>
    (await client.listTools()).tools.map(({ name }) => name),
  );
  expect(names).toContain("get_container_map");
  expect(names).not.toContain("update_shipment");
});

test("the map is GeoJSON, and its absence is a code that the view reads", async () => {
  await withClient({ over: "http", mode: "auto", capabilities: views }, async (client) => {
    const map = await client.callTool({ name: "get_container_map", arguments: { id: containerId } });
    expect(map.structuredContent).toMatchObject({ type: "FeatureCollection" });
    const missing = await client.callTool({ name: "get_container_map", arguments: {} });
    expect(missing).toMatchObject({ isError: true, _meta: { "svc/error": { code: "invalid_arguments" } } });
  });
});

test("every result links to its page where the address of the web application is known", async () => {
  await withClient({ over: "http", mode: "auto" }, async (client) => {
    const calls: readonly [string, Record<string, unknown>, RegExp][] = [
      ["get_container", { id: containerId }, /\/shipments\/[\da-f-]{36}\?container=[\da-f-]{36}$/],
      ["get_container_transport_events", { id: containerId }, /\/containers\/[\da-f-]{36}$/],
      ["list_shipments", { carrier: "MAEU", tag: "a b" }, /\/shipments\?carrier=MAEU&tag=a\+b$/],
      ["list_containers", {}, /\/containers$/],
      ["search_container", { query: "PO 1" }, /\/shipments\/find\?q=PO%201$/],
    ];
    for (const [name, input, path] of calls) {
      const { structuredContent, content } = await client.callTool({ name, arguments: input });
      const { page_url: url } = structuredContent as { page_url: string };
      expect(url).toMatch(path);
      expect(url).toMatch(/^https:\/\/tracking\.example\.com\//);
      expect((content as readonly { text: string }[])[0]?.text).toContain(JSON.stringify(url));
    }
  });
});
