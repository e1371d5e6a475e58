import { webhookNoticeContent } from "@svc/jsonapi/notifications";
import { checkSecretKey, createDatabaseCheck, listen } from "@svc/persistence";
import { claimSizes, createClaimStarter, createOutcomeWriter } from "@svc/persistence/delivery";
import {
  globalTracer,
  type RunningService,
  repeat,
  type ServiceContext,
  startWhenReady,
  throttleByCause,
} from "@svc/service-kit";
import { createAttemptLog } from "./attempt-log.ts";
import { createClaimRegistry } from "./claim-registry.ts";
import type { WebhookWorkerConfig } from "./config.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDispatcher, queueByLane } from "./dispatcher.ts";
import { leaseLoops } from "./lease-loops.ts";
import { maintenanceEveryMs, repairEveryMs, startMaintenance } from "./maintenance.ts";
import { startMessageLoops } from "./message-loops.ts";
import { createDeliveryMetrics, type DeliveryMetrics } from "./metrics.ts";
import { startRelay } from "./relay.ts";
import { createRelaySignals } from "./relay-signals.ts";
import { openResources, type WorkerResources } from "./worker-resources.ts";

/** Lease of a claim. After a crash, the leases expire within this time and the first redelivery follows. */
const leaseMs = 3_500;
const queuedMax = { fast: 1_000, slow: 200 } as const;
const slowEndpointLimit = 10;
/** Interval at which a persistent failure is logged. */
const logEveryMs = 10_000;
/** Time for requests in flight at shutdown: longer than one may take, so that a deployment aborts none. */
const stopGraceMs = 10_500;
const consumerCloseMs = 2_000;
/** Longest time between two steps of a loop: above the timeouts of the few statements and queue commands within one. */
const stallLimitMs = 60_000;
/** Mails and posts of one round time out before. */
const alertStallLimitMs = 180_000;

const jobsOf = (config: WebhookWorkerConfig) => ({
  fast: config.SVC_WEBHOOK_FAST_JOBS,
  slow: config.SVC_WEBHOOK_SLOW_JOBS,
});

/** The objects that carry a claim from the relay through the queue to its outcomes. */
function createDelivery(
  config: WebhookWorkerConfig,
  { logger, tracer = globalTracer }: ServiceContext,
  { database, queues, box, agent, policy }: WorkerResources,
  metrics: DeliveryMetrics,
) {
  const jobs = jobsOf(config);
  const registry = createClaimRegistry(database, leaseMs);
  const signals = createRelaySignals();
  const logAttempt = createAttemptLog(logger);
  const writer = createOutcomeWriter({
    database,
    describeNotice: (notice) => webhookNoticeContent(notice).included,
    onRetry: (error) => logger.warn({ err: error }, "outcomes.retried"),
    onDeactivated({ accountId, webhookId, reason }) {
      metrics.deactivated(reason);
      logger.warn({ account_id: accountId, webhook_id: webhookId, reason }, "webhook.deactivated");
    },
  });
  const deliverer = createDeliverer({
    agent,
    policy,
    box,
    tracer,
    database,
    writer,
    registry,
    signals,
    random: Math.random,
    starter: createClaimStarter(database.sql, leaseMs),
    fastConcurrency: jobs.fast * claimSizes.fast,
    onAttempted(delivery, outcome) {
      metrics.attempted(delivery, outcome);
      logAttempt(delivery, outcome);
    },
    onUnrecorded: ({ notificationId }, error) =>
      logger.error({ err: error, notification_id: notificationId }, "outcome.not_recorded"),
  });
  const dispatcher = createDispatcher({
    database,
    queues,
    deliverer,
    registry,
    directJobs: jobs,
    onRoute(route, error) {
      metrics.routed(route);
      if (route === "queue") logger.info({ route }, "delivery.route_changed");
      else logger.warn({ route, err: error }, "delivery.route_changed");
    },
    onOverdue: (claims) => logger.warn({ claims }, "queue.jobs_overdue"),
  });
  return { registry, signals, deliverer, dispatcher };
}

type Delivery = ReturnType<typeof createDelivery>;

/**
 * Starts everything that claims work: the relay, the consumers of the queue, maintenance and messages. Rejects when the
 * secret key is not that of the database.
 */
async function startLoops(
  config: WebhookWorkerConfig,
  { logger, watchdog }: ServiceContext,
  resources: WorkerResources,
  { registry, signals, deliverer, dispatcher, metrics }: Delivery & { readonly metrics: DeliveryMetrics },
) {
  const { database, queues, box } = resources;
  await checkSecretKey(database.sql, box);
  await dispatcher.probe();
  const maintenance = await startMaintenance({
    database,
    logger,
    box,
    retentionDays: config.SVC_WEBHOOK_RETENTION_DAYS,
    backlogLimit: config.SVC_WEBHOOK_BACKLOG_LIMIT,
    ...(watchdog && {
      watched: {
        maintenance: watchdog.watch("maintenance", maintenanceEveryMs + stallLimitMs),
        repairs: watchdog.watch("repairs", repairEveryMs + stallLimitMs),
      },
    }),
    onRepaired: (deliveries) => {
      metrics.repaired(deliveries);
      signals.due();
    },
  });
  const consumers = (["fast", "slow"] as const).map((lane) =>
    queues.consume(queueByLane[lane], jobsOf(config)[lane], (job) => deliverer.deliver(job, lane)),
  );
  const relay = startRelay({
    database,
    dispatcher,
    registry,
    signals,
    leaseMs,
    queuedMax,
    webhookLimit: { fast: config.SVC_WEBHOOK_ENDPOINT_LIMIT, slow: slowEndpointLimit },
    ...(watchdog && { loop: watchdog.watch("relay", stallLimitMs) }),
    onReclaimed({ queued, inFlight }) {
      metrics.reclaimed(queued, inFlight);
      logger.warn({ queued, in_flight: inFlight }, "leases.expired");
    },
    onError: throttleByCause(logEveryMs, (error) => logger.error({ err: error }, "relay.failed")),
  });
  const messages = startMessageLoops(resources, {
    appUrl: config.SVC_APP_URL,
    logger,
    metrics,
    watch: watchdog && ((name) => watchdog.watch(name, alertStallLimitMs)),
  });
  const listener = listen(database, "svc_webhooks", signals.due);
  const notRenewed = throttleByCause(logEveryMs, (error) => logger.warn({ err: error }, "leases.not_renewed"));
  const leases = leaseLoops(registry, dispatcher, signals, queuedMax).map(({ name, everyMs, run }) =>
    repeat(everyMs, run, notRenewed, watchdog?.watch(name, stallLimitMs)),
  );

  return {
    async stop() {
      // These begin nothing more from here on. Their posts end by themselves in the time that deliveries have as well.
      resources.mailer?.abortAfter(stopGraceMs);
      const stopped = [maintenance, ...messages].map((loop) => loop.stop());
      await Promise.all([listener.close(), relay.stop()]);
      // Jobs that still arrive are released from here on.
      const sent = deliverer.stop(stopGraceMs);
      await Promise.all(consumers.map((consumer) => consumer.close(consumerCloseMs)));
      await sent;
      // Until here leases of deliveries in flight are renewed.
      await Promise.all(leases.map((loop) => loop.stop()));
      await registry.releaseQueued();
      await Promise.all(stopped);
    },
  };
}

/** Connects the stores, and starts the loops when the database is migrated. */
export async function startWorker(config: WebhookWorkerConfig, service: ServiceContext): Promise<RunningService> {
  const resources = await openResources(config, service.logger, logEveryMs);
  const { database, queues } = resources;
  const metrics = createDeliveryMetrics(service.metrics, database, queues);
  const delivery = { ...createDelivery(config, service, resources, metrics), metrics };
  const checkDatabase = createDatabaseCheck(database);
  const loops = await startWhenReady(
    checkDatabase,
    () => startLoops(config, service, resources, delivery),
    service.logger,
  );
  return {
    checks: {
      database: checkDatabase,
      // Its settings too: after a failover another server has the queue.
      queue: () => queues.verify().then(queues.generation),
    },
    async close() {
      await loops.stop();
      resources.mailer?.close();
      resources.time.close();
      await queues.close();
      await Promise.all([resources.agent, resources.alertAgent].map((agent) => agent.destroy()));
      await database.close();
    },
  };
}
