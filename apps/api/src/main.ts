import { type Clock, instant } from "@svc/domain";
import { egressPolicy } from "@svc/egress";
import { checkSecretKey, connectDatabase, createDatabaseCheck, createSecretBox } from "@svc/persistence";
import { connectRedis, type RedisClient } from "@svc/redis";
import { followClock, realTime, runService } from "@svc/service-kit";
import { loadConfig } from "./config.ts";
import { createApi } from "./create-api.ts";
import { purgeExpiredKeys } from "./http/purge-expired-keys.ts";
import { createReplicaReport } from "./replica-report.ts";
import { createSampleSender } from "./webhooks/sample-sender.ts";

/** Far above what a request takes. With it a process recovers within 30 s from a server that vanished. */
const statementTimeoutMs = 10_000;

await runService({
  name: "api",
  loadConfig,
  async start(config, { logger, metrics, tracer }) {
    const time = config.SVC_CLOCK_URL ? await followClock(config.SVC_CLOCK_URL, logger) : realTime;
    const clock: Clock = { now: () => instant(time.nowMs()) };
    const replicaReport = createReplicaReport(metrics, logger);
    const database = connectDatabase({
      url: config.DATABASE_URL,
      directUrl: config.DATABASE_DIRECT_URL,
      ...(config.SVC_DATABASE_READ_URL !== undefined && {
        replica: { url: config.SVC_DATABASE_READ_URL, ...replicaReport },
      }),
      plans: "by_index",
      statementTimeoutMs,
      applicationName: "svc-api",
      onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
    });
    await checkSecretKey(database.sql, createSecretBox(config.SVC_SECRET_KEY));
    const redis = config.REDIS_URL ? connectRateLimitStore(config.REDIS_URL) : undefined;
    const webhookTargets = egressPolicy(config);
    const samples = createSampleSender(webhookTargets);
    const stopping = new AbortController();
    const { handler, services, responseToMalformed, whenIdle } = createApi({
      database,
      ...(redis && { redis }),
      secretKey: config.SVC_SECRET_KEY,
      samples,
      stopping: stopping.signal,
      clock,
      settings: {
        baseUrl: config.SVC_BASE_URL,
        appUrl: config.SVC_APP_URL,
        sendsMail: config.SVC_MAIL_FROM !== undefined,
        webhookEgressIps: config.SVC_WEBHOOK_EGRESS_IPS,
        webhookEgressIpsSince: config.SVC_WEBHOOK_EGRESS_IPS_SINCE,
        webhookTargets,
        webhooksPerAccount: config.SVC_WEBHOOKS_PER_ACCOUNT,
        carrierTestWaitMs: 20_000,
      },
      limits: {
        default: config.SVC_RATE_LIMIT_DEFAULT,
        create_tracking_request: config.SVC_RATE_LIMIT_CREATE_TRACKING_REQUEST,
        infer: config.SVC_RATE_LIMIT_INFER,
        refresh: config.SVC_RATE_LIMIT_REFRESH,
        carrier_test: config.SVC_RATE_LIMIT_CARRIER_TEST,
        push: config.SVC_RATE_LIMIT_PUSH,
        session: config.SVC_RATE_LIMIT_SESSION,
        invalid_token: config.SVC_RATE_LIMIT_INVALID_TOKEN,
      },
      notModifiedPerRequest: config.SVC_RATE_LIMIT_NOT_MODIFIED_PER_REQUEST,
      trustedProxyCount: config.SVC_TRUSTED_PROXY_COUNT,
      logger,
      metrics,
      ...(tracer && { tracer }),
    });
    const tidying = purgeExpiredKeys(services.idempotency, logger);
    return {
      handler,
      responseToMalformed,
      checks: { database: createDatabaseCheck(database), tenantRole: () => database.pingAsTenant() },
      async close() {
        stopping.abort();
        await samples.close();
        await whenIdle();
        await tidying.stop();
        time.close();
        redis?.disconnect();
        await database.close();
      },
    };
  },
});

/**
 * Fails fast: while Redis is down, rate limits are counted in this process. Commands of one turn of the event loop are
 * pipelined into one write, because the write is the largest cost of a limit.
 */
function connectRateLimitStore(url: string): RedisClient {
  const redis = connectRedis(url, {
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    maxRetriesPerRequest: 1,
    commandTimeout: 1_000,
    connectTimeout: 2_000,
    // A Redis that vanished without closing the connection never responds on it: it is replaced.
    socketTimeout: 3_000,
    keepAlive: 5_000,
  });
  // The rate limits log failures of the store, and the client reconnects without a limit of attempts.
  redis.on("error", () => undefined);
  return redis;
}
