import { randomUUID } from "node:crypto";
import { createDatabaseCheck, type Database, listen } from "@svc/persistence";
import { type RunningService, type ServiceContext, startWhenReady } from "@svc/service-kit";
import { applyNextConnectionChange } from "./claim/apply-connection-changes.ts";
import { detectCarriers } from "./claim/detect-carriers.ts";
import { type PollLoop, startPollLoop } from "./claim/poll-loop.ts";
import type { TrackingWorkerConfig } from "./config.ts";
import { startConnectionTests } from "./connection-tests/start-connection-tests.ts";
import { startMessageLoop } from "./messages/message-loop.ts";
import { periodicLoops } from "./periodic-loops.ts";
import { pollSubject } from "./poll/poll-subject.ts";
import { Semaphore } from "./poll/semaphore.ts";
import {
  messageTransactionConcurrency,
  openDatabase,
  openResources,
  type WorkerResources,
} from "./worker-resources.ts";

const leaseMs = 10_000;
/** The longest step of a loop: several statements that time out, and the longest sleep. */
const stalledAfterMs = 90_000;
const sleepMaxMs = 5_000;
/** An external clock can be advanced at any time. */
const sleepWithClockMaxMs = 500;

/** The loops that claim work of PostgreSQL: subjects, messages, connection tests. */
function startClaimLoops(
  config: TrackingWorkerConfig,
  { context, poller, carriers }: WorkerResources,
  { logger, watchdog }: ServiceContext,
) {
  const owner = `tracking-worker ${randomUUID()}`;
  const watchedAs = (name: string) =>
    watchdog && {
      watched: {
        claims: watchdog.watch(`${name} claims`, stalledAfterMs),
        leases: watchdog.watch(`${name} leases`, stalledAfterMs),
      },
    };
  const polls = startPollLoop({
    sql: context.database.sql,
    clock: context.clock,
    brands: context.brands,
    slots: poller.slots,
    owner,
    leaseMs,
    concurrency: config.SVC_TRACKING_CONCURRENCY,
    carrierConcurrency: config.SVC_TRACKING_CARRIER_CONCURRENCY,
    sleepMaxMs: config.SVC_CLOCK_URL === undefined ? sleepMaxMs : sleepWithClockMaxMs,
    prepare: async () => {
      const isMoreToDetect = await detectCarriers(context, logger);
      return (await applyNextConnectionChange(context)) || isMoreToDetect;
    },
    poll: (claim, signal) => pollSubject(poller, claim, signal),
    logger,
    ...watchedAs("subject"),
  });
  const messages = startMessageLoop({
    context,
    offered: carriers,
    owner,
    leaseMs,
    transactions: new Semaphore(messageTransactionConcurrency),
    logger,
    ...watchedAs("message"),
  });
  const tests = startConnectionTests(poller, watchdog?.watch("connection tests", stalledAfterMs));
  return { polls, messages, tests };
}

/** Starts the loops that claim work, and the periodic ones. */
async function startLoops(config: TrackingWorkerConfig, service: ServiceContext, database: Database) {
  const { logger, watchdog } = service;
  // The clock and the metrics are there before the poll loop.
  let pollLoop: PollLoop | undefined;
  const resources = await openResources(config, service, database, {
    wake: () => pollLoop?.wake(),
    inProgress: () => pollLoop?.inProgress() ?? 0,
  });
  const { polls, messages, tests } = startClaimLoops(config, resources, service);
  pollLoop = polls;
  const periodic = periodicLoops(config, resources, logger, polls.wake).map(({ name, everyMs, stepMs = 0, start }) => {
    const watched = watchdog?.watch(name, everyMs + stepMs + stalledAfterMs);
    return start(watched ? { watched } : {});
  });
  const listener = listen(database, "svc_tracking", () => {
    for (const loop of [polls, messages, tests]) loop.wake();
  });
  const { carriers, terminals } = resources;
  logger.info({ carriers: [...carriers.keys()], terminals: [...terminals.keys()] }, "tracking.started");
  return {
    async stop() {
      await listener.close();
      // All at once: a loop whose step takes long must not let the others begin more, or delay the release of leases.
      await Promise.all([polls, messages, tests, ...periodic].map((loop) => loop.stop()));
      await resources.close();
    },
  };
}

/** Connects the database, and starts the loops when it is migrated. */
export async function startTrackingWorker(
  config: TrackingWorkerConfig,
  service: ServiceContext,
): Promise<RunningService> {
  const database = openDatabase(config, service.logger);
  const checkDatabase = createDatabaseCheck(database);
  const loops = await startWhenReady(checkDatabase, () => startLoops(config, service, database), service.logger);
  return {
    checks: { database: checkDatabase },
    async close() {
      await loops.stop();
      await database.close();
    },
  };
}
