import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createLogger } from "@svc/service-kit";
import express from "express";
import type { CallRecord } from "../http/call-record.ts";
import { mcpRouter } from "../http/mcp-router.ts";
import type { McpRouterOptions } from "../http/mcp-router-options.ts";
import { productSurface } from "../protocol/product-surface.ts";
import { createSubscriptions } from "../subscriptions/subscriptions.ts";

export interface TestMcp {
  readonly url: string;
  readonly records: readonly CallRecord[];
  /** A client of the MCP package, connected with that token; undefined: no Authorization header. */
  connect(token: string | undefined): Promise<Client>;
  /** A bare request, for what no client sends. */
  post(body: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

/** The MCP endpoint over HTTP, in front of the API at that address. */
export async function startMcp(apiBaseUrl: string, options: Partial<McpRouterOptions> = {}): Promise<TestMcp> {
  const records: CallRecord[] = [];
  const surface = productSurface(options.signIn?.appUrl);
  const logger = createLogger({ service: "mcp-test", level: "silent" });
  const subscriptions = createSubscriptions({ serverInfo: surface.serverInfo, everyMs: 50, logger });
  const router = mcpRouter({
    surface,
    subscriptions,
    apiBaseUrl,
    appUrl: options.signIn?.appUrl,
    ownToken: undefined,
    allowedHosts: [],
    allowedOrigins: [],
    invalidTokensPerMinute: 100_000,
    trustedProxyCount: 0,
    logger,
    record: (record) => records.push(record),
    ...options,
  });
  const server = createServer(express().disable("x-powered-by").use(router));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: Client[] = [];
  return {
    url,
    records,
    async connect(token) {
      const client = new Client({ name: "test", version: "1" });
      const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      // biome-ignore lint/suspicious/noExplicitAny: its type does not fit under exactOptionalPropertyTypes.
      const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } }) as any;
      await client.connect(transport);
      clients.push(client);
      return client;
    },
    post(body, headers = {}) {
      return fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          authorization: "Bearer svc_test_alpha",
          ...headers,
        },
        body: typeof body === "string" ? body : JSON.stringify(body),
      });
    },
    async close() {
      await Promise.all(clients.map((client) => client.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
