import type { DeliveryLane } from "@svc/domain";
import {
  type ClaimTaker,
  type Database,
  type DeliveryOutcome,
  type HeldClaim,
  type OutcomeWriter,
  releaseClaims,
  renewBegunClaims,
  type SecretBox,
  type TakenDelivery,
} from "@svc/persistence";
import type { JobPayload } from "@svc/queue";
import { type AttemptTools, attemptDelivery, unsignedOutcome } from "./attempt-delivery.ts";
import { type PrepareRequest, requestsTo } from "./delivery-request.ts";

export type DeliveryJob = JobPayload<"webhook-deliveries">;

export interface DelivererOptions extends AttemptTools {
  readonly database: Database;
  readonly box: SecretBox;
  readonly taker: ClaimTaker;
  readonly writer: OutcomeWriter;
  readonly leaseMs: number;
  /** Requests of the fast lane under way with which no job of it keeps its place until they are done. */
  readonly fastAtOnce: number;
  /** The job has come to this process: nobody needs to keep its place in the queue any longer. */
  readonly onTaken: (claimId: string) => void;
  readonly onAttempted: (delivery: TakenDelivery, outcome: DeliveryOutcome) => void;
  /** The outcome could not be stored; the lease will end and the notification be sent again. */
  readonly onUnrecorded: (delivery: TakenDelivery, error: unknown) => void;
  /** A delivery ended, so its webhook may be claimed for again. */
  readonly onFreed: () => void;
}

/** Sends the deliveries of jobs. */
export interface Deliverer {
  /**
   * Begins all deliveries of a job at once. Resolves when they are done, or when they take longer than the lane waits, which
   * the fast one does only when many are under way: then they end on their own and others may have the place. Rejects when the database does not answer; nothing was
   * sent then.
   */
  deliver(job: DeliveryJob, lane: DeliveryLane): Promise<void>;
  /** Extends the leases of what is under way. */
  renew(): Promise<void>;
  /** Begins nothing more, gives what is under way the time, then cuts it off; every outcome is stored. */
  stop(graceMs: number): Promise<void>;
}

/** An endpoint that does not answer in this time must not hold up others: its place is given to the next job. */
const promptMs = 50;
/** Of the slow lane, and of the fast one too while more requests than these are under way in it. */
const patientMs = 1_000;
const promptMax = 1_000;
const renewAfterMs = 900;

interface UnderWay extends HeldClaim {
  /** Not settled yet, by notification id. */
  readonly open: Set<string>;
  leasedAtMs: number;
}

async function within(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { database, box, taker, writer, leaseMs, onTaken, onAttempted, onUnrecorded, onFreed } = options;
  const underWay = new Map<string, UnderWay>();
  const running = new Set<Promise<unknown>>();
  const sending: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  let stopping = false;

  /** @returns whether its outcome is stored. */
  const send = async (
    delivery: TakenDelivery,
    prepare: PrepareRequest | null,
    isLastAnswered: () => boolean,
  ): Promise<boolean> => {
    try {
      const outcome = prepare
        ? await attemptDelivery(delivery, options, prepare)
        : unsignedOutcome(delivery, options.random());
      await writer.write(outcome, { isLastOfClaim: isLastAnswered() });
      onAttempted(delivery, outcome);
      return true;
    } catch (error) {
      onUnrecorded(delivery, error);
      return false;
    }
  };

  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    running.add(settled);
    void settled.then(() => running.delete(settled));
    return work;
  };

  const begin = async (job: DeliveryJob, taken: readonly TakenDelivery[], lane: DeliveryLane): Promise<void> => {
    const { accountId, claimId } = job;
    const [first] = taken;
    if (!first) return;
    const prepare = requestsTo(first.target, box);
    const open = new Set(taken.map(({ notificationId }) => notificationId));
    underWay.set(claimId, { accountId, claimId, open, leasedAtMs: performance.now() });
    sending[lane] += taken.length;
    let unanswered = taken.length;
    const isLastAnswered = () => --unanswered === 0;
    await Promise.all(
      taken.map(async (delivery) => {
        if (await send(delivery, prepare, isLastAnswered)) open.delete(delivery.notificationId);
        sending[lane] -= 1;
      }),
    );
    underWay.delete(claimId);
    onFreed();
  };

  const takeAndBegin = async (job: DeliveryJob, lane: DeliveryLane): Promise<{ all: Promise<void> }> => {
    const taken = stopping ? [] : await taker.take(job);
    const all = track(begin(job, taken, lane));
    if (taken.length === 0) await releaseClaims(database.sql, [job]);
    return { all };
  };

  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  return {
    async deliver(job, lane) {
      onTaken(job.claimId);
      const { all } = await track(takeAndBegin(job, lane));
      // Otherwise many endpoints with one delivery each would be served as slowly as the first of them answers.
      if (lane === "fast" && sending.fast < options.fastAtOnce) return;
      await within(all, lane === "fast" && sending.fast <= promptMax ? promptMs : patientMs);
    },
    async renew() {
      const nowMs = performance.now();
      const old = [...underWay.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (old.length === 0) return;
      const held = old.map(({ accountId, claimId, open }) => ({ accountId, claimId, notificationIds: [...open] }));
      await renewBegunClaims(database.sql, held, leaseMs);
      for (const one of old) one.leasedAtMs = nowMs;
    },
    async stop(graceMs) {
      stopping = true;
      await within(idle(), graceMs);
      await options.agent.destroy();
      await idle();
    },
  };
}
