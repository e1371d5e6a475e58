import { createEgressAgent, egressPolicy } from "@svc/egress";
import { webhookNoticeContent } from "@svc/jsonapi";
import {
  checkSecretKey,
  claimSizes,
  connectDatabase,
  createClaimTaker,
  createDatabaseCheck,
  createOutcomeWriter,
  createSecretBox,
  type DeliveryOutcome,
  listen,
  type TakenDelivery,
} from "@svc/persistence";
import { connectQueues, QueueStoreUnsafeError } from "@svc/queue";
import { type Logger, passingTracer, type RunningService, type ServiceContext } from "@svc/service-kit";
import type { WebhookWorkerConfig } from "./config.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDispatcher, queueOfLane } from "./dispatcher.ts";
import { startMaintenance } from "./maintenance.ts";
import { createDeliveryMetrics } from "./metrics.ts";
import { createQueuedClaims } from "./queued-claims.ts";
import { type Relay, startRelay } from "./relay.ts";
import { atMostEvery, repeat } from "./repeat.ts";

/** After a crash the leases end within this time and the first redelivery follows; they are renewed each second. */
const leaseMs = 3_500;
const keepEveryMs = 1_000;
const forgetEveryMs = 200;
const queuedMax = { fast: 1_000, slow: 200 } as const;
const slowEndpointLimit = 10;
/** A failing state is told this often. */
const quietMs = 10_000;
/** Longer than a request may take, so that a deployment cuts none off. */
const stopGraceMs = 10_500;
/** Far above what a statement takes; below it plus the client margin the worker finds out that the server vanished. */
const statementTimeoutMs = 15_000;
const consumerCloseMs = 2_000;

/** Names each of its fields and none is a secret, so they are not searched for one. */
const attemptLogger = (logger: Logger): Logger => logger.child({}, { redact: [] });

function logAttempt(logger: Logger, delivery: TakenDelivery, outcome: DeliveryOutcome): void {
  const { verdict } = outcome;
  logger.info(
    {
      account_id: delivery.accountId,
      webhook_id: delivery.webhookId,
      notification_id: delivery.notificationId,
      event: delivery.event,
      attempt: delivery.attemptNumber,
      outcome: verdict.outcome,
      status: outcome.httpStatus,
      error_class: outcome.errorClass,
      duration_ms: outcome.durationMs,
      next_attempt_in_ms: verdict.outcome === "retry" ? verdict.delayMs : null,
    },
    "delivery.attempted",
  );
}

/** Wires the worker: the relay, the queue's consumers and the sender, over one database. */
export async function startWorker(
  config: WebhookWorkerConfig,
  { logger, metrics, tracer = passingTracer }: ServiceContext,
): Promise<RunningService> {
  const box = createSecretBox(config.SVC_SECRET_KEY);
  const database = connectDatabase({
    url: config.DATABASE_URL,
    maxConnections: config.SVC_WEBHOOK_DATABASE_CONNECTIONS,
    applicationName: "webhook-worker",
    statementTimeoutMs,
    plans: "by_index_in_turn",
    onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
  });
  await checkSecretKey(database.sql, box);
  const queues = connectQueues({
    url: config.SVC_QUEUE_URL,
    prefix: config.SVC_QUEUE_PREFIX,
    onError: atMostEvery(quietMs, (error) => logger.warn({ err: error }, "queue.error")),
  });
  await queues.verify().catch((error: unknown) => {
    if (error instanceof QueueStoreUnsafeError) throw error;
    logger.warn({ err: error }, "queue.unreachable");
  });
  const numbers = createDeliveryMetrics(metrics, database, queues);
  const policy = egressPolicy(config);
  const agent = createEgressAgent(policy);
  const writer = createOutcomeWriter({
    database,
    describeNotice: (notice) => webhookNoticeContent(notice).included,
    onRetry: (error) => logger.warn({ err: error }, "outcomes.retried"),
    onDeactivated({ accountId, webhookId, reason }) {
      numbers.deactivated(reason);
      logger.warn({ account_id: accountId, webhook_id: webhookId, reason }, "webhook.deactivated");
    },
  });
  const queued = createQueuedClaims(database, leaseMs);
  const attemptsLog = attemptLogger(logger);
  const jobs = { fast: config.SVC_WEBHOOK_FAST_JOBS, slow: config.SVC_WEBHOOK_SLOW_JOBS };
  let relay: Relay | undefined;
  const deliverer = createDeliverer({
    agent,
    policy,
    box,
    random: Math.random,
    tracer,
    database,
    taker: createClaimTaker(database.sql, leaseMs),
    writer,
    leaseMs,
    fastAtOnce: jobs.fast * claimSizes.fast,
    onTaken: queued.taken,
    onFreed: () => relay?.freed(),
    onAttempted(delivery, outcome) {
      numbers.attempted(delivery, outcome);
      logAttempt(attemptsLog, delivery, outcome);
    },
    onUnrecorded: ({ notificationId }, error) =>
      logger.error({ err: error, notification_id: notificationId }, "outcome.not_recorded"),
  });
  const dispatcher = createDispatcher({
    database,
    queues,
    deliverer,
    queued,
    directJobs: jobs,
    onRoute(route, error) {
      numbers.routed(route);
      if (route === "queue") logger.info({ route }, "delivery.route_changed");
      else logger.warn({ route, err: error }, "delivery.route_changed");
    },
    onOverdue: (claims) => logger.warn({ claims }, "queue.jobs_overdue"),
  });
  await dispatcher.probe();
  const maintenance = await startMaintenance({
    database,
    logger,
    box,
    retentionDays: config.SVC_WEBHOOK_RETENTION_DAYS,
    backlogLimit: config.SVC_WEBHOOK_BACKLOG_LIMIT,
  });
  const consumers = (["fast", "slow"] as const).map((lane) =>
    queues.consume(queueOfLane[lane], jobs[lane], (job) => deliverer.deliver(job, lane)),
  );
  const running = startRelay({
    database,
    dispatcher,
    queued,
    leaseMs,
    queuedMax,
    webhookLimit: { fast: config.SVC_WEBHOOK_ENDPOINT_LIMIT, slow: slowEndpointLimit },
    onSwept({ queued: onlyQueued, lost }) {
      numbers.swept(onlyQueued, lost);
      logger.warn({ queued: onlyQueued, lost }, "leases.ended");
    },
    onError: atMostEvery(quietMs, (error) => logger.error({ err: error }, "relay.failed")),
  });
  relay = running;
  const listener = listen(database, "svc_webhooks", running.wake);
  const notKept = atMostEvery(quietMs, (error) => logger.warn({ err: error }, "leases.not_renewed"));
  // Apart from each other: while the queue's store is silent the requests under way must keep their leases all the same.
  const keepers = [
    repeat(keepEveryMs, () => deliverer.renew(), notKept),
    repeat(
      keepEveryMs,
      async () => {
        if (await dispatcher.keep()) running.wake();
      },
      notKept,
    ),
    repeat(
      forgetEveryMs,
      async () => {
        const isLong = queued.count("fast") > queuedMax.fast / 2 || queued.count("slow") > queuedMax.slow / 2;
        if (isLong && (await queued.forgetTaken())) running.freed();
      },
      notKept,
    ),
  ];

  return {
    checks: { database: createDatabaseCheck(database), queue: queues.generation },
    async close() {
      await Promise.all([listener.close(), running.stop()]);
      // Jobs that still come are handed back from here on.
      const sent = deliverer.stop(stopGraceMs);
      await Promise.all(consumers.map((consumer) => consumer.close(consumerCloseMs)));
      await sent;
      await Promise.all([...keepers, maintenance].map((keeper) => keeper.stop()));
      await queued.releaseAll();
      await queues.close();
      await agent.destroy();
      await database.close();
    },
  };
}
