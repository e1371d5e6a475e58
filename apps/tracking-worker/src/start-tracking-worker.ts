import { randomUUID } from "node:crypto";
import { openArchiveStore } from "@svc/archive";
import { createCarriers, createTerminals } from "@svc/carriers";
import { dayMs, instant } from "@svc/domain";
import { defaultStopThresholds } from "@svc/domain/tracking";
import { checkSecretKey, connectDatabase, createDatabaseCheck, createSecretBox, listen } from "@svc/persistence";
import { completeSuspensions } from "@svc/persistence/administration";
import { registerServiceCarriers } from "@svc/persistence/carrier-connections";
import { loadPlaceDirectory } from "@svc/persistence/reference-data";
import {
  followClock,
  type RunningService,
  realTime,
  repeat,
  type ServiceContext,
  type WatchedLoop,
} from "@svc/service-kit";
import { predictEveryMs, startPredictions } from "./ais/start-predictions.ts";
import { startVesselPositions, storeEveryMs } from "./ais/start-vessel-positions.ts";
import { archiveEveryMs, startArchive } from "./archive/start-archive.ts";
import { CarrierAccessGate } from "./carriers/carrier-access-gate.ts";
import { CarrierDirectory } from "./carriers/carrier-directory.ts";
import { CarrierSlots } from "./carriers/carrier-slots.ts";
import { checkCarriersEveryMs, startCarrierChecks } from "./carriers/start-carrier-checks.ts";
import { arrivalNoticeDirectory, brandsOf, terminalDirectory } from "./carriers/terminal-directory.ts";
import { applyNextConnectionChange } from "./claim/apply-connection-changes.ts";
import { detectCarriers } from "./claim/detect-carriers.ts";
import { startPollLoop } from "./claim/poll-loop.ts";
import { requeueEveryMs, startRequeue } from "./claim/requeue-stranded.ts";
import type { TrackingWorkerConfig } from "./config.ts";
import { startConnectionTests } from "./connection-tests/start-connection-tests.ts";
import { scanEveryMs, startEdiFolder } from "./edi-folder/start-edi-folder.ts";
import { mailSource } from "./edi-mail/mail-source.ts";
import { sftpSource } from "./edi-sftp/sftp-source.ts";
import { sourcesEveryMs, startEdiSources } from "./edi-sources/start-edi-sources.ts";
import { startExceptionChecks } from "./exceptions/start-exception-checks.ts";
import { startMessageLoop } from "./messages/message-loop.ts";
import { createMetrics } from "./metrics.ts";
import { pollSubject } from "./poll/poll-subject.ts";
import { Semaphore } from "./poll/semaphore.ts";
import { UnchangedPolls } from "./poll/unchanged-polls.ts";
import { retentionEveryMs, startRetention } from "./retention/start-retention.ts";

const leaseMs = 10_000;
/** Enforced by the server; the client's timeout is a little longer and covers a lost host. */
const statementTimeoutMs = 15_000;
/** The longest step of a loop: several statements that time out, and the longest sleep. */
const stalledAfterMs = 90_000;
const connections = 14;
const messageTransactionsAtOnce = 3;
/** The loops, their heartbeats, the directory and the exception checks need one connection each. */
const transactionsAtOnce = connections - messageTransactionsAtOnce - 4;
const refreshPlacesEveryMs = 300_000;
const completeSuspensionsEveryMs = 60_000;
/** The longest requests of the object store for one shipment, with their retries. */
const archiveStepMs = 600_000;
const longestSleepMs = 5_000;
/** An external clock can be advanced at any time. */
const longestSleepWithClockMs = 500;

/** Starts the poll loop, the message loop and the periodic tasks. */
export async function startTrackingWorker(
  config: TrackingWorkerConfig,
  { logger, metrics: registry, watchdog }: ServiceContext,
): Promise<RunningService> {
  // A clock change wakes the poll loop once it runs.
  let onClockChange = (): void => undefined;
  const time =
    config.SVC_CLOCK_URL === undefined
      ? realTime
      : await followClock(config.SVC_CLOCK_URL, logger, () => onClockChange());
  const clock = { now: () => instant(time.nowMs()), scale: () => time.scale() };
  const database = connectDatabase({
    url: config.DATABASE_URL,
    directUrl: config.DATABASE_DIRECT_URL,
    plans: "by_index",
    applicationName: "tracking-worker",
    statementTimeoutMs,
    maxConnections: connections,
    onIdleError: (error) => logger.warn({ err: error }, "database.connection_lost"),
  });
  const box = config.SVC_SECRET_KEY === undefined ? null : createSecretBox(config.SVC_SECRET_KEY);
  if (box) await checkSecretKey(database.sql, box);
  const directory = await loadPlaceDirectory(database.sql);
  const carriers = createCarriers(config.SVC_CARRIERS, directory);
  const terminals = createTerminals(config.SVC_TERMINALS);
  const slots = new CarrierSlots(config.SVC_TRACKING_CARRIER_CONCURRENCY, () => performance.now(), clock.now);
  const metrics = createMetrics(registry, () => loop.inProgress());
  const context = {
    database,
    places: directory,
    clock,
    terminalsAt: terminalDirectory(carriers, terminals),
    arrivalNoticesOf: arrivalNoticeDirectory(carriers, terminals),
    brands: brandsOf(carriers),
    terminalPlaces: (scac: string) => carriers.get(scac)?.terminalPlaces ?? [],
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
    baseUrl: config.SVC_BASE_URL,
    random: Math.random,
  };
  const access = new CarrierAccessGate({ database, clock, slots, metrics, logger, random: Math.random });
  const transactions = new Semaphore(transactionsAtOnce);
  const poller = {
    context,
    directory: new CarrierDirectory(carriers, terminals, database.sql, box),
    access,
    slots,
    transactions,
    unchanged: new UnchangedPolls(context, transactions, logger),
    metrics,
    logger,
  };
  const shared = [...carriers].filter(([, offered]) => offered.shared !== null).map(([scac]) => scac);
  await registerServiceCarriers(database.sql, shared);
  const owner = `tracking-worker ${randomUUID()}`;
  const watchedAs = (name: string) =>
    watchdog && {
      watched: {
        claims: watchdog.watch(`${name} claims`, stalledAfterMs),
        leases: watchdog.watch(`${name} leases`, stalledAfterMs),
      },
    };
  const loop = startPollLoop({
    sql: database.sql,
    clock,
    brands: context.brands,
    slots,
    owner,
    leaseMs,
    concurrency: config.SVC_TRACKING_CONCURRENCY,
    carrierConcurrency: config.SVC_TRACKING_CARRIER_CONCURRENCY,
    longestSleepMs: config.SVC_CLOCK_URL === undefined ? longestSleepMs : longestSleepWithClockMs,
    prepare: async () => {
      const isMoreToDetect = await detectCarriers(context, logger);
      return (await applyNextConnectionChange(context)) || isMoreToDetect;
    },
    poll: (claim, signal) => pollSubject(poller, claim, signal),
    logger,
    ...watchedAs("subject"),
  });
  onClockChange = () => loop.wake();
  const messages = startMessageLoop({
    context,
    offered: carriers,
    owner,
    leaseMs,
    transactions: new Semaphore(messageTransactionsAtOnce),
    logger,
    ...watchedAs("message"),
  });
  /** A loop that runs periodically: its longest pause, and the longest step. */
  const watchedEvery = (everyMs: number, name: string) => watchdog?.watch(name, everyMs + stalledAfterMs);
  const optionally = (watched: WatchedLoop | undefined) => watched && { watched };
  const requeue = startRequeue({
    sql: database.sql,
    clock,
    metrics,
    logger,
    ...optionally(watchedEvery(requeueEveryMs, "requeue")),
  });
  const retention = startRetention({
    sql: database.sql,
    clock,
    retentionDays: config.SVC_EVENT_MESSAGE_RETENTION_DAYS,
    auditRetentionDays: config.SVC_AUDIT_RETENTION_DAYS,
    positionRetentionDays: config.SVC_VESSEL_POSITION_RETENTION_DAYS,
    logger,
    ...optionally(watchedEvery(retentionEveryMs, "event message retention")),
  });
  const store = openArchiveStore(config);
  const archive =
    store &&
    startArchive({
      ...{ database, store, clock, logger, afterDays: config.SVC_ARCHIVE_AFTER_DAYS },
      count: (outcome) => metrics.archivedShipments.inc({ outcome }),
      ...optionally(watchedEvery(archiveEveryMs + archiveStepMs, "archive")),
    });
  const ediFolder =
    config.SVC_EDI_FOLDER === undefined
      ? null
      : startEdiFolder({
          context,
          folder: config.SVC_EDI_FOLDER,
          logger,
          ...optionally(watchedEvery(scanEveryMs, "EDI folder")),
        });
  const vesselPositions =
    config.SVC_AIS_SOURCES.length === 0
      ? null
      : startVesselPositions({
          sql: database.sql,
          clock,
          sources: config.SVC_AIS_SOURCES,
          logger,
          count: (source, outcome) => metrics.aisReports.inc({ source, outcome }),
          ...optionally(watchedEvery(storeEveryMs, "vessel positions")),
        });
  const predictions =
    config.SVC_AIS_SOURCES.length === 0
      ? null
      : startPredictions({
          ...{ sql: database.sql, clock, logger },
          ...optionally(watchedEvery(predictEveryMs, "arrival predictions")),
        });
  const sources = [...config.SVC_EDI_SFTP.map(sftpSource), ...config.SVC_EDI_MAILBOXES.map(mailSource)];
  const ediSources =
    sources.length === 0
      ? null
      : startEdiSources({
          context,
          sources,
          logger,
          ...optionally(watchedEvery(sourcesEveryMs, "EDI sources")),
        });
  const exceptions = startExceptionChecks({ context, logger, ...optionally(watchedEvery(0, "exception checks")) });
  const checks = startCarrierChecks(
    { context, directory: poller.directory, access, logger },
    loop.wake,
    watchedEvery(checkCarriersEveryMs, "carrier checks"),
  );
  const tester = { context, directory: poller.directory, access, logger };
  const tests = startConnectionTests(tester, watchedEvery(0, "connection tests"));
  const listener = listen(database, "svc_tracking", () => {
    loop.wake();
    messages.wake();
    tests.wake();
  });
  const refreshing = repeat(
    refreshPlacesEveryMs,
    directory.refresh,
    (error) => logger.warn({ err: error }, "tracking.places_not_refreshed"),
    watchedEvery(refreshPlacesEveryMs, "place directory"),
  );
  const watchedSuspensions = watchedEvery(completeSuspensionsEveryMs, "suspended accounts");
  const suspensions = repeat(
    completeSuspensionsEveryMs,
    () => completeSuspensions(database, watchedSuspensions?.step),
    (error) => logger.warn({ err: error }, "accounts.suspensions_not_completed"),
    watchedSuspensions,
  );
  logger.info({ carriers: [...carriers.keys()], terminals: [...terminals.keys()] }, "tracking.started");
  return {
    checks: { database: createDatabaseCheck(database) },
    async close() {
      await Promise.all([refreshing.stop(), suspensions.stop()]);
      await ediFolder?.stop();
      await vesselPositions?.stop();
      await predictions?.stop();
      await ediSources?.stop();
      await listener.close();
      await messages.stop();
      await requeue.stop();
      await retention.stop();
      await archive?.stop();
      await exceptions.stop();
      await tests.stop();
      await checks.stop();
      await loop.stop();
      await access.close();
      await Promise.all([...carriers.values(), ...terminals.values()].map((source) => source.close()));
      await database.close();
      time.close();
    },
  };
}
