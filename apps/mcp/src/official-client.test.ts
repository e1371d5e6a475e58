import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { wireShipment } from "@svc/sdk/testing";
import { machineEnvironment } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { containerId, shipmentId, startFakeApi } from "./testing/fake-api.ts";
import { startMcp } from "./testing/start-mcp.ts";

const api = started(() =>
  startFakeApi(({ method }) => (method === "PATCH" ? { body: { data: wireShipment() } } : undefined)),
);
const mcp = started(() => startMcp(api.baseUrl, { signIn: { publicUrl: "http://localhost:4001", appUrl } }));

const token = "svc_test_alpha";
const appUrl = "https://tracking.example.com";
const transports = {
  stdio: () => {
    const entry = fileURLToPath(new URL("stdio.ts", import.meta.url));
    const env = {
      ...machineEnvironment(),
      SVC_API_BASE_URL: api.baseUrl,
      SVC_API_TOKEN: token,
      SVC_APP_URL: appUrl,
    };
    return new StdioClientTransport({ command: process.execPath, args: [entry], env, stderr: "ignore" });
  },
  http: () =>
    new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
};
type Action = "accept" | "decline" | "fail";

async function connect(over: keyof typeof transports, mode: "legacy" | "auto" | { pin: string }, action?: Action) {
  const asked: string[] = [];
  const capabilities = action ? { elicitation: {} } : {};
  const client = new Client({ name: "official", version: "2" }, { capabilities, versionNegotiation: { mode } });
  if (action) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      if (action === "fail") throw new Error("There is no window.");
      return action === "accept" ? { action, content: {} } : { action };
    });
  }
  await client.connect(transports[over]());
  return { client, asked };
}

describe.each(["stdio", "http"] as const)("the official client of the second generation over %s", (over) => {
  test.each(["legacy", "auto"] as const)("in mode %p it shows an icon of the size it names", async (mode) => {
    const { client } = await connect(over, mode);
    const [icon] = client.getServerVersion()?.icons ?? [];
    await client.close();
    const [, data = ""] = /^data:image\/png;base64,(.+)$/.exec(icon?.src ?? "") ?? [];
    const png = Buffer.from(data, "base64");
    expect(png.toString("latin1", 1, 4)).toBe("PNG");
    expect(icon).toMatchObject({ mimeType: "image/png", sizes: [`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`] });
  });

  test.each([
    ["legacy", "2025-11-25"],
    ["auto", "2026-07-28"],
    [{ pin: "2026-07-28" }, "2026-07-28"],
  ] as const)("in mode %p it speaks %s, lists, reads and calls", async (mode, revision) => {
    const { client } = await connect(over, mode);
    try {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()).toMatchObject({ name: "svc-mcp", websiteUrl: appUrl });
      expect((await client.listTools()).tools).toHaveLength(12);
      expect((await client.listPrompts()).prompts).toHaveLength(6);
      const { contents } = await client.readResource({ uri: `svc://container/${containerId}` });
      expect(contents[0]).toMatchObject({ mimeType: "application/json" });
      const result = await client.callTool({ name: "get_container", arguments: { id: containerId } });
      expect(result.structuredContent).toMatchObject({ container: { container_number: "MSKU0000006" } });
      await expect(client.callTool({ name: "drop_tables", arguments: {} })).rejects.toMatchObject({ code: -32602 });
      await expect(client.readResource({ uri: "svc://docs/other" })).rejects.toMatchObject({ code: -32602 });
    } finally {
      await client.close();
    }
  });
});

const confirmed = [
  ["stdio", "legacy"],
  ["stdio", "auto"],
  ["http", "legacy"],
  ["http", "auto"],
] as const;

describe.each(confirmed)("a change over %s in the era %s", (over, mode) => {
  test.each([
    ["accept", 1, undefined],
    ["decline", 0, /^declined: The user did not confirm/],
    ["fail", 0, /There is no window|^declined: The client did not put the question to its user/],
  ] as const)("that the user is asked about, with the outcome %p, is made %d times", async (action, writes, text) => {
    const before = api.requests.length;
    const { client, asked } = await connect(over, mode, action);
    try {
      const update = { name: "update_shipment", arguments: { ids: [shipmentId], add_tags: ["priority"] } };
      // In 2026-07-28 the client asks by itself, so its own failure does not reach the server.
      const result = await client.callTool(update).catch((error: Error) => ({ content: [{ text: error.message }] }));
      if (text) expect(result).toMatchObject({ content: [{ text: expect.stringMatching(text) }] });
      expect(asked).toHaveLength(1);
      expect(api.requests.slice(before).filter(({ method }) => method === "PATCH")).toHaveLength(writes);
    } finally {
      await client.close();
    }
  });
});
