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
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  readonly queued: QueuedClaims;
  readonly leaseMs: number;
  /** Claims of each lane that may wait for a worker, so that the queue stays short and its order fresh. */
  readonly queuedMax: Readonly<Record<DeliveryLane, number>>;
  readonly webhookLimit: Readonly<Record<DeliveryLane, number>>;
  /** Looks around this often when nothing wakes it; when absent each 900 ms in the minute after something did, each 2,000 later. */
  readonly backstopMs?: number;
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

/** Shorter than a lease, so that the end of each is known before it comes. */
const idleBackstopMs = 2_000;
/** Who commits may be killed before it says so: that is found within a second. */
const busyBackstopMs = 900;
const busyForMs = 60_000;
const errorPauseMs = 500;
/** After the database was away: who is alive renews its leases first, each second, or what it has sent would be sent again. */
const sweepAfterErrorMs = 2_500;
const gatherMs = 4;
/** Each wake-up call says that something is due. Whatever else may be, ended leases and retries, is looked for this often meanwhile. */
const lookEveryMs = 250;
/** After a round that looked at so many webhooks in vain, the next ones look at what is due first. */
const passedByMax = 300;
const dueFirstForMs = 5_000;

export function startRelay(options: RelayOptions): Relay {
  const { database, dispatcher, queued, leaseMs, queuedMax, webhookLimit, onSwept, onError } = options;
  let position: RoundPosition | null = null;
  let woken = true;
  let wokenAtMs = performance.now();
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let sweepFromMs = Number.NEGATIVE_INFINITY;
  let dueFirstUntilMs = Number.NEGATIVE_INFINITY;
  let limited = false;
  let freedMeanwhile = false;
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

  const backstop = (): number => {
    const isBusy = performance.now() - wokenAtMs < busyForMs;
    return options.backstopMs ?? (isBusy ? busyBackstopMs : idleBackstopMs);
  };

  const wake = (): void => {
    woken = true;
    wokenAtMs = performance.now();
    rouse();
  };

  /** What is freed within a few milliseconds is claimed for in one round. */
  let gathering: NodeJS.Timeout | undefined;
  const gathered = (): void => {
    gathering = undefined;
    wake();
  };

  /**
   * Claims in turn until every webhook had its turn and there was nothing more, the lanes are full, or it is time to look around.
   * @returns milliseconds until there may be more to claim.
   */
  const drain = async (): Promise<number> => {
    let admittedInMs = Number.POSITIVE_INFINITY;
    let fromStart = false;
    for (;;) {
      fromStart ||= position === null;
      const budget = {
        fast: Math.max(0, queuedMax.fast - queued.count("fast")),
        slow: Math.max(0, queuedMax.slow - queued.count("slow")),
      };
      const dueFirst = performance.now() < dueFirstUntilMs;
      const claimed = await claimDeliveries(database, { after: position, budget, webhookLimit, leaseMs, dueFirst });
      if ((claimed.passedBy ?? 0) > passedByMax) dueFirstUntilMs = performance.now() + dueFirstForMs;
      position = claimed.position;
      if (claimed.limited) {
        limited = true;
        // Perhaps after the claimer had counted it: nobody says it again.
        if (freedMeanwhile) gathering ??= setTimeout(gathered, gatherMs);
      }
      admittedInMs = Math.min(admittedInMs, claimed.admittedInMs ?? admittedInMs);
      await dispatcher.dispatch(claimed.claims);
      if (stopping || (fromStart && position === null && !claimed.more)) return admittedInMs;
      if (budget.fast === 0 && budget.slow === 0) return admittedInMs;
      if (performance.now() - lookedAtMs > lookEveryMs) {
        woken = true;
        return 0;
      }
    }
  };

  const sweepAll = async (): Promise<void> => {
    for (let more = true; more && !stopping; ) {
      const swept = await sweepEndedLeases(database);
      more = swept.more;
      onSwept(swept);
    }
  };

  /** @returns milliseconds until the next round, if nothing wakes it before. */
  const round = async (isDue: boolean): Promise<number> => {
    const lookInMs = lookedAtMs + lookEveryMs - performance.now();
    limited = false;
    freedMeanwhile = false;
    if (isDue && lookInMs > 0) return Math.min(await drain(), lookInMs);
    lookedAtMs = performance.now();
    const outlook = await deliveryOutlook(database.sql, isDue);
    const sweeps = outlook.leaseEnded && performance.now() >= sweepFromMs;
    if (sweeps) await sweepAll();
    const admittedInMs = outlook.due || sweeps ? await drain() : Number.POSITIVE_INFINITY;
    const backstopMs = backstop();
    return Math.min(outlook.nextChangeInMs ?? backstopMs, admittedInMs, backstopMs);
  };

  const run = async (): Promise<void> => {
    while (!stopping) {
      const isDue = woken;
      woken = false;
      let pauseMs = errorPauseMs;
      try {
        pauseMs = await round(isDue);
      } catch (error) {
        sweepFromMs = performance.now() + sweepAfterErrorMs;
        onError(error);
      }
      if (!woken && !stopping) await sleep(pauseMs);
    }
  };

  const running = run();
  return {
    wake,
    freed() {
      if (limited) gathering ??= setTimeout(gathered, gatherMs);
      else freedMeanwhile = true;
    },
    async stop() {
      stopping = true;
      clearTimeout(gathering);
      rouse();
      await running;
    },
  };
}
