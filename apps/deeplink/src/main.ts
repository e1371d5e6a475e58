import { connectDatabase } from "@svc/persistence";
import { runService } from "@svc/service-kit";
import { loadConfig } from "./config.ts";
import { createDeeplink } from "./create-deeplink.ts";

await runService({
  name: "deeplink",
  loadConfig,
  async start(config, { logger, metrics }) {
    const database = connectDatabase({
      url: config.DATABASE_URL,
      applicationName: "svc-deeplink",
      onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
    });
    const handler = await createDeeplink({
      database,
      appUrl: config.SVC_APP_URL,
      apiBaseUrl: config.SVC_BASE_URL,
      trustedProxyCount: config.SVC_TRUSTED_PROXY_COUNT,
      logger,
      metrics,
    });
    return {
      handler,
      checks: { database: () => Promise.all([database.ping(), database.pingAsTenant()]) },
      close: () => database.close(),
    };
  },
});
