import type { WebhookSigner } from "@svc/egress";
import {
  type Database,
  type DeliveryOutcome,
  type HeldDelivery,
  type OutcomeWriter,
  releaseClaims,
  renewLeases,
  type SecretBox,
  type TakenDelivery,
  takeClaimed,
} from "@svc/persistence";
import type { JobPayload } from "@svc/queue";
import { type AttemptTools, attemptDelivery, unsignedOutcome } from "./attempt-delivery.ts";
import { signerOf } from "./delivery-request.ts";

export type DeliveryJob = JobPayload<"webhook-deliveries">;

export interface DelivererOptions extends AttemptTools {
  readonly database: Database;
  readonly box: SecretBox;
  readonly writer: OutcomeWriter;
  readonly leaseMs: number;
  /** The job has come to this process: nobody needs to keep its place in the queue any longer. */
  readonly onTaken: (notificationIds: readonly string[]) => void;
  readonly onAttempted: (delivery: TakenDelivery, outcome: DeliveryOutcome) => void;
  /** The outcome could not be stored; the lease will end and the notification be sent again. */
  readonly onUnrecorded: (delivery: TakenDelivery, error: unknown) => void;
  /** A delivery ended, so its webhook may be claimed for again. */
  readonly onFreed: () => void;
}

/** Sends the deliveries of jobs. */
export interface Deliverer {
  /**
   * Begins all deliveries of a job at once. Resolves when they are done, or after a second at the latest: then they end
   * on their own and others may have the place. Rejects when the database does not answer; nothing was sent then.
   */
  deliver(job: DeliveryJob): Promise<void>;
  /** Extends the leases of what is under way. */
  renew(): Promise<void>;
  /** Begins nothing more, gives what is under way the time, then cuts it off; every outcome is stored. */
  stop(graceMs: number): Promise<void>;
}

const lingerMs = 1_000;
const lingeringMax = 1_000;
const renewAfterMs = 900;

interface UnderWay extends HeldDelivery {
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
  const { database, box, writer, leaseMs, onTaken, onAttempted, onUnrecorded, onFreed } = options;
  const underWay = new Map<string, UnderWay>();
  const running = new Set<Promise<void>>();
  const cutOff = new AbortController();
  let stopping = false;

  const send = async (delivery: TakenDelivery, sign: WebhookSigner | null): Promise<void> => {
    const outcome = sign
      ? await attemptDelivery(delivery, options, sign, cutOff.signal)
      : unsignedOutcome(delivery, options.random());
    try {
      await writer.write(outcome);
      onAttempted(delivery, outcome);
    } catch (error) {
      onUnrecorded(delivery, error);
    }
    underWay.delete(delivery.notificationId);
    onFreed();
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

  const signerFor = ([first]: readonly TakenDelivery[]): WebhookSigner | null => {
    try {
      return first ? signerOf(first, box) : null;
    } catch {
      return null;
    }
  };

  const begin = (taken: readonly TakenDelivery[]): Promise<unknown> => {
    const sign = signerFor(taken);
    return Promise.all(
      taken.map((delivery) => {
        const { accountId, notificationId, claimId } = delivery;
        underWay.set(notificationId, { accountId, notificationId, claimId, leasedAtMs: performance.now() });
        return track(send(delivery, sign));
      }),
    );
  };

  const takeAndBegin = async (job: DeliveryJob): Promise<{ all: Promise<unknown> }> => {
    const taken = stopping ? [] : await takeClaimed(database.sql, job.accountId, { ...job, leaseMs });
    const all = begin(taken);
    await handBack(job, taken);
    return { all };
  };

  const idle = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running);
  };

  const handBack = (job: DeliveryJob, taken: readonly TakenDelivery[]): Promise<void> => {
    const begun = new Set(taken.map(({ notificationId }) => notificationId));
    const rest = job.notificationIds.filter((id) => !begun.has(id));
    if (rest.length === 0) return Promise.resolve();
    const { accountId, claimId } = job;
    return releaseClaims(
      database.sql,
      rest.map((notificationId) => ({ accountId, notificationId, claimId })),
    );
  };

  return {
    async deliver(job) {
      onTaken(job.notificationIds);
      const { all } = await track(takeAndBegin(job));
      if (running.size > lingeringMax) await all;
      else await within(all, lingerMs);
    },
    async renew() {
      const nowMs = performance.now();
      const old = [...underWay.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (old.length === 0) return;
      await renewLeases(database.sql, old, leaseMs, true);
      for (const one of old) one.leasedAtMs = nowMs;
    },
    async stop(graceMs) {
      stopping = true;
      await within(idle(), graceMs);
      cutOff.abort();
      await idle();
    },
  };
}
