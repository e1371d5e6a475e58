import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { WireServer } from "@svc/sdk/testing";
import { accounts, containerId, startFakeApi } from "../testing/fake-api.ts";
import { startMcp, type TestMcp } from "../testing/start-mcp.ts";

let api: WireServer;
let mcp: TestMcp;

beforeEach(async () => {
  api = await startFakeApi();
  mcp = await startMcp(api.baseUrl);
});
afterEach(async () => {
  await mcp.close();
  await api.close();
});

const request = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, ...(params && { params }) });
const list = request("tools/list");
const call = (name: string, input: object) => request("tools/call", { name, arguments: input });

describe("the endpoint [spec: mcp.endpoint]", () => {
  test.each(["/mcp", "/api/mcp", "/"])(
    "POST %s responds without a session or initialize [spec: mcp.endpoint, mcp.api_path]",
    async (path) => {
      const response = await fetch(mcp.url + path, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "*/*", authorization: "Token svc_test_alpha" },
        body: JSON.stringify(list),
      });
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("mcp-session-id")).toBeNull();
      expect(((await response.json()) as { result: { tools: unknown[] } }).result.tools).toHaveLength(12);
    },
  );

  test.each(["GET", "DELETE", "PUT", "PATCH"])("%s is 405 and names the allowed methods", async (method) => {
    const response = await fetch(`${mcp.url}/mcp`, { method, headers: { authorization: "Bearer svc_test_alpha" } });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: 405 } });
  });

  test("a notification is taken and dropped", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const response = await mcp.post(cancel);
    expect([response.status, await response.text()]).toEqual([202, ""]);
  });

  test.each([
    ["a body that is not JSON", "{", 400, -32700],
    ["an empty body", "", 400, -32700],
    ["a batch", [list], 400, -32600],
    ["JSON that is not JSON-RPC", { hello: 1 }, 400, -32600],
    ["a null id", { ...list, id: null }, 400, -32600],
    ["parameters that are a list", { ...list, params: [1] }, 400, -32600],
    ["a body of more than 256 KB", JSON.stringify({ ...list, params: { x: "x".repeat(300_000) } }), 413, 413],
    ["a malformed initialize", request("initialize", {}), 200, -32602],
    ["an unknown method", request("tools/forget"), 200, -32601],
    ["a cursor", request("tools/list", { cursor: "x" }), 200, -32602],
    ["a call without a name", request("tools/call", {}), 200, -32602],
  ] as const)("%s is refused", async (_name, body, status, code) => {
    const response = await mcp.post(body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: { code: number; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).not.toMatch(/zod|\[\s*\{/i);
  });

  test("an unknown tool is a protocol error that names the existing tools [spec: errors.mcp_unknown_tool]", async () => {
    const response = await mcp.post(call("drop_tables", {}));
    const { error } = (await response.json()) as {
      error: { code: number; message: string; data: { available: string[] } };
    };
    expect(error).toMatchObject({ code: -32602, message: "Unknown tool: drop_tables" });
    expect(error.data.available).toContain("search_container");
  });

  test.each([
    ["application/json", 406],
    ["text/html", 406],
    ["application/json;q=0.9, text/event-stream", 200],
    ["*/*", 200],
  ])("Accept: %s gives %i", async (accept, status) => {
    expect((await mcp.post(list, { accept })).status).toBe(status);
  });

  test.each([
    ["text/plain", 415],
    ["application/json; charset=utf-8", 200],
  ])("Content-Type: %s gives %i", async (type, status) => {
    expect((await mcp.post(list, { "content-type": type })).status).toBe(status);
  });

  test("an unsupported protocol version is refused with those that are", async () => {
    const response = await mcp.post(list, { "mcp-protocol-version": "1999-01-01" });
    expect(response.status).toBe(400);
    const supported = expect.arrayContaining(["2026-07-28", "2025-11-25"]);
    expect(await response.json()).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported, requested: "1999-01-01" } },
    });
    expect((await mcp.post(list, { "mcp-protocol-version": "2025-06-18" })).status).toBe(200);
  });

  test("responds 404 in JSON to other paths, also to those of OAuth [spec: authentication.3]", async () => {
    for (const path of ["/", "/.well-known/oauth-protected-resource", "/mcp/x"]) {
      const response = await fetch(mcp.url + path);
      expect(response.status).toBe(404);
      expect(response.headers.get("content-type")).toBe("application/json");
    }
  });
});

describe("authentication [spec: authentication.2]", () => {
  const post = (authorization: string | undefined, body: object = list) =>
    fetch(`${mcp.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "*/*",
        ...(authorization !== undefined && { authorization }),
      },
      body: JSON.stringify(body),
    });

  test.each(["Bearer svc_test_alpha", "Token svc_test_alpha", "token svc_test_alpha"])(
    "%s is accepted",
    async (header) => {
      expect((await post(header)).status).toBe(200);
    },
  );

  test("responds 401 without an error code when there is neither a header nor a token of the server (RFC 6750)", async () => {
    const response = await post(undefined);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe('Bearer realm="svc-mcp"');
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { code: 401 } });
  });

  test("uses the server's own token when there is no header [spec: mcp.config.SVC_API_TOKEN, authentication.2]", async () => {
    await mcp.close();
    mcp = await startMcp(api.baseUrl, { ownToken: "svc_test_beta" });
    const response = await post(undefined, call("get_container", { id: containerId }));
    expect(await response.text()).toContain(accounts.svc_test_beta);
  });

  test.each(["Basic dXNlcjpwYXNz", "svc_test_alpha", "Bearer", "Bearer a b", ""])(
    "a header that is not understood (%p) is 401 and never the server's own token",
    async (header) => {
      await mcp.close();
      mcp = await startMcp(api.baseUrl, { ownToken: "svc_test_beta" });
      const response = await post(header, call("get_container", { id: containerId }));
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
      expect(api.requests).toHaveLength(0);
    },
  );

  test.each([
    ["a listing", list],
    [
      "initialize",
      request("initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "x", version: "1" },
      }),
    ],
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a tool", call("get_container", { id: containerId })],
    ["a tool with wrong arguments", call("get_container", { id: 1 })],
    ["a prompt", request("prompts/get", { name: "check-demurrage", arguments: { container_id: containerId } })],
  ])("a token that the API refuses is 401 for %s [spec: errors.401]", async (_name, body) => {
    const response = await post("Bearer svc_test_wrong", body);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
  });

  test.each([
    ["a listing", list],
    ["a tool", call("get_container", { id: containerId })],
  ])(
    "a token that the API refuses with 429, as one of too many, is 401 for %s [spec: errors.401]",
    async (_name, body) => {
      await api.close();
      api = await startFakeApi(() => ({
        status: 429,
        headers: { "retry-after": "17" },
        body: { errors: [{ code: "rate_limited", source: { header: "Authorization" } }] },
      }));
      await mcp.close();
      mcp = await startMcp(api.baseUrl);
      const response = await post("Bearer svc_test_wrong", body);
      expect(response.status).toBe(401);
      expect(response.headers.get("www-authenticate")).toContain('error="invalid_token"');
    },
  );

  test("listings ask the API about a token once a minute, not each time", async () => {
    for (let index = 0; index < 5; index++) await post("Bearer svc_test_alpha");
    expect(api.requests).toHaveLength(1);
  });

  test("does not accept a token by a response sent before the token was checked", async () => {
    let failing = true;
    await api.close();
    api = await startFakeApi(() => (failing ? { status: 502, body: "<html>" } : undefined));
    await mcp.close();
    mcp = await startMcp(api.baseUrl);
    expect((await post("Bearer svc_test_wrong")).status).toBe(200);
    failing = false;
    expect((await post("Bearer svc_test_wrong")).status).toBe(401);
  });

  test("serves a listing while the API is unavailable; a tool reports it", async () => {
    await api.close();
    expect((await post("Bearer svc_test_alpha")).status).toBe(200);
    const response = await post("Bearer svc_test_alpha", call("get_container", { id: containerId }));
    expect(await response.text()).toContain("upstream_unavailable");
  });
});

describe("limits [spec: limits.1, errors.429]", () => {
  const headers = { "retry-after": "17", ratelimit: '"default";r=0;t=17', "ratelimit-policy": '"default";q=100;w=60' };
  const limited = { status: 429, headers, body: { errors: [{ code: "rate_limited" }] } };

  test.each([
    ["a tool", call("list_shipments", {})],
    ["a resource", request("resources/read", { uri: `svc://container/${containerId}` })],
    [
      "a completion",
      request("completion/complete", {
        ref: { type: "ref/prompt", name: "track-shipment" },
        argument: { name: "carrier", value: "m" },
      }),
    ],
  ])("the API's 429 is this endpoint's 429 with its headers, for %s", async (_name, body) => {
    await api.close();
    api = await startFakeApi(() => limited);
    await mcp.close();
    mcp = await startMcp(api.baseUrl);
    const response = await mcp.post(body);
    expect(response.status).toBe(429);
    expect(Object.fromEntries(response.headers)).toMatchObject(headers);
    expect(await response.json()).toMatchObject({ id: 1, error: { code: 429, data: { retry_after_s: 17 } } });
    // Nothing is repeated inside: the caller decides about waiting.
    expect(api.requests).toHaveLength(1);
  });

  test("passes on the remaining count of the API's limit", async () => {
    await api.close();
    api = await startFakeApi((received) =>
      received.url.startsWith("/v2/shipping_lines")
        ? { headers: { ratelimit: '"default";r=99;t=60' }, body: { data: [] } }
        : undefined,
    );
    await mcp.close();
    mcp = await startMcp(api.baseUrl);
    const response = await mcp.post(call("get_supported_shipping_lines", {}));
    expect(response.headers.get("ratelimit")).toBe('"default";r=99;t=60');
  });
});

describe("Host and Origin", () => {
  const raw = (headers: Record<string, string>, _method = "POST") =>
    mcp.post(list, headers).then((response) => response.status);

  test("accepts only loopback origins and callers without an origin by default", async () => {
    expect(await raw({ origin: "http://localhost:5173" })).toBe(200);
    for (const origin of ["https://evil.example", "null", "http://localhost.evil.example"]) {
      expect(await raw({ origin })).toBe(403);
    }
  });

  test("sends CORS headers to an allowed origin only", async () => {
    await mcp.close();
    mcp = await startMcp(api.baseUrl, { allowedOrigins: ["https://app.example.com"] });
    const preflight = (origin: string) =>
      fetch(`${mcp.url}/mcp`, { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
    const good = await preflight("https://app.example.com");
    expect(good.status).toBe(200);
    expect(good.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    expect(good.headers.get("access-control-allow-headers")).toContain("MCP-Protocol-Version");
    const bad = await preflight("https://evil.example");
    expect([bad.status, bad.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    const response = await mcp.post(list, { origin: "https://app.example.com" });
    expect(response.headers.get("access-control-expose-headers")).toContain("Retry-After");
  });

  test("an unlisted Host is 403, before the token is checked", async () => {
    await mcp.close();
    mcp = await startMcp(api.baseUrl, { allowedHosts: ["mcp.example.com"] });
    const response = await mcp.post(list, { authorization: "Bearer svc_test_wrong" });
    expect(response.status).toBe(403);
    expect(((await response.json()) as { error: { message: string } }).error.message).toContain(
      "SVC_MCP_ALLOWED_HOSTS",
    );
  });
});
