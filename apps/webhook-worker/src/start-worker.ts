import { createEgressAgent } from "@svc/egress";
import {
  connectDatabase,
  createOutcomeWriter,
  createSecretBox,
  type DeliveryOutcome,
  listen,
  type TakenDelivery,
} from "@svc/persistence";
import { connectQueues, QueueStoreUnsafeError } from "@svc/queue";
import type { Logger, RunningService, ServiceContext } from "@svc/service-kit";
import type { WebhookWorkerConfig } from "./config.ts";
import { createDeliverer } from "./deliverer.ts";
import { createDispatcher, queueOfLane } from "./dispatcher.ts";
import { createDeliveryMetrics } from "./metrics.ts";
import { createQueuedClaims } from "./queued-claims.ts";
import { type Relay, startRelay } from "./relay.ts";

/** After a crash the leases end within this time and the first redelivery follows; they are renewed each second. */
const leaseMs = 3_500;
const keepEveryMs = 1_000;
const queuedMax = { fast: 1_000, slow: 200 } as const;
const slowEndpointLimit = 2;
const stopGraceMs = 5_000;
const consumerCloseMs = 2_000;

function logAttempt(logger: Logger, delivery: TakenDelivery, outcome: DeliveryOutcome): void {
  const { verdict } = outcome;
  logger.info(
    {
      accountId: delivery.accountId,
      webhookId: delivery.webhookId,
      notificationId: delivery.notificationId,
      event: delivery.event,
      attempt: delivery.attemptNumber,
      outcome: verdict.outcome,
      status: outcome.httpStatus,
      errorClass: outcome.errorClass,
      durationMs: outcome.durationMs,
      nextAttemptInMs: verdict.outcome === "retry" ? verdict.delayMs : null,
    },
    "delivery.attempted",
  );
}

/** Says a failing state once, not each time that it is seen. */
function onceUntilClear(say: (error: unknown) => void): { failed(error: unknown): void; fine(): void } {
  let failing = false;
  return {
    failed(error) {
      if (!failing) say(error);
      failing = true;
    },
    fine() {
      failing = false;
    },
  };
}

/** Wires the worker: the relay, the queue's consumers and the sender, over one database. */
export async function startWorker(
  config: WebhookWorkerConfig,
  { logger, metrics }: ServiceContext,
): Promise<RunningService> {
  const box = createSecretBox(config.SVC_SECRET_KEY);
  const database = connectDatabase({
    url: config.DATABASE_URL,
    maxConnections: config.SVC_WEBHOOK_DATABASE_CONNECTIONS,
    applicationName: "webhook-worker",
    onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
  });
  const queueState = onceUntilClear((error) => logger.warn({ err: error }, "queue.error"));
  const queues = connectQueues({
    url: config.SVC_QUEUE_URL,
    prefix: config.SVC_QUEUE_PREFIX,
    onError: queueState.failed,
  });
  await queues.verify().catch((error: unknown) => {
    if (error instanceof QueueStoreUnsafeError) throw error;
    logger.warn({ err: error }, "queue.unreachable");
  });
  const numbers = createDeliveryMetrics(metrics, database, queues);
  const policy = { allowInsecureTargets: config.SVC_WEBHOOK_ALLOW_INSECURE_TARGETS };
  const agent = createEgressAgent({ ...policy, connectionsPerOrigin: 2 * config.SVC_WEBHOOK_ENDPOINT_LIMIT });
  const writer = createOutcomeWriter({
    database,
    onRetry: (error) => logger.warn({ err: error }, "outcomes.retried"),
    onDeactivated({ accountId, webhookId, reason }) {
      numbers.deactivated(reason);
      logger.warn({ accountId, webhookId, reason }, "webhook.deactivated");
    },
  });
  const queued = createQueuedClaims(database, leaseMs);
  let relay: Relay | undefined;
  const deliverer = createDeliverer({
    agent,
    policy,
    box,
    random: Math.random,
    database,
    writer,
    leaseMs,
    onTaken: queued.forget,
    onFreed: () => relay?.freed(),
    onAttempted(delivery, outcome) {
      numbers.attempted(outcome);
      logAttempt(logger, delivery, outcome);
    },
    onUnrecorded: ({ notificationId }, error) => logger.error({ err: error, notificationId }, "outcome.not_recorded"),
  });
  const jobs = { fast: config.SVC_WEBHOOK_FAST_JOBS, slow: config.SVC_WEBHOOK_SLOW_JOBS };
  const dispatcher = createDispatcher({
    database,
    queues,
    deliverer,
    queued,
    directJobs: jobs,
    onRoute(route, error) {
      numbers.routed(route);
      if (route === "queue") queueState.fine();
      logger.warn({ route, ...(error ? { err: error } : {}) }, "delivery.route_changed");
    },
  });
  await dispatcher.probe();
  const consumers = (["fast", "slow"] as const).map((lane) =>
    queues.consume(queueOfLane[lane], jobs[lane], deliverer.deliver),
  );
  const relayState = onceUntilClear((error) => logger.error({ err: error }, "relay.failed"));
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
    onRound: relayState.fine,
    onError: relayState.failed,
  });
  relay = running;
  const listener = listen(database, "svc_webhooks", running.wake);
  const keeperState = onceUntilClear((error) => logger.warn({ err: error }, "leases.not_renewed"));
  const keep = async (): Promise<void> => {
    try {
      const queuedKept = dispatcher.probe().then(queued.keep);
      await Promise.all([queuedKept, deliverer.renew()]);
      if (await queuedKept) running.wake();
      keeperState.fine();
    } catch (error) {
      keeperState.failed(error);
    }
  };
  let keeping: Promise<void> | undefined;
  const keeper = setInterval(() => {
    keeping ??= keep().finally(() => {
      keeping = undefined;
    });
  }, keepEveryMs);

  return {
    checks: { database: database.ping, queue: queues.generation },
    async close() {
      await Promise.all([listener.close(), running.stop()]);
      // Jobs that still come are handed back from here on.
      const sent = deliverer.stop(stopGraceMs);
      await Promise.all(consumers.map((consumer) => consumer.close(consumerCloseMs)));
      await sent;
      clearInterval(keeper);
      await keeping;
      await queued.releaseAll();
      await queues.close();
      await agent.destroy();
      await database.close();
    },
  };
}
