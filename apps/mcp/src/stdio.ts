import { randomUUID } from "node:crypto";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { ConfigError, createLogger } from "@svc/service-kit";
import { createCaller } from "./api/caller.ts";
import { loadStdioConfig } from "./config.ts";
import { createMcpServer } from "./protocol/create-mcp-server.ts";
import { productSurface } from "./protocol/product-surface.ts";

/**
 * The local transport for development (docs/contract/specification.md, Hosted MCP endpoint): messages on stdin and
 * stdout, the log on stderr.
 */
async function serveStdio(): Promise<void> {
  const config = loadStdioConfig(process.env);
  const logger = createLogger({ service: "mcp-stdio", level: config.LOG_LEVEL, destination: process.stderr });
  const mcp = createMcpServer({
    surface: productSurface,
    callOf: (_requestId, signal, notify) => ({
      caller: createCaller({
        apiBaseUrl: config.SVC_API_BASE_URL,
        token: config.SVC_API_TOKEN,
        transport: "stdio",
        signal,
      }),
      notify,
      ref: randomUUID(),
    }),
    logger,
  });
  mcp.server.onerror = (error) => logger.warn({ err: error }, "mcp.message_ignored");
  await mcp.connect(new StdioServerTransport());
  logger.info("mcp.started");
  // The client owns this process: when it closes the pipe, there is nobody left to answer.
  process.stdin.once("end", () => void mcp.close());
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(0));
}

serveStdio().catch((error: unknown) => {
  const reason = error instanceof ConfigError ? error.message : `mcp cannot start: ${String(error)}`;
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
});
