import { alertChannels } from "@svc/domain/alerts";
import { createEgressAgent, egressPolicy } from "@svc/egress";
import { webhookNoticeContent } from "@svc/jsonapi/notifications";
import { checkSecretKey, connectDatabase, createDatabaseCheck, createSecretBox, listen } from "@svc/persistence";
import {
  type AttemptOutcome,
  claimSizes,
  createClaimStarter,
  createOutcomeWriter,
  type DeliveryAttempt,
} from "@svc/persistence/delivery";
import { connectQueues, QueueStoreUnsafeError } from "@svc/queue";
import {
  atMostEvery,
  globalTracer,
  type Logger,
  type RunningService,
  repeat,
  type ServiceContext,
} from "@svc/service-kit";
import { createAlertSender } from "./alerts/send-alert.ts";
import { startAlerts } from "./alerts/start-alerts.ts";
import { createClaimRegistry } from "./claim-registry.ts";
import type { WebhookWorkerConfig } from "./config.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDispatcher, queueOfLane } from "./dispatcher.ts";
import { createMailer } from "./mail/mailer.ts";
import { startMentionMails } from "./mail/start-mention-mails.ts";
import { startSignInMails } from "./mail/start-sign-in-mails.ts";
import { maintenanceEveryMs, repairEveryMs, startMaintenance } from "./maintenance.ts";
import { createDeliveryMetrics } from "./metrics.ts";
import { startRelay } from "./relay.ts";
import { createRelaySignals } from "./relay-signals.ts";

/** After a crash the leases expire within this time and the first redelivery follows. */
const leaseMs = 3_500;
const renewEveryMs = 1_000;
const removeEveryMs = 200;
const queuedMax = { fast: 1_000, slow: 200 } as const;
const slowEndpointLimit = 10;
/** Interval at which a persistent failure is logged. */
const logEveryMs = 10_000;
/** Longer than a request may take, so that a deployment aborts none. */
const stopGraceMs = 10_500;
/**
 * Far above the duration of a statement. The client times out shortly after it, by which the worker detects a server
 * that vanished.
 */
const statementTimeoutMs = 15_000;
const consumerCloseMs = 2_000;
/** Longest time between two steps of a loop: above the timeouts of the few statements and queue commands within one. */
const stallLimitMs = 60_000;
/** Mails and posts of one round time out before. */
const alertStallLimitMs = 180_000;

/** None of its fields is a secret, so they are not scanned for one. */
const attemptLogger = (logger: Logger): Logger => logger.child({}, { redact: [] });

function logAttempt(logger: Logger, delivery: DeliveryAttempt, outcome: AttemptOutcome): void {
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

/** Connects the relay, the consumers of the queue and the deliverer over one database. */
export async function startWorker(
  config: WebhookWorkerConfig,
  { logger, metrics, tracer = globalTracer, watchdog }: ServiceContext,
): Promise<RunningService> {
  const box = createSecretBox(config.SVC_SECRET_KEY);
  const database = connectDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
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
    onError: atMostEvery(logEveryMs, (error) => logger.warn({ err: error }, "queue.error")),
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
  const registry = createClaimRegistry(database, leaseMs);
  const signals = createRelaySignals();
  const attemptsLog = attemptLogger(logger);
  const jobs = { fast: config.SVC_WEBHOOK_FAST_JOBS, slow: config.SVC_WEBHOOK_SLOW_JOBS };
  const deliverer = createDeliverer({
    agent,
    policy,
    box,
    random: Math.random,
    tracer,
    database,
    starter: createClaimStarter(database.sql, leaseMs),
    writer,
    registry,
    signals,
    fastAtOnce: jobs.fast * claimSizes.fast,
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
    registry,
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
    ...(watchdog && {
      watched: {
        maintenance: watchdog.watch("maintenance", maintenanceEveryMs + stallLimitMs),
        repairs: watchdog.watch("repairs", repairEveryMs + stallLimitMs),
      },
    }),
    onRepaired: (deliveries) => {
      numbers.repaired(deliveries);
      signals.due();
    },
  });
  const consumers = (["fast", "slow"] as const).map((lane) =>
    queues.consume(queueOfLane[lane], jobs[lane], (job) => deliverer.deliver(job, lane)),
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
      numbers.reclaimed(queued, inFlight);
      logger.warn({ queued, in_flight: inFlight }, "leases.expired");
    },
    onError: atMostEvery(logEveryMs, (error) => logger.error({ err: error }, "relay.failed")),
  });
  const { SVC_SMTP_URL: smtpUrl, SVC_MAIL_FROM: from } = config;
  const mailer = smtpUrl !== undefined && from !== undefined ? createMailer({ smtpUrl, from }) : null;
  const alertsWatch = watchdog?.watch("alerts", alertStallLimitMs);
  const alerts = startAlerts({
    database,
    sender: createAlertSender({ mailer, appUrl: config.SVC_APP_URL, box, agent, policy }),
    channels: alertChannels.filter((channel) => channel !== "email" || mailer !== null),
    logger,
    onSettled: numbers.alertSettled,
    ...(alertsWatch && { watched: alertsWatch }),
  });
  const mailsWatch = mailer && watchdog?.watch("sign-in mails", alertStallLimitMs);
  const mailOptions = { database, logger, appUrl: config.SVC_APP_URL, ...(mailsWatch && { watched: mailsWatch }) };
  const signInMails = mailer ? [startSignInMails({ ...mailOptions, mailer })] : [];
  const mentionsWatch = mailer && watchdog?.watch("mention mails", alertStallLimitMs);
  const mentionOptions = { database, logger, appUrl: config.SVC_APP_URL };
  const mentionMails = mailer
    ? [startMentionMails({ ...mentionOptions, mailer, ...(mentionsWatch && { watched: mentionsWatch }) })]
    : [];
  const listener = listen(database, "svc_webhooks", signals.due);
  const notRenewed = atMostEvery(logEveryMs, (error) => logger.warn({ err: error }, "leases.not_renewed"));
  const renewQueued = async (): Promise<void> => {
    if (await dispatcher.renew()) signals.due();
  };
  const removeStarted = async (): Promise<void> => {
    const isHalfFull = registry.count("fast") > queuedMax.fast / 2 || registry.count("slow") > queuedMax.slow / 2;
    if (isHalfFull && (await registry.removeStarted())) signals.capacity();
  };
  // Separate loops: requests in flight must keep their leases while the queue's store does not answer.
  const loops = [
    repeat(renewEveryMs, registry.renewInFlight, notRenewed, watchdog?.watch("leases in flight", stallLimitMs)),
    repeat(renewEveryMs, renewQueued, notRenewed, watchdog?.watch("queued leases", stallLimitMs)),
    repeat(removeEveryMs, removeStarted, notRenewed, watchdog?.watch("started claims", stallLimitMs)),
  ];

  return {
    checks: {
      database: createDatabaseCheck(database),
      // Its settings too: after a failover another server has the queue.
      queue: () => queues.verify().then(queues.generation),
    },
    async close() {
      await Promise.all([listener.close(), relay.stop()]);
      // Jobs that still arrive are released from here on.
      const sent = deliverer.stop(stopGraceMs);
      await Promise.all(consumers.map((consumer) => consumer.close(consumerCloseMs)));
      await sent;
      await Promise.all([...loops, maintenance, alerts, ...signInMails, ...mentionMails].map((loop) => loop.stop()));
      mailer?.close();
      await registry.releaseQueued();
      await queues.close();
      await agent.destroy();
      await database.close();
    },
  };
}
