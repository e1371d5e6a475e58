import {
  type Database,
  maintainAttempts,
  type RetentionPosition,
  removeEndedInboxes,
  removeOldNotifications,
} from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import { repeat } from "./repeat.ts";

export interface MaintenanceOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly retentionDays: number;
  readonly everyMs?: number;
}

export interface Maintenance {
  /** Resolves when the step under way has ended. */
  stop(): Promise<void>;
}

const everyMsDefault = 3_600_000;
/** Between two steps, so that removing a backlog of years leaves room for deliveries. */
const stepPauseMs = 20;

/** Removes what is older than the retention, now and each hour. Several workers may: one does the work. */
export function startMaintenance(options: MaintenanceOptions): Maintenance {
  const { database, logger, retentionDays, everyMs = everyMsDefault } = options;
  let stopping = false;

  const removeOld = async (): Promise<void> => {
    let position: RetentionPosition | null = null;
    const sum = { notifications: 0, notices: 0 };
    do {
      const removed = await removeOldNotifications(database, retentionDays, position);
      sum.notifications += removed.notifications;
      sum.notices += removed.notices;
      position = removed.position;
      if (position) await new Promise((resolve) => setTimeout(resolve, stepPauseMs));
    } while (position && !stopping);
    if (sum.notifications + sum.notices > 0) logger.info(sum, "notifications.removed");
  };

  const maintain = async (): Promise<void> => {
    const { created, dropped } = await maintainAttempts(database, retentionDays);
    if (created + dropped > 0) logger.info({ created, dropped }, "attempts.maintained");
    await removeEndedInboxes(database.sql);
    await removeOld();
  };
  const failed = (error: unknown): void => logger.warn({ err: error }, "retention.failed");
  const first = maintain().catch(failed);
  const repetition = repeat(everyMs, () => first.then(maintain), failed);

  return {
    async stop() {
      stopping = true;
      await Promise.all([first, repetition.stop()]);
    },
  };
}
