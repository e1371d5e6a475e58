import { type Instant, msBetween } from "@svc/domain";
import type { Sql } from "@svc/persistence";
import { claimDueSubjects, nextDueAt, renewSubjectLeases, type SubjectClaim } from "@svc/persistence/tracking";
import { type Logger, repeat, resolvesWithin, type WatchedLoop } from "@svc/service-kit";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { CarrierSlots } from "../carriers/carrier-slots.ts";

export interface PollLoopOptions {
  readonly sql: Sql;
  readonly clock: TrackingContext["clock"];
  readonly brands: TrackingContext["brands"];
  readonly slots: CarrierSlots;
  /** Unique to the process. */
  readonly owner: string;
  /** Lease in real time; after it, another worker takes over the subjects of a worker that died. */
  readonly leaseMs: number;
  readonly concurrency: number;
  readonly carrierConcurrency: number;
  /** Limit, in real time, of how late a jump of the tracking clock or an expired lease is noticed. */
  readonly sleepMaxMs: number;
  /** Runs before each claim, and makes subjects due. @returns whether there may be more to prepare. */
  readonly prepare: () => Promise<boolean>;
  /** Must not reject, and must end soon after `signal` aborts. */
  readonly poll: (claim: SubjectClaim, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  /** Fail liveness when claiming or lease renewal hangs. Default: not watched. */
  readonly watched?: { readonly claims: WatchedLoop; readonly leases: WatchedLoop };
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

interface Sleeper {
  /** Resolves after the time, or when it is woken; immediately if it was woken since it slept last. */
  sleep(ms: number): Promise<void>;
  wake(): void;
}

function createSleeper(): Sleeper {
  let woken = Promise.withResolvers<void>();
  return {
    async sleep(ms) {
      await resolvesWithin(woken.promise, ms);
      woken = Promise.withResolvers<void>();
    },
    wake: () => woken.resolve(),
  };
}

/** Claims due subjects, polls them, and sleeps until the next one is due. The schedule is in PostgreSQL only. */
export function startPollLoop(options: PollLoopOptions): PollLoop {
  const { sql, clock, slots, owner, leaseMs, concurrency, logger } = options;
  const leased = new Map<string, { claim: SubjectClaim; abort: AbortController; done: Promise<void> }>();
  const { sleep, wake } = createSleeper();
  let isStopping = false;

  const startPoll = (claim: SubjectClaim): void => {
    // A lease that expired before it was renewed: this claim replaces the one in progress.
    leased.get(claim.id)?.abort.abort();
    const abort = new AbortController();
    const done = options.poll(claim, abort.signal).finally(() => {
      if (leased.get(claim.id)?.claim === claim) leased.delete(claim.id);
      wake();
    });
    leased.set(claim.id, { claim, abort, done });
  };

  const sleepUntilDue = async (now: Instant): Promise<void> => {
    const dueAt = leased.size < concurrency ? await nextDueAt(sql, now) : null;
    const untilDueMs = dueAt === null ? Number.POSITIVE_INFINITY : msBetween(now, dueAt) / clock.scale();
    const untilFreeMs = Math.min(untilDueMs, slots.nextOpeningInMs());
    await sleep(Math.min(Math.max(untilFreeMs, 1), options.sleepMaxMs));
  };

  const pollDue = async (): Promise<void> => {
    const hasMoreToPrepare = await options.prepare();
    const now = clock.now();
    const limit = concurrency - leased.size;
    const limits = { limit, credentialLimits: slots.free(), otherLimit: options.carrierConcurrency };
    const schedulingState = { lastAccounts: slots.lastAccounts(), inProgress: slots.inProgress() };
    const claimRequest = { now, owner, leaseMs, brands: options.brands, ...limits, ...schedulingState };
    const claims = limit > 0 ? await claimDueSubjects(sql, claimRequest) : [];
    for (const claim of claims) {
      slots.claimed(claim);
      startPoll(claim);
    }
    if (hasMoreToPrepare) return;
    if (claims.length === 0 || claims.length === limit) await sleepUntilDue(now);
  };

  const run = async (): Promise<void> => {
    while (!isStopping) {
      options.watched?.claims.step();
      try {
        await pollDue();
      } catch (error) {
        logger.error({ err: error }, "tracking.claim_failed");
        await sleep(errorPauseMs);
      }
    }
  };

  const renew = async (): Promise<void> => {
    const renewed = [...leased.values()];
    if (renewed.length === 0) return;
    const renewedIds = await renewSubjectLeases(sql, { owner, leaseMs, claims: renewed.map(({ claim }) => claim) });
    for (const { claim, abort } of renewed) if (!renewedIds.has(claim.id)) abort.abort();
  };

  const heartbeat = repeat(
    leaseMs / 3,
    renew,
    (error) => logger.warn({ err: error }, "tracking.leases_not_renewed"),
    options.watched?.leases,
  );
  const running = run();
  return {
    wake,
    inProgress: () => leased.size,
    async stop() {
      isStopping = true;
      wake();
      await running;
      options.watched?.claims.stop();
      for (const { abort } of leased.values()) abort.abort();
      await Promise.all([...leased.values()].map(({ done }) => done));
      await heartbeat.stop();
    },
  };
}
