import { requeueStrandedSubjects, type Sql } from "@svc/persistence";
import type { Logger } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { TrackingMetrics } from "../metrics.ts";

const defaultIntervalMs = 60_000;
const batchSize = 500;

export interface RequeueOptions {
  readonly sql: Sql;
  readonly clock: TrackingContext["clock"];
  readonly metrics: Pick<TrackingMetrics, "strandedRequests">;
  readonly logger: Logger;
  readonly intervalMs?: number;
}

/**
 * Reschedules waiting requests whose number has no scheduled poll, at startup and every minute. Several workers may
 * run it.
 */
export function startRequeue(options: RequeueOptions): { stop(): Promise<void> } {
  const { sql, clock, metrics, logger, intervalMs = defaultIntervalMs } = options;

  const requeue = async (): Promise<void> => {
    try {
      const count = await requeueStrandedSubjects(sql, clock.now(), batchSize);
      if (count === 0) return;
      metrics.strandedRequests.inc(count);
      logger.error({ count }, "tracking.stranded_requests_requeued");
    } catch (error) {
      logger.warn({ err: error }, "tracking.requeue_failed");
    }
  };

  let running = requeue();
  const timer = setInterval(() => {
    running = running.then(requeue);
  }, intervalMs);
  return {
    stop() {
      clearInterval(timer);
      return running;
    },
  };
}
