import type { DeliveryLane } from "@svc/domain/webhooks";

/** How a job was sent: through a generation of the queue's store, or null within this process. */
export type Route = string | null;

/** A job in the queue. */
export interface QueuedJob {
  readonly lane: DeliveryLane;
  readonly route: Route;
  readonly queuedAtMs: number;
}

/** What is known of the queue. */
export interface QueueProgress {
  /** When the newest claim that has arrived was queued. */
  readonly arrivedUpToMs: Readonly<Record<DeliveryLane, number>>;
  /** Lanes without a job in the queue. */
  readonly emptyLanes: ReadonlySet<DeliveryLane>;
}

/**
 * The queue is FIFO, so a claim is overdue when one that was queued this much later has arrived. A false alarm costs
 * a statement.
 */
const overtakenByMs = 1_000;
/** Time after which a claim is overdue when its job was fetched and the claim not started. */
const fetchedTimeoutMs = 2_000;
/** Time after which a claim is overdue when its job was not fetched: there may be no consumer. */
const queuedTimeoutMs = 8_000;

/** The lanes with a job that was queued so long ago that it is overdue if it was fetched. */
export function lanesWithLateJobs(jobs: readonly QueuedJob[], nowMs: number): readonly DeliveryLane[] {
  const late = jobs.filter(({ route, queuedAtMs }) => route !== null && nowMs - queuedAtMs > fetchedTimeoutMs);
  return [...new Set(late.map(({ lane }) => lane))];
}

/** Whether a job is lost or not consumed. One that stays within this process never is. */
export function isOverdue({ lane, route, queuedAtMs }: QueuedJob, progress: QueueProgress, nowMs: number): boolean {
  if (route === null) return false;
  if (progress.arrivedUpToMs[lane] - queuedAtMs > overtakenByMs) return true;
  return nowMs - queuedAtMs > (progress.emptyLanes.has(lane) ? fetchedTimeoutMs : queuedTimeoutMs);
}
