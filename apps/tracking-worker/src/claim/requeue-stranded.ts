import type { Sql } from "@svc/persistence";
import { requeueStrandedSubjects } from "@svc/persistence/tracking";
import { type Logger, repeat, type WatchedLoop } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { TrackingMetrics } from "../metrics.ts";

export const requeueEveryMs = 60_000;
const batchSize = 500;

export interface RequeueOptions {
  readonly sql: Sql;
  readonly clock: TrackingContext["clock"];
  readonly metrics: Pick<TrackingMetrics, "strandedRequests">;
  readonly logger: Logger;
  readonly intervalMs?: number;
  readonly watched?: WatchedLoop;
}

/**
 * Reschedules waiting requests whose number has no scheduled poll, at startup and every minute. Several workers may
 * run it.
 */
export function startRequeue(options: RequeueOptions): { stop(): Promise<void> } {
  const { sql, clock, metrics, logger, intervalMs = requeueEveryMs } = options;

  const requeue = async (): Promise<void> => {
    const count = await requeueStrandedSubjects(sql, clock.now(), batchSize);
    if (count === 0) return;
    metrics.strandedRequests.inc(count);
    logger.error({ count }, "tracking.stranded_requests_requeued");
  };

  const failed = (error: unknown): void => logger.warn({ err: error }, "tracking.requeue_failed");
  const repetition = repeat(intervalMs, requeue, failed, options.watched);
  repetition.run();
  return repetition;
}
