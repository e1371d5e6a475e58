import type { DeliveryLane } from "@svc/domain/webhooks";
import type { Database, SecretBox } from "@svc/persistence";
import {
  type AttemptOutcome,
  type ClaimStarter,
  type DeliveryAttempt,
  type OutcomeWriter,
  releaseClaims,
} from "@svc/persistence/delivery";
import type { JobPayload } from "@svc/queue";
import { resolvesWithin } from "@svc/service-kit";
import { type AttemptTools, attemptDelivery, unsignedOutcome } from "./attempt-delivery.ts";
import type { ClaimRegistry } from "./claim-registry.ts";
import { type PrepareRequest, requestsTo } from "./delivery-request.ts";
import type { RelaySignals } from "./relay-signals.ts";
import { startGradually } from "./start-gradually.ts";

export type DeliveryJob = JobPayload<"webhook-deliveries">;

export interface DelivererOptions extends AttemptTools {
  readonly database: Database;
  readonly box: SecretBox;
  readonly starter: ClaimStarter;
  readonly writer: OutcomeWriter;
  readonly registry: Pick<ClaimRegistry, "dequeued" | "started" | "settled" | "closed">;
  readonly signals: Pick<RelaySignals, "capacity">;
  /** Number of requests in flight in the fast lane from which its jobs wait for their responses. */
  readonly fastConcurrency: number;
  readonly onAttempted: (delivery: DeliveryAttempt, outcome: AttemptOutcome) => void;
  /** The outcome could not be stored; the lease will expire and the delivery be retried. */
  readonly onUnrecorded: (delivery: DeliveryAttempt, error: unknown) => void;
}

/** Sends the deliveries of jobs. */
export interface Deliverer {
  /**
   * Starts the deliveries of a job, as many at once as there are connections to their endpoint. Resolves when they are
   * settled, or earlier so that the next job can start: the fast lane waits for responses only while many requests are
   * in flight. Rejects when the database does not respond; nothing was sent then.
   */
  deliver(job: DeliveryJob, lane: DeliveryLane): Promise<void>;
  /** Starts no more deliveries and aborts requests in flight after `graceMs`. Every outcome is stored. */
  stop(graceMs: number): Promise<void>;
}

/** Time after which the next job starts, so that an endpoint without a response does not delay others. */
const fastWaitMs = 50;
/** Wait in the slow lane, and in the fast one while it has more requests in flight than `fastInFlightMax`. */
const slowWaitMs = 1_000;
const fastInFlightMax = 1_000;
/** Deliveries that are kept in memory for each request that may be in flight. */
const unsettledFactor = 4;

interface WorkTracker {
  /** @returns the work. */
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when all tracked work has settled, also what is tracked in the meantime. */
  idle(): Promise<void>;
}

function trackWork(): WorkTracker {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      const settled = work.then(
        () => undefined,
        () => undefined,
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return work;
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { database, box, starter, writer, registry, signals, fastConcurrency, onAttempted, onUnrecorded } = options;
  const { track, idle } = trackWork();
  /** Requests in flight. */
  const sending: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  /** Deliveries of started jobs, in flight or waiting for a connection of their endpoint. */
  const unsettled: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  let isStopping = false;

  /**
   * @param countResponse counts a response of the claim, and returns whether it was the last.
   * @returns whether its outcome is stored.
   */
  const send = async (
    delivery: DeliveryAttempt,
    prepare: PrepareRequest | null,
    countResponse: () => boolean,
  ): Promise<boolean> => {
    try {
      const outcome = prepare
        ? await attemptDelivery(delivery, options, prepare)
        : unsignedOutcome(delivery, options.random());
      await writer.write(outcome, { isLastOfClaim: countResponse() });
      onAttempted(delivery, outcome);
      return true;
    } catch (error) {
      onUnrecorded(delivery, error);
      return false;
    }
  };

  const attemptAll = async (
    job: DeliveryJob,
    attempts: readonly DeliveryAttempt[],
    lane: DeliveryLane,
  ): Promise<void> => {
    const [first] = attempts;
    if (!first) return;
    const prepare = requestsTo(first.target, box);
    registry.started(
      job,
      attempts.map(({ notificationId }) => notificationId),
    );
    unsettled[lane] += attempts.length;
    let unanswered = attempts.length;
    const countResponse = () => --unanswered === 0;
    await startGradually(attempts, options.agent.idleConnections(first.target.url), async (delivery) => {
      sending[lane] += 1;
      if (await send(delivery, prepare, countResponse)) registry.settled(job.claimId, delivery.notificationId);
      sending[lane] -= 1;
      unsettled[lane] -= 1;
    });
    registry.closed(job.claimId);
    signals.capacity();
  };

  /** `all` is wrapped, because an async function that returned this promise would itself wait for it. */
  const start = async (job: DeliveryJob, lane: DeliveryLane): Promise<{ all: Promise<void> }> => {
    const attempts = isStopping ? [] : await starter.start(job);
    const all = track(attemptAll(job, attempts, lane));
    if (attempts.length === 0) await releaseClaims(database.sql, [job]);
    return { all };
  };

  return {
    async deliver(job, lane) {
      registry.dequeued(job.claimId);
      const { all } = await track(start(job, lane));
      // Waiting here would let one slow endpoint delay many others with one delivery each.
      if (lane === "fast" && sending.fast < fastConcurrency && unsettled.fast < unsettledFactor * fastConcurrency)
        return;
      await resolvesWithin(all, lane === "fast" && sending.fast <= fastInFlightMax ? fastWaitMs : slowWaitMs);
    },
    async stop(graceMs) {
      isStopping = true;
      await resolvesWithin(idle(), graceMs);
      await options.agent.destroy();
      await idle();
    },
  };
}
