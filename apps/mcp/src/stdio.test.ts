import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { machineEnvironment } from "@svc/testkit";
import { started } from "@svc/testkit/started";
import { containerId, startFakeApi } from "./testing/fake-api.ts";

const entry = fileURLToPath(new URL("stdio.ts", import.meta.url));

const api = started(() =>
  startFakeApi((request) =>
    request.url.startsWith("/v2/shipping_lines")
      ? { status: 429, headers: { "retry-after": "7" }, body: { errors: [{ code: "rate_limited" }] } }
      : undefined,
  ),
);

const environment = (token?: string) => ({
  ...machineEnvironment(),
  SVC_API_BASE_URL: api.baseUrl,
  ...(token !== undefined && { SVC_API_TOKEN: token }),
});

function start(token?: string) {
  const child = spawn(process.execPath, [entry], { env: environment(token), stdio: "pipe" });
  let [out, log] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  return { child, out: () => out, log: () => log };
}

describe("stdio [spec: mcp.stdio, service.5]", () => {
  test("serves the same tools, prompts and resources as HTTP", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [entry],
        env: environment("svc_test_alpha"),
        stderr: "ignore",
      }),
    );
    expect((await client.listTools()).tools).toHaveLength(12);
    expect((await client.listPrompts()).prompts).toHaveLength(6);
    const result = await client.callTool({ name: "get_container", arguments: { id: containerId } });
    expect(result.structuredContent).toMatchObject({ container: { container_number: "MSKU0000006" } });
    // Without HTTP there is no status: limits and refusals are results that a model can read.
    expect(await client.callTool({ name: "get_supported_shipping_lines", arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/rate_limited: .*wait 7 s/) }],
      _meta: { "svc/error": { retryable: true, retry_after_s: 7 } },
    });
    await client.close();
  });

  test("stdout carries messages only, the log goes to stderr, and the end of stdin ends the process", async () => {
    const { child, out, log } = start("svc_test_alpha");
    child.stdin.write("this is not JSON\n");
    child.stdin.write('{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n');
    while (!out().includes("\n")) await once(child.stdout, "data");
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
    for (const line of out().trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    expect(log()).toContain("mcp.started");
    expect(log()).not.toContain("svc_test_alpha");
  });

  test("responds to the requests in progress when stdin ends, then ends", async () => {
    const { child, out } = start("svc_test_alpha");
    const call = { name: "get_container", arguments: { id: containerId } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })}\n`);
    child.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n');
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
    const responses = out()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(responses.map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(responses.find(({ id }) => id === 1).result.structuredContent).toMatchObject({
      container: { container_number: "MSKU0000006" },
    });
  });

  test("without SVC_API_TOKEN it does not start, and says which variable is missing", async () => {
    const { child, out, log } = start();
    expect(await once(child, "exit")).toEqual([1, null]);
    expect(log()).toMatch(/SVC_API_TOKEN is missing/);
    expect(out()).toBe("");
  });
});
