import type { DeliveryLane } from "@svc/domain";
import { type Database, type DeliveryClaim, releaseClaims } from "@svc/persistence";
import type { QueueName, Queues } from "@svc/queue";
import type { Deliverer, DeliveryJob } from "./deliverer.ts";
import type { QueuedClaims } from "./queued-claims.ts";

export interface DispatcherOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly deliverer: Deliverer;
  readonly queued: QueuedClaims;
  /** Jobs at the same time, for each lane, while this process delivers without the queue. */
  readonly directJobs: Readonly<Record<DeliveryLane, number>>;
  /** Told when the queue is given up or used again. */
  readonly onRoute: (route: "queue" | "direct", error?: Error) => void;
}

/** Sends claims on their way: through the queue, or to this process itself while the queue does not answer. */
export interface Dispatcher {
  dispatch(claims: readonly DeliveryClaim[]): Promise<void>;
  /** Looks whether the queue is there. @returns the generation of its store, or null. */
  probe(): Promise<string | null>;
}

export const queueOfLane = {
  fast: "webhook-deliveries",
  slow: "webhook-deliveries-slow",
} as const satisfies Record<DeliveryLane, QueueName>;

/** A slow endpoint must not hold up others of its own job, and a fast one is cheapest in large jobs. */
const jobSizes: Readonly<Record<DeliveryLane, number>> = { fast: 25, slow: 1 };

function jobsOf({ accountId, webhookId, claimId, lane, notificationIds }: DeliveryClaim): DeliveryJob[] {
  const size = jobSizes[lane];
  return Array.from({ length: Math.ceil(notificationIds.length / size) }, (_, index) => ({
    accountId,
    webhookId,
    claimId,
    notificationIds: notificationIds.slice(index * size, (index + 1) * size),
  }));
}

const heldBy = ({ accountId, claimId, notificationIds }: DeliveryJob) =>
  notificationIds.map((notificationId) => ({ accountId, claimId, notificationId }));

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { database, queues, deliverer, queued, directJobs, onRoute } = options;
  let generation: string | null = null;
  const waiting: Record<DeliveryLane, DeliveryJob[]> = { fast: [], slow: [] };
  const busy: Record<DeliveryLane, number> = { fast: 0, slow: 0 };

  const setGeneration = (next: string | null, error?: Error): void => {
    if ((next === null) !== (generation === null)) onRoute(next === null ? "direct" : "queue", error);
    generation = next;
  };

  const runDirect = (lane: DeliveryLane): void => {
    while (busy[lane] < directJobs[lane]) {
      const job = waiting[lane].shift();
      if (!job) return;
      busy[lane] += 1;
      // What could not be begun stays claimed until its lease ends, and is then claimed again.
      void deliverer
        .deliver(job)
        .catch(() => undefined)
        .then(() => {
          busy[lane] -= 1;
          runDirect(lane);
        });
    }
  };

  const sendDirect = (lane: DeliveryLane, jobs: readonly DeliveryJob[]): void => {
    for (const job of jobs) queued.add(job, lane, null);
    waiting[lane].push(...jobs);
    runDirect(lane);
  };

  const sendQueued = async (lane: DeliveryLane, jobs: readonly DeliveryJob[], route: string): Promise<void> => {
    for (const job of jobs) queued.add(job, lane, route);
    try {
      const accepted = await queues.enqueue(queueOfLane[lane], jobs);
      const refused = jobs.filter((_job, index) => !accepted[index]);
      if (refused.length === 0) return;
      queued.forget(refused.flatMap(({ notificationIds }) => notificationIds));
      await releaseClaims(database.sql, refused.flatMap(heldBy));
    } catch (error) {
      // Some may have been queued before it failed. That does no harm: whoever takes a delivery first has it.
      setGeneration(null, error as Error);
      sendDirect(lane, jobs);
    }
  };

  return {
    async dispatch(claims) {
      for (const lane of ["fast", "slow"] as const) {
        const jobs = claims.filter((claim) => claim.lane === lane).flatMap(jobsOf);
        if (jobs.length === 0) continue;
        if (generation === null) sendDirect(lane, jobs);
        else await sendQueued(lane, jobs, generation);
      }
    },
    async probe() {
      try {
        setGeneration(await queues.generation());
      } catch (error) {
        setGeneration(null, error as Error);
      }
      return generation;
    },
  };
}
