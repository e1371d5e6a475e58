import { runService } from "@svc/service-kit";
import { apiChecks } from "./api/api-checks.ts";
import { loadHttpConfig } from "./config.ts";
import { createCallRecorder } from "./http/call-record.ts";
import { mcpRouter } from "./http/mcp-router.ts";
import { productSurface } from "./protocol/product-surface.ts";
import { createSubscriptions, pollEveryMs } from "./subscriptions/subscriptions.ts";

await runService({
  name: "mcp",
  loadConfig: loadHttpConfig,
  async start(config, { logger, metrics, tracer }) {
    const surface = productSurface(config.SVC_APP_URL);
    const subscriptions = createSubscriptions({ serverInfo: surface.serverInfo, everyMs: pollEveryMs, logger });
    return {
      handler: mcpRouter({
        surface,
        subscriptions,
        apiBaseUrl: config.SVC_API_BASE_URL,
        appUrl: config.SVC_APP_URL,
        ownToken: config.ownToken,
        signIn: config.signIn,
        allowedHosts: config.SVC_MCP_ALLOWED_HOSTS,
        allowedOrigins: config.SVC_MCP_ALLOWED_ORIGINS,
        invalidTokensPerMinute: config.SVC_RATE_LIMIT_INVALID_TOKEN,
        trustedProxyCount: config.SVC_TRUSTED_PROXY_COUNT,
        logger,
        ...(tracer && { tracer }),
        record: createCallRecorder(logger, metrics),
      }),
      checks: apiChecks(config.SVC_API_BASE_URL, config.ownToken),
      close: async () => subscriptions.close(),
    };
  },
});
