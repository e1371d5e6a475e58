import { setTimeout as sleep } from "node:timers/promises";
import { type Database, resealSecrets, type SecretBox } from "@svc/persistence";
import { eraseClosedAccounts } from "@svc/persistence/administration";
import { removeOldAlertMessages } from "@svc/persistence/alerts";
import {
  expireHeldDeliveries,
  limitBacklogs,
  maintainAttempts,
  maintainNotifications,
  type RepairCursor,
  type RetentionPosition,
  removeOldNotifications,
  repairOrphanedDeliveries,
} from "@svc/persistence/delivery";
import { removeEndedInboxes } from "@svc/persistence/inbox";
import { removeDeletedWebhooks, sealPlainHeaders } from "@svc/persistence/webhooks";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";

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
/** Pause between two steps, so that deleting the rows of years does not slow down deliveries. */
const stepPauseMs = 20;

/**
 * Runs maintenance now and each hour: partitions, retention, backlog limits, and encryption of headers and
 * secrets with the current key. Repairs deliveries whose claim has vanished each five minutes. Of several workers that
 * run it, one does the work. Resolves when the partition for this week's attempts exists, because attempts need it.
 */
export async function startMaintenance(options: MaintenanceOptions): Promise<Maintenance> {
  const { database, logger, box, retentionDays, backlogLimit, onRepaired, watched } = options;
  let isStopping = false;
  const onStep = (): void => watched?.maintenance.step();

  const removeOld = async (): Promise<void> => {
    let position: RetentionPosition | null = null;
    const sum = { notifications: 0, notices: 0 };
    do {
      const removed = await removeOldNotifications(database, retentionDays, position);
      sum.notifications += removed.notifications;
      sum.notices += removed.notices;
      position = removed.position;
      onStep();
      if (position) await sleep(stepPauseMs);
    } while (position && !isStopping);
    if (sum.notifications + sum.notices > 0) logger.info(sum, "notifications.removed");
    while (!isStopping && (await removeOldAlertMessages(database.sql, alertRetentionDays))) onStep();
    const webhooks = await removeDeletedWebhooks(database.sql);
    if (webhooks > 0) logger.info({ webhooks }, "webhooks.removed");
  };

  const attempts = async (): Promise<void> => {
    const { created, dropped } = await maintainAttempts(database, retentionDays);
    if (created + dropped > 0) logger.info({ created, dropped }, "attempts.maintained");
  };
  const notifications = async (): Promise<void> => {
    const { created, dropped } = await maintainNotifications(database, retentionDays);
    if (created + dropped > 0) logger.info({ created, dropped }, "notifications.maintained");
  };
  const expireHeld = async (): Promise<void> => {
    let deliveries = 0;
    for (let count = 1; count > 0 && !isStopping; ) {
      count = await expireHeldDeliveries(database.sql, retentionDays);
      deliveries += count;
      onStep();
      if (count > 0) await sleep(stepPauseMs);
    }
    if (deliveries > 0) logger.warn({ deliveries }, "deliveries.held_expired");
  };
  const backlogs = async (): Promise<void> => {
    for (const { accountId, webhookId, failed: count } of await limitBacklogs(database, backlogLimit, onStep)) {
      const fields = { account_id: accountId, webhook_id: webhookId, failed: count, limit: backlogLimit };
      logger.warn(fields, "webhook.backlog_limited");
    }
  };
  const headers = async (): Promise<void> => {
    const sealed = await sealPlainHeaders(database, box);
    if (sealed > 0) logger.info({ webhooks: sealed }, "webhook_headers.sealed");
  };
  const secrets = async (): Promise<void> => {
    const { resealed, unreadable } = await resealSecrets(database, box);
    if (resealed > 0) logger.info({ records: resealed }, "secrets.resealed");
    if (unreadable > 0) logger.warn({ records: unreadable }, "secrets.unreadable");
  };
  const closedAccounts = async (): Promise<void> => {
    for (const { accountId, rows } of await eraseClosedAccounts(database, onStep)) {
      logger.info({ account_id: accountId, rows }, "account.erased");
    }
  };
  const inboxes = (): Promise<unknown> => removeEndedInboxes(database.sql);

  const repairs = async (): Promise<void> => {
    let cursor: RepairCursor | null = null;
    let deliveries = 0;
    do {
      const part = await repairOrphanedDeliveries(database.sql, cursor);
      deliveries += part.repaired;
      cursor = part.cursor;
      watched?.repairs.step();
      if (cursor) await sleep(stepPauseMs);
    } while (cursor && !isStopping);
    if (deliveries === 0) return;
    onRepaired(deliveries);
    logger.warn({ deliveries }, "deliveries.repaired");
  };

  const reportFailure = (step: string) => (error: unknown) =>
    logger.warn({ err: error, step }, "maintenance.step_failed");
  /** A failed step does not prevent the others from running. */
  const runSequentially = async (steps: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> => {
    for (const [name, step] of Object.entries(steps)) await step().catch(reportFailure(name)).finally(onStep);
  };
  const steps = { headers, secrets, expireHeld, notifications, backlogs, inboxes, closedAccounts, removeOld };
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
      isStopping = true;
      await Promise.all([first, repetition.stop(), repairing.stop()]);
    },
  };
}
