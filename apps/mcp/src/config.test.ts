import { expect, test } from "@jest/globals";
import { loadHttpConfig, loadStdioConfig } from "./config.ts";

test("the specification's variables and defaults [spec: mcp.config.*]", () => {
  expect(loadHttpConfig({ SVC_API_TOKEN: "svc_live_x" })).toMatchObject({
    SVC_API_TOKEN: "svc_live_x",
    SVC_API_BASE_URL: "http://localhost:4000/v2",
    SVC_MCP_ALLOWED_HOSTS: [],
    SVC_MCP_ALLOWED_ORIGINS: [],
    SVC_RATE_LIMIT_INVALID_TOKEN: 60,
    SVC_TRUSTED_PROXY_COUNT: 0,
    PORT: 4001,
    HOST: "127.0.0.1",
  });
  expect(
    loadHttpConfig({ SVC_API_TOKEN: "x", SVC_MCP_ALLOWED_HOSTS: " A.example , b.example:8080," }).SVC_MCP_ALLOWED_HOSTS,
  ).toEqual(["a.example", "b.example:8080"]);
});

test("the server over HTTP lends its token only by an explicit opt-in, and on loopback", () => {
  const lending = { SVC_API_TOKEN: "svc_live_x", SVC_MCP_LEND_TOKEN: "true" };
  expect(loadHttpConfig({}).ownToken).toBeUndefined();
  expect(loadHttpConfig({ SVC_API_TOKEN: "svc_live_x" }).ownToken).toBeUndefined();
  expect(loadHttpConfig(lending).ownToken).toBe("svc_live_x");
  expect(() => loadHttpConfig({ ...lending, HOST: "0.0.0.0" })).toThrow("unless HOST is a loopback address");
  expect(() => loadHttpConfig({ SVC_MCP_LEND_TOKEN: "true" })).toThrow(/SVC_API_TOKEN is missing/);
});

test("users sign in by OAuth once the public addresses of both services are known", () => {
  const addresses = { SVC_MCP_URL: "https://mcp.example/mcp/", SVC_APP_URL: "https://app.example" };
  expect(loadHttpConfig(addresses).signIn).toEqual({
    publicUrl: "https://mcp.example/mcp",
    appUrl: "https://app.example",
  });
  const hosts = (more: object) => loadHttpConfig({ ...addresses, ...more }).SVC_MCP_ALLOWED_HOSTS;
  expect(hosts({})).toEqual(["localhost", "127.0.0.1", "[::1]", "mcp.example"]);
  expect(hosts({ SVC_MCP_ALLOWED_HOSTS: "internal.example" })).toEqual(["internal.example", "mcp.example"]);
  expect(loadHttpConfig({ SVC_APP_URL: "https://app.example" }).signIn).toBeUndefined();
  expect(() => loadHttpConfig({ SVC_MCP_URL: "https://mcp.example" })).toThrow("SVC_APP_URL is missing");
});

test("SVC_API_TOKEN is required over stdio", () => {
  expect(() => loadStdioConfig({})).toThrow(/SVC_API_TOKEN is missing/);
});

test("every problem is reported at once, without values", () => {
  const load = () => loadHttpConfig({ SVC_API_BASE_URL: "ftp://secret.example", PORT: "x", SVC_MCP_LEND_TOKEN: "?" });
  for (const name of ["SVC_MCP_LEND_TOKEN", "SVC_API_BASE_URL", "PORT"]) expect(load).toThrow(name);
  expect(load).toThrow(/3 problem/);
  expect(load).not.toThrow(/secret\.example/);
});
