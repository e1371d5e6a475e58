import { randomUUID } from "node:crypto";
import type { DeliveryLane } from "@svc/domain";
import {
  claimDeliveries,
  type Database,
  deliveryOutlook,
  type RoundPosition,
  type SweptLeases,
  sweepEndedLeases,
} from "@svc/persistence";
import type { Dispatcher } from "./dispatcher.ts";
import type { QueuedClaims } from "./queued-claims.ts";

export interface RelayOptions {
  readonly database: Database;
  readonly dispatcher: Dispatcher;
  readonly queued: QueuedClaims;
  readonly leaseMs: number;
  /** Claims of each lane that may wait for a worker, so that the queue stays short and its order fresh. */
  readonly queuedMax: Readonly<Record<DeliveryLane, number>>;
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  readonly onSwept: (swept: SweptLeases) => void;
  readonly onError: (error: unknown) => void;
}

/** Moves what is due from the outbox to the workers. */
export interface Relay {
  /** Something may be due now. */
  wake(): void;
  /** A worker has room again; of use only when the last round found more than it could claim. */
  freed(): void;
  stop(): Promise<void>;
}

const backstopMs = 1_000;
const errorPauseMs = 500;

export function startRelay(options: RelayOptions): Relay {
  const { database, dispatcher, queued, leaseMs, queuedMax, webhookLimit, onSwept, onError } = options;
  let position: RoundPosition | null = null;
  let woken = true;
  let limited = false;
  let stopping = false;
  let rouse = (): void => undefined;

  const sleep = (timeoutMs: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      rouse = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  const wake = (): void => {
    woken = true;
    rouse();
  };

  /** Claims in turn until a whole round found nothing more, or the lanes are full. */
  const drain = async (): Promise<void> => {
    for (;;) {
      const fromStart = position === null;
      const budget = {
        fast: Math.max(0, queuedMax.fast - queued.count("fast")),
        slow: Math.max(0, queuedMax.slow - queued.count("slow")),
      };
      const round = await claimDeliveries(database, {
        claimId: randomUUID(),
        after: position,
        budget,
        webhookLimit,
        leaseMs,
      });
      position = round.position;
      limited ||= round.limited;
      await dispatcher.dispatch(round.claims);
      if (stopping || (fromStart && position === null)) return;
      if (budget.fast === 0 && budget.slow === 0) return;
    }
  };

  const round = async (): Promise<number> => {
    const outlook = await deliveryOutlook(database.sql);
    if (outlook.leaseEnded) onSwept(await sweepEndedLeases(database));
    limited = false;
    if (outlook.due || outlook.leaseEnded) await drain();
    return Math.min(outlook.nextDueInMs ?? backstopMs, backstopMs);
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      woken = false;
      let pauseMs = errorPauseMs;
      try {
        pauseMs = await round();
      } catch (error) {
        onError(error);
      }
      if (!woken && !stopping) await sleep(pauseMs);
    }
  };

  const running = run();
  return {
    wake,
    freed() {
      if (limited) wake();
    },
    async stop() {
      stopping = true;
      rouse();
      await running;
    },
  };
}
