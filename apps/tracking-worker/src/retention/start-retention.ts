import { addMs, dayMs, type Instant } from "@svc/domain";
import { removeOldEventMessages, type Sql } from "@svc/persistence";
import type { Logger } from "@svc/service-kit";

const everyMs = 3_600_000;
const atOnce = 500;

export interface RetentionOptions {
  readonly sql: Sql;
  readonly clock: { now(): Instant };
  readonly retentionDays: number;
  readonly logger: Logger;
  readonly everyMs?: number;
}

/**
 * Deletes pushes and imports processed before the retention period, at startup and every hour. Several workers may
 * run it.
 */
export function startRetention(options: RetentionOptions): { stop(): Promise<void> } {
  const { sql, clock, retentionDays, logger } = options;
  let isStopping = false;

  const removeOld = async (): Promise<void> => {
    const before = addMs(clock.now(), -retentionDays * dayMs);
    let removed = 0;
    let last = atOnce;
    try {
      while (last === atOnce && !isStopping) {
        last = await removeOldEventMessages(sql, before, atOnce);
        removed += last;
      }
    } catch (error) {
      logger.warn({ err: error }, "events.not_removed");
    }
    if (removed > 0) logger.info({ removed }, "events.removed");
  };

  let running = removeOld();
  const timer = setInterval(() => {
    running = running.then(removeOld);
  }, options.everyMs ?? everyMs);
  return {
    stop() {
      isStopping = true;
      clearInterval(timer);
      return running;
    },
  };
}
