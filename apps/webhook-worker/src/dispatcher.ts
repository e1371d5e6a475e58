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
  /** Told how many claims of the queue this process begins itself, because nobody else did. */
  readonly onOverdue: (claims: number) => void;
}

/** Sends claims on their way: through the queue, or to this process itself while the queue does not answer. */
export interface Dispatcher {
  dispatch(claims: readonly DeliveryClaim[]): Promise<void>;
  /**
   * Looks whether the queue is there; only now and then while it holds nothing of this process, which could not be lost.
   * @returns the generation of its store, or null.
   */
  probe(): Promise<string | null>;
  /**
   * Keeps the leases of what is queued, and begins here what nobody else will.
   * @returns whether some were handed back, so that they are due again.
   */
  keep(): Promise<boolean>;
}

export const queueOfLane = {
  fast: "webhook-deliveries",
  slow: "webhook-deliveries-slow",
} as const satisfies Record<DeliveryLane, QueueName>;

const idleProbeMs = 10_000;

const jobOf = ({ accountId, claimId }: DeliveryClaim): DeliveryJob => ({ accountId, claimId });

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { database, queues, deliverer, queued, directJobs, onRoute, onOverdue } = options;
  let generation: string | null = null;
  let probedAtMs = Number.NEGATIVE_INFINITY;
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
        .deliver(job, lane)
        .catch(() => undefined)
        .then(() => {
          busy[lane] -= 1;
          runDirect(lane);
        });
    }
  };

  const sendDirect = (lane: DeliveryLane, claims: readonly DeliveryClaim[]): void => {
    for (const claim of claims) queued.add(claim, null);
    waiting[lane].push(...claims.map(jobOf));
    runDirect(lane);
  };

  const sendQueued = async (lane: DeliveryLane, claims: readonly DeliveryClaim[], route: string): Promise<void> => {
    for (const claim of claims) queued.add(claim, route);
    try {
      const accepted = await queues.enqueue(queueOfLane[lane], claims.map(jobOf));
      const refused = claims.filter((_claim, index) => !accepted[index]);
      if (refused.length === 0) return;
      for (const { claimId } of refused) queued.forget(claimId);
      await releaseClaims(database.sql, refused);
    } catch (error) {
      // Some may have been queued before it failed. That does no harm: whoever takes a claim first has it.
      setGeneration(null, error as Error);
      sendDirect(lane, claims);
    }
  };

  const isEmpty = async (lane: DeliveryLane): Promise<boolean> =>
    (await queues.depth(queueOfLane[lane]).catch(() => Number.NaN)) === 0;

  const probe = async (): Promise<string | null> => {
    const idle = queued.count("fast") + queued.count("slow") === 0;
    if (generation !== null && idle && performance.now() - probedAtMs < idleProbeMs) return generation;
    probedAtMs = performance.now();
    try {
      setGeneration(await queues.generation());
    } catch (error) {
      setGeneration(null, error as Error);
    }
    return generation;
  };

  return {
    probe,
    async dispatch(claims) {
      for (const lane of ["fast", "slow"] as const) {
        const ofLane = claims.filter((claim) => claim.lane === lane);
        if (ofLane.length === 0) continue;
        if (generation === null) sendDirect(lane, ofLane);
        else await sendQueued(lane, ofLane, generation);
      }
    },
    async keep() {
      const { handedBack, overdue } = await queued.keep(await probe(), isEmpty);
      if (overdue.length > 0) onOverdue(overdue.length);
      for (const lane of ["fast", "slow"] as const) {
        sendDirect(
          lane,
          overdue.filter((claim) => claim.lane === lane),
        );
      }
      return handedBack;
    },
  };
}
