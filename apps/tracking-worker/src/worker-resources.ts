import { createCarriers, createTerminals } from "@svc/carriers";
import { dayMs, instant } from "@svc/domain";
import { defaultStopThresholds } from "@svc/domain/tracking";
import { checkSecretKey, connectDatabase, createSecretBox, type Database } from "@svc/persistence";
import { registerServiceCarriers } from "@svc/persistence/carrier-connections";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import { followClock, type Logger, realTime, type ServiceContext } from "@svc/service-kit";
import type { TrackingContext } from "./apply/poll-transaction.ts";
import { CarrierAccessGate } from "./carriers/carrier-access-gate.ts";
import { CarrierDirectory } from "./carriers/carrier-directory.ts";
import { CarrierSlots } from "./carriers/carrier-slots.ts";
import { arrivalNoticeDirectory, carriersByBrand, terminalDirectory } from "./carriers/terminal-directory.ts";
import type { TrackingWorkerConfig } from "./config.ts";
import { createMetrics } from "./metrics.ts";
import type { PollerOptions } from "./poll/poll-subject.ts";
import { Semaphore } from "./poll/semaphore.ts";
import { UnchangedPolls } from "./poll/unchanged-polls.ts";

/** Enforced by the server; the client's timeout is a little longer and covers a lost host. */
const statementTimeoutMs = 15_000;
const connections = 14;
export const messageTransactionConcurrency = 3;
/** The loops, their heartbeats, the directory and the exception checks need one connection each. */
const transactionConcurrency = connections - messageTransactionConcurrency - 4;

/** Functions of the poll loop for objects that are created before it. */
export interface PollLoopHooks {
  wake(): void;
  inProgress(): number;
}

export interface WorkerResources {
  readonly context: TrackingContext;
  readonly poller: PollerOptions;
  readonly carriers: ReturnType<typeof createCarriers>;
  readonly terminals: ReturnType<typeof createTerminals>;
  close(): Promise<void>;
}

const rulesOf = (config: TrackingWorkerConfig): Pick<TrackingContext, "requestRules" | "stopThresholds"> => ({
  requestRules: {
    retryLimit: config.SVC_TRACKING_RETRY_LIMIT,
    manifestMs: config.SVC_TRACKING_MANIFEST_DAYS * dayMs,
  },
  stopThresholds: {
    ...defaultStopThresholds,
    arrivalWindowMs: config.SVC_TRACKING_ARRIVAL_WINDOW_DAYS * dayMs,
    fullOutWindowMs: config.SVC_TRACKING_FULL_OUT_WINDOW_DAYS * dayMs,
    noUpdatesMs: config.SVC_TRACKING_NO_UPDATES_WINDOW_DAYS * dayMs,
  },
});

/** Connects the database, which need not respond yet. */
export const openDatabase = (config: TrackingWorkerConfig, logger: Logger): Database =>
  connectDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    plans: "by_index",
    applicationName: "tracking-worker",
    statementTimeoutMs,
    maxConnections: connections,
    onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
  });

/** Follows the clock and connects the carriers. Rejects when a setting does not fit the database. */
export async function openResources(
  config: TrackingWorkerConfig,
  { logger, metrics: registry }: ServiceContext,
  database: Database,
  pollLoop: PollLoopHooks,
): Promise<WorkerResources> {
  const time =
    config.SVC_CLOCK_URL === undefined ? realTime : await followClock(config.SVC_CLOCK_URL, logger, pollLoop.wake);
  const clock = { now: () => instant(time.nowMs()), scale: () => time.scale() };
  const box = config.SVC_SECRET_KEY === undefined ? null : createSecretBox(config.SVC_SECRET_KEY);
  if (box) await checkSecretKey(database.sql, box);
  const places = await loadPlaceDirectory(database.sql);
  const carriers = createCarriers(config.SVC_CARRIERS, places);
  const terminals = createTerminals(config.SVC_TERMINALS);
  const context: TrackingContext = {
    database,
    places,
    clock,
    terminalsAt: terminalDirectory(carriers, terminals),
    arrivalNoticesOf: arrivalNoticeDirectory(carriers, terminals),
    brands: carriersByBrand(carriers),
    terminalPlaces: (scac) => carriers.get(scac)?.terminalPlaces ?? [],
    ...rulesOf(config),
    baseUrl: config.SVC_BASE_URL,
    random: Math.random,
  };
  const slots = new CarrierSlots(config.SVC_TRACKING_CARRIER_CONCURRENCY, () => performance.now(), clock.now);
  const metrics = createMetrics(registry, pollLoop.inProgress);
  const access = new CarrierAccessGate({ database, clock, slots, metrics, logger, random: Math.random });
  const transactions = new Semaphore(transactionConcurrency);
  const directory = new CarrierDirectory(carriers, terminals, database.sql, box);
  const unchanged = new UnchangedPolls(context, transactions, logger);
  const shared = [...carriers].filter(([, offered]) => offered.shared !== null).map(([scac]) => scac);
  await registerServiceCarriers(database.sql, shared);
  return {
    context,
    carriers,
    terminals,
    poller: { context, directory, access, slots, transactions, unchanged, metrics, logger },
    async close() {
      await access.close();
      await Promise.all([...carriers.values(), ...terminals.values()].map((source) => source.close()));
      time.close();
    },
  };
}
