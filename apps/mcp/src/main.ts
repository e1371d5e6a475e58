import { runService } from "@svc/service-kit";
import { loadHttpConfig } from "./config.ts";
import { createCallRecorder } from "./http/call-record.ts";
import { mcpRouter } from "./http/mcp-router.ts";
import { productSurface } from "./protocol/product-surface.ts";

await runService({
  name: "mcp",
  loadConfig: loadHttpConfig,
  async start(config, { logger, metrics }) {
    const health = new URL("/healthz", config.SVC_API_BASE_URL);
    return {
      handler: mcpRouter({
        surface: productSurface,
        apiBaseUrl: config.SVC_API_BASE_URL,
        ownToken: config.ownToken,
        allowedHosts: config.SVC_MCP_ALLOWED_HOSTS,
        allowedOrigins: config.SVC_MCP_ALLOWED_ORIGINS,
        logger,
        record: createCallRecorder(logger, metrics),
      }),
      checks: {
        async api() {
          const response = await fetch(health, { signal: AbortSignal.timeout(2_000) });
          if (!response.ok) throw new Error(`the API's health is ${response.status}`);
        },
      },
      close: async () => undefined,
    };
  },
});
