import { describe, expect, test } from "@jest/globals";
import { isAllowedHost, isAllowedOrigin } from "./allowlist.ts";

describe("Host [spec: mcp.config.SVC_MCP_ALLOWED_HOSTS]", () => {
  test.each([
    ["localhost:4001", [], true],
    ["127.0.0.1:4001", [], true],
    ["[::1]:4001", [], true],
    ["[::1]", [], true],
    ["evil.example", [], false],
    ["localhost.evil.example", [], false],
    [undefined, [], false],
    ["MCP.example.com", ["mcp.example.com"], true],
    ["mcp.example.com:443", ["mcp.example.com"], true],
    ["mcp.example.com:444", ["mcp.example.com:443"], false],
    ["localhost:4001", ["mcp.example.com"], false],
    ["[2001:db8::1]:4001", ["[2001:db8::1]"], true],
  ] as const)("%p with %p: %p", (host, allowed, expected) => {
    expect(isAllowedHost(host, allowed)).toBe(expected);
  });
});

describe("Origin [spec: mcp.config.SVC_MCP_ALLOWED_ORIGINS]", () => {
  test.each([
    [undefined, [], true],
    ["http://localhost:6274", [], true],
    ["https://app.example.com", [], false],
    ["https://app.example.com", ["https://app.example.com"], true],
    ["http://app.example.com", ["https://app.example.com"], false],
    ["https://app.example.com:8443", ["app.example.com"], true],
    ["https://app.example.com.evil.example", ["app.example.com"], false],
    ["http://localhost@evil.example", [], false],
    ["null", [], false],
    ["file://", [], false],
  ] as const)("%p with %p: %p", (origin, allowed, expected) => {
    expect(isAllowedOrigin(origin, allowed)).toBe(expected);
  });
});
