import { connectDatabase } from "@svc/persistence";
import { runService } from "@svc/service-kit";
import { createWeb } from "@svc/web";
import { loadConfig } from "./config.ts";
import { deepLink } from "./find/find-route.ts";

/** Nobody waits for a page any more by then. */
const statementTimeoutMs = 30_000;

await runService({
  name: "deeplink",
  loadConfig,
  async start(config, { logger, metrics }) {
    const database = connectDatabase({
      url: config.DATABASE_URL,
      plans: "by_index",
      statementTimeoutMs,
      applicationName: "svc-deeplink",
      onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
    });
    const handler = await createWeb({
      database,
      appUrl: config.SVC_APP_URL,
      apiBaseUrl: config.SVC_BASE_URL,
      internalApiBaseUrl: config.SVC_API_BASE_URL ?? config.SVC_BASE_URL,
      mcpUrl: config.SVC_MCP_URL,
      trustedProxyCount: config.SVC_TRUSTED_PROXY_COUNT,
      logger,
      metrics,
      extend: deepLink(database, config.SVC_APP_URL),
    });
    return {
      handler,
      checks: { database: () => Promise.all([database.ping(), database.pingAsTenant()]) },
      close: () => database.close(),
    };
  },
});
