import { openArchiveStore } from "@svc/archive";
import { completeSuspensions } from "@svc/persistence/administration";
import { createStatisticsRefresh } from "@svc/persistence/operations";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import { predictEveryMs, startPredictions } from "./ais/start-predictions.ts";
import { flushIntervalMs, startVesselPositions } from "./ais/start-vessel-positions.ts";
import { archiveEveryMs, startArchive } from "./archive/start-archive.ts";
import { checkCarriersEveryMs, startCarrierChecks } from "./carriers/start-carrier-checks.ts";
import { requeueEveryMs, startRequeue } from "./claim/requeue-stranded.ts";
import type { TrackingWorkerConfig } from "./config.ts";
import { scanEveryMs, startEdiFolder } from "./edi-folder/start-edi-folder.ts";
import { mailSource } from "./edi-mail/mail-source.ts";
import { sftpSource } from "./edi-sftp/sftp-source.ts";
import { sourcesEveryMs, startEdiSources } from "./edi-sources/start-edi-sources.ts";
import { startExceptionChecks } from "./exceptions/start-exception-checks.ts";
import { retentionEveryMs, startRetention } from "./retention/start-retention.ts";
import type { WorkerResources } from "./worker-resources.ts";

const refreshPlacesEveryMs = 300_000;
const completeSuspensionsEveryMs = 60_000;
const refreshStatisticsEveryMs = 5_000;
/** The longest requests of the object store for one shipment, with their retries. */
const archiveStepMs = 600_000;

export interface PeriodicLoop {
  /** Name of the loop in the watchdog. */
  readonly name: string;
  /** The longest pause between two runs; 0: it waits for less than the limit of a step. */
  readonly everyMs: number;
  /** The longest step, beyond that of the other loops. Default 0. */
  readonly stepMs?: number;
  start(watched: { readonly watched?: WatchedLoop }): { stop(): Promise<void> };
}

function maintenanceLoops(config: TrackingWorkerConfig, { context, poller }: WorkerResources, logger: Logger) {
  const { database, clock, places } = context;
  const { sql } = database;
  const store = openArchiveStore(config);
  const loops: PeriodicLoop[] = [
    {
      name: "requeue",
      everyMs: requeueEveryMs,
      start: (watched) => startRequeue({ sql, clock, metrics: poller.metrics, logger, ...watched }),
    },
    {
      name: "event message retention",
      everyMs: retentionEveryMs,
      start: (watched) =>
        startRetention({
          sql,
          clock,
          logger,
          ...watched,
          retentionDays: config.SVC_EVENT_MESSAGE_RETENTION_DAYS,
          auditRetentionDays: config.SVC_AUDIT_RETENTION_DAYS,
          positionRetentionDays: config.SVC_VESSEL_POSITION_RETENTION_DAYS,
        }),
    },
    {
      name: "place directory",
      everyMs: refreshPlacesEveryMs,
      start({ watched }) {
        const failed = (error: unknown) => logger.warn({ err: error }, "tracking.places_not_refreshed");
        return repeat(refreshPlacesEveryMs, places.refresh, failed, watched);
      },
    },
    {
      name: "planner statistics",
      everyMs: refreshStatisticsEveryMs,
      start({ watched }) {
        const failed = (error: unknown, table?: string) =>
          logger.warn({ err: error, table }, "statistics.not_refreshed");
        const refreshOnce = createStatisticsRefresh(database);
        const refresh = async () => {
          const tables = await refreshOnce(failed);
          if (tables.length > 0) logger.debug({ tables }, "statistics.refreshed");
        };
        return repeat(refreshStatisticsEveryMs, refresh, failed, watched);
      },
    },
    {
      name: "suspended accounts",
      everyMs: completeSuspensionsEveryMs,
      start({ watched }) {
        const failed = (error: unknown) => logger.warn({ err: error }, "accounts.suspensions_not_completed");
        const complete = () => completeSuspensions(database, watched?.step);
        return repeat(completeSuspensionsEveryMs, complete, failed, watched);
      },
    },
  ];
  if (!store) return loops;
  const archive: PeriodicLoop = {
    name: "archive",
    everyMs: archiveEveryMs,
    stepMs: archiveStepMs,
    start: (watched) =>
      startArchive({
        database,
        store,
        clock,
        logger,
        afterDays: config.SVC_ARCHIVE_AFTER_DAYS,
        ...watched,
        count: (outcome) => poller.metrics.archivedShipments.inc({ outcome }),
      }),
  };
  return [...loops, archive];
}

/** Sources beside the carriers: EDI files, positions of vessels. Each runs only when it is configured. */
function sourceLoops(config: TrackingWorkerConfig, { context, poller }: WorkerResources, logger: Logger) {
  const { database, clock } = context;
  const { sql } = database;
  const loops: PeriodicLoop[] = [];
  const folder = config.SVC_EDI_FOLDER;
  if (folder !== undefined) {
    loops.push({
      name: "EDI folder",
      everyMs: scanEveryMs,
      start: (watched) => startEdiFolder({ context, folder, logger, ...watched }),
    });
  }
  const sources = [...config.SVC_EDI_SFTP.map(sftpSource), ...config.SVC_EDI_MAILBOXES.map(mailSource)];
  if (sources.length > 0) {
    loops.push({
      name: "EDI sources",
      everyMs: sourcesEveryMs,
      start: (watched) => startEdiSources({ context, sources, logger, ...watched }),
    });
  }
  if (config.SVC_AIS_SOURCES.length > 0) {
    loops.push(
      {
        name: "vessel positions",
        everyMs: flushIntervalMs,
        start: (watched) =>
          startVesselPositions({
            sql,
            clock,
            sources: config.SVC_AIS_SOURCES,
            logger,
            ...watched,
            count: (source, outcome) => poller.metrics.aisReports.inc({ source, outcome }),
          }),
      },
      {
        name: "arrival predictions",
        everyMs: predictEveryMs,
        start: (watched) => startPredictions({ sql, clock, logger, ...watched }),
      },
    );
  }
  return loops;
}

/** Everything that the worker does besides polls, messages and connection tests. `onCarrierChecked` follows a check. */
export function periodicLoops(
  config: TrackingWorkerConfig,
  resources: WorkerResources,
  logger: Logger,
  onCarrierChecked: () => void,
): PeriodicLoop[] {
  const { context, poller } = resources;
  return [
    ...maintenanceLoops(config, resources, logger),
    ...sourceLoops(config, resources, logger),
    {
      name: "exception checks",
      everyMs: 0,
      start: (watched) => startExceptionChecks({ context, logger, ...watched }),
    },
    {
      name: "carrier checks",
      everyMs: checkCarriersEveryMs,
      start: ({ watched }) => startCarrierChecks(poller, onCarrierChecked, watched),
    },
  ];
}
