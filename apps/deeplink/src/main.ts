import { instant } from "@svc/domain";
import { createEgressFetch } from "@svc/egress";
import { checkSecretKey, connectDatabase, createDatabaseCheck, createSecretBox } from "@svc/persistence";
import { followClock, realTime, runService } from "@svc/service-kit";
import { createWeb } from "@svc/web";
import { loadConfig } from "./config.ts";
import { deepLink } from "./find/find-route.ts";

/** Far above what a request takes. With it a process recovers within 30 s from a server that vanished. */
const statementTimeoutMs = 10_000;

await runService({
  name: "deeplink",
  loadConfig,
  async start(config, { logger, metrics }) {
    const time = config.SVC_CLOCK_URL ? await followClock(config.SVC_CLOCK_URL, logger) : realTime;
    const database = connectDatabase({
      url: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      plans: "by_index",
      statementTimeoutMs,
      applicationName: "svc-deeplink",
      onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
    });
    if (config.SVC_SECRET_KEY !== undefined) await checkSecretKey(database.sql, createSecretBox(config.SVC_SECRET_KEY));
    const documents = createEgressFetch({
      allowInsecureTargets: false,
      allowed: config.SVC_EGRESS_ALLOW,
      denied: config.SVC_EGRESS_DENY,
    });
    const stopping = new AbortController();
    const handler = createWeb({
      database,
      appUrl: config.SVC_APP_URL,
      apiBaseUrl: config.SVC_BASE_URL,
      internalApiBaseUrl: config.SVC_API_BASE_URL ?? config.SVC_BASE_URL,
      mcpUrl: config.SVC_MCP_URL,
      clock: { now: () => instant(time.nowMs()) },
      trustedProxyCount: config.SVC_TRUSTED_PROXY_COUNT,
      firstOwner: config.firstOwner,
      documents,
      providers: config.SVC_SIGN_IN_PROVIDERS,
      deniedNetworks: config.SVC_EGRESS_DENY,
      secretKey: config.SVC_SECRET_KEY,
      sendsMail: config.SVC_MAIL_FROM !== undefined,
      caughtMailFolder: config.SVC_CAUGHT_MAIL_DIR,
      stopping: stopping.signal,
      logger,
      metrics,
      extend: deepLink(database, config.SVC_APP_URL, { searchesPerMinute: config.SVC_RATE_LIMIT_SEARCH }),
    });
    return {
      handler,
      checks: { database: createDatabaseCheck(database), tenantRole: () => database.pingAsTenant() },
      async close() {
        stopping.abort();
        time.close();
        await documents.destroy();
        await database.close();
      },
    };
  },
});
