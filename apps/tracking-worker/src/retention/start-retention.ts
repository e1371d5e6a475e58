import { addMs, dayMs, type Instant } from "@svc/domain";
import type { Sql } from "@svc/persistence";
import { removeOldAuditEvents } from "@svc/persistence/audit-events";
import { removeOldEdiFiles } from "@svc/persistence/edi-files";
import { removeOldEventMessages } from "@svc/persistence/event-messages";
import { removeOldVesselPositions } from "@svc/persistence/vessel-positions";
import { type Logger, repeat, runBatches, type WatchedLoop } from "@svc/service-kit";

export const retentionEveryMs = 3_600_000;
const removalBatchMax = 500;

export interface RetentionOptions {
  readonly sql: Sql;
  readonly clock: { now(): Instant };
  readonly retentionDays: number;
  /** Retention of the audit log, in real time. */
  readonly auditRetentionDays: number;
  readonly positionRetentionDays: number;
  readonly logger: Logger;
  readonly everyMs?: number;
  readonly watched?: WatchedLoop;
}

/**
 * Deletes pushes, imports and EDI files processed before the retention period, old audit events, and vessel positions
 * before their period, at startup and every hour. Several workers may run it.
 */
export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { sql, clock, retentionDays, auditRetentionDays, positionRetentionDays, logger, watched } = options;

  const removeOld = async (signal: AbortSignal): Promise<void> => {
    const messages = addMs(clock.now(), -retentionDays * dayMs);
    const positions = addMs(clock.now(), -positionRetentionDays * dayMs);
    const removals = [
      () => removeOldEventMessages(sql, messages, removalBatchMax),
      () => removeOldEdiFiles(sql, messages, removalBatchMax),
      () => removeOldAuditEvents(sql, auditRetentionDays, removalBatchMax),
      () => removeOldVesselPositions(sql, positions, removalBatchMax),
    ];
    let removed = 0;
    try {
      for (const remove of removals) {
        const removeBatch = async (): Promise<boolean> => {
          const last = await remove();
          removed += last;
          return last === removalBatchMax;
        };
        await runBatches(removeBatch, { signal, watched });
      }
    } finally {
      if (removed > 0) logger.info({ removed }, "events.removed");
    }
  };

  const failed = (error: unknown): void => logger.warn({ err: error }, "events.not_removed");
  const repetition = repeat(options.everyMs ?? retentionEveryMs, removeOld, failed, watched);
  repetition.run();
  return repetition;
}
