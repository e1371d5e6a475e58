import { createEgressAgent, type EgressAgent, type EgressPolicy, egressPolicy } from "@svc/egress";
import { connectDatabase, createSecretBox, type Database, type SecretBox } from "@svc/persistence";
import { connectQueues, QueueStoreUnsafeError, type Queues } from "@svc/queue";
import { followClock, type Logger, realTime, type TimeSource, throttleByCause } from "@svc/service-kit";
import type { WebhookWorkerConfig } from "./config.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";

/**
 * Far above the duration of a statement. The client times out shortly after it, by which the worker detects a server
 * that vanished.
 */
const statementTimeoutMs = 15_000;

export interface WorkerResources {
  readonly box: SecretBox;
  readonly database: Database;
  readonly queues: Queues;
  readonly policy: EgressPolicy;
  /** Of the deliveries, which destroys it at shutdown. */
  readonly agent: EgressAgent;
  /** Of the alerts to channels. */
  readonly alertAgent: EgressAgent;
  /** The tracking clock. */
  readonly time: TimeSource;
  /** Null without a mail server: no e-mail is sent. */
  readonly mailer: Mailer | null;
}

/** Connects the stores. Rejects when the queue could lose jobs. */
export async function openResources(
  config: WebhookWorkerConfig,
  logger: Logger,
  logEveryMs: number,
): Promise<WorkerResources> {
  const time = config.SVC_CLOCK_URL === undefined ? realTime : await followClock(config.SVC_CLOCK_URL, logger);
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
  const queues = connectQueues({
    url: config.SVC_QUEUE_URL,
    prefix: config.SVC_QUEUE_PREFIX,
    onError: throttleByCause(logEveryMs, (error) => logger.warn({ err: error }, "queue.failed")),
  });
  await queues.verify().catch((error: unknown) => {
    if (error instanceof QueueStoreUnsafeError) throw error;
    logger.warn({ err: error }, "queue.unreachable");
  });
  const { SVC_SMTP_URL: smtpUrl, SVC_MAIL_FROM: from } = config;
  const mailer = smtpUrl !== undefined && from !== undefined ? createMailer({ smtpUrl, from }) : null;
  const policy = egressPolicy(config);
  const [agent, alertAgent] = [createEgressAgent(policy), createEgressAgent(policy)];
  return { box, database, queues, time, policy, agent, alertAgent, mailer };
}
