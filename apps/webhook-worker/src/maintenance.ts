import { type Database, resealSecrets, type SecretBox } from "@svc/persistence";
import { eraseClosedAccounts } from "@svc/persistence/administration";
import { removeOldAlertMessages } from "@svc/persistence/alerts";
import {
  analyzeNotificationPartitions,
  createNotificationPartitions,
  dropNotificationPartition,
  expireHeldDeliveries,
  limitBacklogs,
  maintainAttemptPartitions,
  type RepairCursor,
  type RetentionPosition,
  removeFailedOfOldWeeks,
  removeOldNotifications,
  repairOrphanedDeliveries,
} from "@svc/persistence/delivery";
import { removeEndedInboxes } from "@svc/persistence/inbox";
import { removeDeletedWebhooks, sealPlainHeaders } from "@svc/persistence/webhooks";
import { type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";

export interface MaintenanceOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly box: SecretBox;
  readonly retentionDays: number;
  /** Maximum number of pending deliveries of one webhook. */
  readonly backlogLimit: number;
  readonly everyMs?: number;
  readonly repairEveryMs?: number;
  /** Fail liveness when a step hangs. Default: not watched. */
  readonly watched?: { readonly maintenance: WatchedLoop; readonly repairs: WatchedLoop };
  /** Called with the number of deliveries that were made due again. */
  readonly onRepaired: (deliveries: number) => void;
}

export interface Maintenance {
  /** Resolves when the current step has ended. */
  stop(): Promise<void>;
}

/** Retention of alert messages (docs/alerts.md). */
const alertRetentionDays = 30;
export const maintenanceEveryMs = 3_600_000;
export const repairEveryMs = 300_000;
/** Pause between two batches, so that deleting the rows of years does not slow down deliveries. */
const pauseMs = 20;

/** Steps by their names in the log, in the order in which they run. */
type Steps = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs maintenance now and each hour: partitions, retention, backlog limits, and encryption of headers and
 * secrets with the current key. Repairs deliveries whose claim has vanished each five minutes. Of several workers that
 * run it, one does the work. Resolves when the partition for this week's attempts exists, because attempts need it.
 */
export async function startMaintenance(options: MaintenanceOptions): Promise<Maintenance> {
  const { logger, watched } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const reportFailure = (step: string) => (error: unknown) =>
    logger.warn({ err: error, step }, "maintenance.step_failed");
  /** A failed step does not prevent the others from running. None begins after the stop. */
  const runSequentially = async (steps: Steps): Promise<void> => {
    for (const [name, step] of Object.entries(steps)) {
      if (signal.aborted) return;
      await step()
        .catch(reportFailure(name))
        .finally(() => watched?.maintenance.step());
    }
  };

  const attempts = () => maintainAttempts(options);
  const repairs = () => repairDeliveries(options, signal);
  const steps = maintenanceSteps(options, signal);
  await runSequentially({ attempts });
  const first = runSequentially({ repairs, ...steps });
  const repetition = repeat(
    options.everyMs ?? maintenanceEveryMs,
    () => first.then(() => runSequentially({ attempts, ...steps })),
    reportFailure("maintenance"),
    watched?.maintenance,
  );
  // It does not wait for the first maintenance, which may take long to erase a large account.
  const repairing = repeat(options.repairEveryMs ?? repairEveryMs, repairs, reportFailure("repairs"), watched?.repairs);

  return {
    async stop() {
      stopping.abort();
      await Promise.all([first, repetition.stop(), repairing.stop()]);
    },
  };
}

function maintenanceSteps(options: MaintenanceOptions, signal: AbortSignal): Steps {
  const { database, logger, box, watched } = options;
  return {
    async headers() {
      const sealed = await sealPlainHeaders(database, box);
      if (sealed > 0) logger.info({ webhooks: sealed }, "webhook_headers.sealed");
    },
    async secrets() {
      const { resealed, unreadable } = await resealSecrets(database, box);
      if (resealed > 0) logger.info({ records: resealed }, "secrets.resealed");
      if (unreadable > 0) logger.warn({ records: unreadable }, "secrets.unreadable");
    },
    expireHeld: () => expireHeld(options, signal),
    newNotificationWeeks: () => createNotificationWeeks(options),
    failedNotifications: () => removeFailedNotifications(options, signal),
    oldNotificationWeeks: () => dropNotificationWeeks(options, signal),
    backlogs: () => limitWebhookBacklogs(options, signal),
    inboxes: () => removeEndedInboxes(database.sql),
    async closedAccounts() {
      const erased = await eraseClosedAccounts(database, { onStep: watched?.maintenance.step, signal });
      for (const { accountId, rows } of erased) {
        logger.info({ account_id: accountId, rows }, "account.erased");
      }
    },
    removeOld: () => removeOld(options, signal),
  };
}

async function maintainAttempts({ database, logger, retentionDays }: MaintenanceOptions): Promise<void> {
  const { created, dropped } = await maintainAttemptPartitions(database, retentionDays);
  if (created + dropped > 0) logger.info({ created, dropped }, "attempts.maintained");
}

async function createNotificationWeeks({ database, logger, retentionDays }: MaintenanceOptions): Promise<void> {
  const created = await createNotificationPartitions(database, retentionDays);
  if (created === 0) return;
  logger.info({ created, dropped: 0 }, "notifications.maintained");
  await analyzeNotificationPartitions(database);
}

/** Those of weeks that ended longer ago than the retention, so that dropping a week deletes little. */
async function removeFailedNotifications(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, retentionDays, watched } = options;
  const removeBatch = () => removeFailedOfOldWeeks(database, retentionDays);
  await runBatches(removeBatch, { signal, watched: watched?.maintenance, pauseMs });
}

async function dropNotificationWeeks(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, retentionDays, watched } = options;
  let dropped = 0;
  const dropOne = async (): Promise<boolean> => {
    const isDropped = await dropNotificationPartition(database, retentionDays);
    if (isDropped) dropped += 1;
    return isDropped;
  };
  try {
    await runBatches(dropOne, { signal, watched: watched?.maintenance, pauseMs });
  } finally {
    if (dropped > 0) logger.info({ created: 0, dropped }, "notifications.maintained");
  }
  if (dropped > 0) await analyzeNotificationPartitions(database);
}

async function expireHeld(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, retentionDays, watched } = options;
  let deliveries = 0;
  const expireBatch = async (): Promise<boolean> => {
    const count = await expireHeldDeliveries(database.sql, retentionDays);
    deliveries += count;
    return count > 0;
  };
  await runBatches(expireBatch, { signal, watched: watched?.maintenance, pauseMs });
  if (deliveries > 0) logger.warn({ deliveries }, "deliveries.held_expired");
}

async function limitWebhookBacklogs(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, backlogLimit: limit, watched } = options;
  const overflows = await limitBacklogs(database, limit, { onStep: watched?.maintenance.step, signal });
  for (const { accountId, webhookId, failed } of overflows) {
    logger.warn({ account_id: accountId, webhook_id: webhookId, failed, limit }, "webhook.backlog_limited");
  }
}

/** Deletes notifications, alert messages and deleted webhooks after their retention. */
async function removeOld(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, retentionDays } = options;
  const watched = options.watched?.maintenance;
  let position: RetentionPosition | null = null;
  const sum = { notifications: 0, notices: 0 };
  const removeNotifications = async (): Promise<boolean> => {
    const removed = await removeOldNotifications(database, retentionDays, position);
    sum.notifications += removed.notifications;
    sum.notices += removed.notices;
    position = removed.position;
    return position !== null;
  };
  const removeAlertMessages = () => removeOldAlertMessages(database.sql, alertRetentionDays);

  await runBatches(removeNotifications, { signal, watched, pauseMs });
  if (sum.notifications + sum.notices > 0) logger.info(sum, "notifications.removed");
  await runBatches(removeAlertMessages, { signal, watched });
  const webhooks = await removeDeletedWebhooks(database.sql);
  if (webhooks > 0) logger.info({ webhooks }, "webhooks.removed");
}

/** Makes deliveries whose claim has vanished due again. */
async function repairDeliveries(options: MaintenanceOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, onRepaired, watched } = options;
  let cursor: RepairCursor | null = null;
  let deliveries = 0;
  const repairBatch = async (): Promise<boolean> => {
    const part = await repairOrphanedDeliveries(database.sql, cursor);
    deliveries += part.repaired;
    cursor = part.cursor;
    return cursor !== null;
  };
  await runBatches(repairBatch, { signal, watched: watched?.repairs, pauseMs });
  if (deliveries === 0) return;
  onRepaired(deliveries);
  logger.warn({ deliveries }, "deliveries.repaired");
}
