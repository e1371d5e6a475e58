import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { startServiceProcess } from "@svc/testkit";
import type { ApiProcess } from "./api-process.ts";
import { repository } from "./system.ts";

export interface ConnectedMcp {
  readonly client: Client;
  stop(): Promise<void>;
}

/** The MCP server in front of that API, with a client that has the token of the first tenant. */
export async function connectMcp(api: ApiProcess): Promise<ConnectedMcp> {
  const mcp = await startServiceProcess(path.join(repository, "apps/mcp/src/main.ts"), {
    SVC_API_BASE_URL: api.baseUrl,
    LOG_LEVEL: "warn",
  });
  const client = new Client({ name: "e2e", version: "1" });
  const headers = { Authorization: `Bearer ${api.tenants[0].token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", mcp.url), { requestInit: { headers } }));
  return {
    client,
    async stop() {
      await client.close();
      await mcp.stop();
    },
  };
}
