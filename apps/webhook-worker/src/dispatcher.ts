import type { DeliveryLane } from "@svc/domain/webhooks";
import type { Database } from "@svc/persistence";
import { type Claim, releaseClaims } from "@svc/persistence/delivery";
import type { QueueName, Queues } from "@svc/queue";
import type { ClaimRegistry } from "./claim-registry.ts";
import type { Deliverer, DeliveryJob } from "./deliverer.ts";

export interface DispatcherOptions {
  readonly database: Database;
  readonly queues: Queues;
  readonly deliverer: Pick<Deliverer, "deliver">;
  readonly registry: ClaimRegistry;
  /** Maximum number of concurrent jobs of each lane while this process delivers without the queue. */
  readonly directJobs: Readonly<Record<DeliveryLane, number>>;
  /** Called when the route changes. */
  readonly onRoute: (route: "queue" | "direct", error?: Error) => void;
  /** Called with the number of overdue claims that this process starts itself. */
  readonly onOverdue: (claims: number) => void;
}

/** Sends claims to the workers: through the queue, or within this process while the queue is unavailable. */
export interface Dispatcher {
  dispatch(claims: readonly Claim[]): Promise<void>;
  /**
   * Checks whether the queue is available. Checks less often while it holds no job of this process, because none could
   * be lost.
   * @returns the generation of its store, or null.
   */
  probe(): Promise<string | null>;
  /**
   * Renews the leases of queued claims, and starts overdue ones here.
   * @returns whether some were released, so that their deliveries are due again.
   */
  renew(): Promise<boolean>;
}

export const queueByLane = {
  fast: "webhook-deliveries",
  slow: "webhook-deliveries-slow",
} as const satisfies Record<DeliveryLane, QueueName>;

const idleProbeMs = 10_000;

const toJob = ({ accountId, claimId }: Claim): DeliveryJob => ({ accountId, claimId });

/** Runs jobs within this process, up to the limit of their lane at once. @returns a function that adds jobs. */
function directRunner({ deliverer, directJobs }: DispatcherOptions) {
  const waiting: Record<DeliveryLane, DeliveryJob[]> = { fast: [], slow: [] };
  const busy: Record<DeliveryLane, number> = { fast: 0, slow: 0 };

  const startWaiting = (lane: DeliveryLane): void => {
    while (busy[lane] < directJobs[lane]) {
      const job = waiting[lane].shift();
      if (!job) return;
      busy[lane] += 1;
      // A claim that cannot be started is reclaimed when its lease expires.
      void deliverer
        .deliver(job, lane)
        .catch(() => undefined)
        .then(() => {
          busy[lane] -= 1;
          startWaiting(lane);
        });
    }
  };

  return (lane: DeliveryLane, jobs: readonly DeliveryJob[]): void => {
    waiting[lane].push(...jobs);
    startWaiting(lane);
  };
}

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { database, queues, registry, onRoute, onOverdue } = options;
  const runDirect = directRunner(options);
  let generation: string | null = null;
  let probedAtMs = Number.NEGATIVE_INFINITY;

  const setGeneration = (next: string | null, error?: Error): void => {
    if ((next === null) !== (generation === null)) onRoute(next === null ? "direct" : "queue", error);
    generation = next;
  };

  const sendDirect = (lane: DeliveryLane, claims: readonly Claim[]): void => {
    for (const claim of claims) registry.add(claim, null);
    runDirect(lane, claims.map(toJob));
  };

  const sendQueued = async (lane: DeliveryLane, claims: readonly Claim[], route: string): Promise<void> => {
    for (const claim of claims) registry.add(claim, route);
    try {
      const accepted = await queues.enqueue(queueByLane[lane], claims.map(toJob));
      const refused = claims.filter((_claim, index) => !accepted[index]);
      if (refused.length === 0) return;
      for (const { claimId } of refused) registry.remove(claimId);
      await releaseClaims(database.sql, refused);
    } catch (error) {
      // Some jobs may have been queued before the failure, but a claim starts only once.
      setGeneration(null, error as Error);
      sendDirect(lane, claims);
    }
  };

  const isEmpty = async (lane: DeliveryLane): Promise<boolean> =>
    (await queues.depth(queueByLane[lane]).catch(() => Number.NaN)) === 0;

  const probe = async (): Promise<string | null> => {
    const idle = registry.count("fast") + registry.count("slow") === 0;
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
        const laneClaims = claims.filter((claim) => claim.lane === lane);
        if (laneClaims.length === 0) continue;
        if (generation === null) sendDirect(lane, laneClaims);
        else await sendQueued(lane, laneClaims, generation);
      }
    },
    async renew() {
      const { hasReleased, overdue } = await registry.renewQueued(await probe(), isEmpty);
      if (overdue.length > 0) onOverdue(overdue.length);
      for (const lane of ["fast", "slow"] as const) {
        sendDirect(
          lane,
          overdue.filter((claim) => claim.lane === lane),
        );
      }
      return hasReleased;
    },
  };
}
