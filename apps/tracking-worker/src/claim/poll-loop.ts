import { type Instant, msBetween } from "@svc/domain";
import { claimDueSubjects, nextDueAt, renewSubjectLeases, type Sql, type SubjectClaim } from "@svc/persistence";
import type { Logger, WatchedLoop } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { CarrierSlots } from "../carriers/carrier-slots.ts";

export interface PollLoopOptions {
  readonly sql: Sql;
  readonly clock: TrackingContext["clock"];
  readonly slots: CarrierSlots;
  /** Unique to the process. */
  readonly owner: string;
  /** In real time: after this, another worker takes over the subjects of a worker that died. */
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly carrierConcurrency: number;
  /** In real time: the bound on how late a jump of the tracking clock or an expired lease is noticed. */
  readonly longestSleepMs: number;
  /** Runs before each claim, and makes subjects due. @returns whether there may be more to prepare. */
  readonly prepare: () => Promise<boolean>;
  /** Must not reject, and must end soon after `signal` aborts. */
  readonly poll: (claim: SubjectClaim, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  /** Fails liveness when the loop hangs, for example on a database that stopped answering. Absent: not watched. */
  readonly watched?: WatchedLoop;
}

export interface PollLoop {
  /** Checks for due subjects now. */
  wake(): void;
  /** Number of claimed subjects. */
  inProgress(): number;
  /** Stops claiming, cancels carrier requests and releases their subjects; transactions in progress are finished. */
  stop(): Promise<void>;
}

const errorPauseMs = 1_000;

/** Claims due subjects, polls them, and sleeps until the next one is due. The schedule is in PostgreSQL only. */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { sql, clock, slots, owner, leaseMs, concurrency, logger } = options;
  const held = new Map<string, { claim: SubjectClaim; abort: AbortController; done: Promise<void> }>();
  /** By shared credential, for round robin over accounts. */
  const lastAccounts = new Map<string, string>();
  let isStopping = false;
  let isWoken = false;
  let endSleep: (() => void) | undefined;

  const wake = (): void => {
    isWoken = true;
    endSleep?.();
  };

  const sleep = async (ms: number): Promise<void> => {
    if (!isWoken && !isStopping) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      endSleep = undefined;
    }
    isWoken = false;
  };

  const hold = (claim: SubjectClaim): void => {
    const abort = new AbortController();
    const done = options.poll(claim, abort.signal).finally(() => {
      held.delete(claim.id);
      wake();
    });
    held.set(claim.id, { claim, abort, done });
  };

  const sleepUntilDue = async (now: Instant): Promise<void> => {
    const dueAt = held.size < concurrency ? await nextDueAt(sql, now) : null;
    const untilDueMs = dueAt === null ? Number.POSITIVE_INFINITY : msBetween(now, dueAt) / clock.scale();
    const untilFreeMs = Math.min(untilDueMs, slots.nextOpeningInMs());
    await sleep(Math.min(Math.max(untilFreeMs, 1), options.longestSleepMs));
  };

  const pollDue = async (): Promise<void> => {
    const isMoreToPrepare = await options.prepare();
    const now = clock.now();
    const limit = concurrency - held.size;
    const limits = { limit, credentialLimits: slots.free(), otherLimit: options.carrierConcurrency, lastAccounts };
    const claims = limit > 0 ? await claimDueSubjects(sql, { now, owner, leaseMs, ...limits }) : [];
    for (const claim of claims) {
      if (claim.connection === null) lastAccounts.set(claim.scac, claim.accountId);
      hold(claim);
    }
    if (isMoreToPrepare) return;
    if (claims.length === 0 || claims.length === limit) await sleepUntilDue(now);
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      options.watched?.step();
      try {
        await pollDue();
      } catch (error) {
        logger.error({ err: error }, "tracking.claim_failed");
        await sleep(errorPauseMs);
      }
    }
  };

  const renew = async (): Promise<void> => {
    const renewed = [...held.values()];
    if (renewed.length === 0) return;
    try {
      const still = await renewSubjectLeases(sql, { owner, leaseMs, claims: renewed.map(({ claim }) => claim) });
      for (const { claim, abort } of renewed) if (!still.has(claim.id)) abort.abort();
    } catch (error) {
      logger.warn({ err: error }, "tracking.leases_not_renewed");
    }
  };

  const heartbeat = setInterval(() => void renew(), leaseMs / 3);
  const running = run();
  return {
    wake,
    inProgress: () => held.size,
    async stop() {
      isStopping = true;
      wake();
      await running;
      options.watched?.stop();
      for (const { abort } of held.values()) abort.abort();
      await Promise.all([...held.values()].map(({ done }) => done));
      clearInterval(heartbeat);
    },
  };
}
