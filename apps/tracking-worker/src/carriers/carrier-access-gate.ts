import type { PolledReply } from "@svc/carriers";
import { addMs, type Instant } from "@svc/domain";
import {
  accessAfter,
  afterFailedCheck,
  afterPassedCheck,
  type CarrierAccess,
  type CarrierLimits,
  isUnlimited,
  type Permit,
  permitRequest,
  permitTest,
  probeMs,
  wasFoundUnreachable,
} from "@svc/domain/carrier-connections";
import { Batcher, type Database, type Sql } from "@svc/persistence";
import {
  type AccessCounts,
  addAccessCounts,
  type CarrierCheckClaim,
  lockCarrierAccess,
  renewProbes,
  rescheduleFailedSubjects,
  saveCarrierAccess,
} from "@svc/persistence/carrier-connections";
import { type LogEvent, type Logger, repeat } from "@svc/service-kit";
import type { TrackingMetrics } from "../metrics.ts";
import { accessOutcomeOf, countReply, noCounts } from "./access-counts.ts";
import type { ConnectedCarrier } from "./carrier-directory.ts";
import type { CarrierSlots } from "./carrier-slots.ts";

export interface CarrierAccessGateOptions {
  readonly database: Database;
  readonly clock: { now(): Instant };
  readonly slots: CarrierSlots;
  readonly metrics: TrackingMetrics;
  readonly logger: Logger;
  readonly random: () => number;
}

/** Time for which a healthy state is cached before it is read again, with the changes of other workers. */
const trustedForMs = 1_000;
const flushEveryMs = 1_000;
const permitBatchMax = 1_000;

interface DecidedPermit {
  readonly permit: Permit;
  readonly openUntil: Instant | null;
}

interface Known {
  isClean: boolean;
  readAtMs: number;
}

/**
 * Grants permits for carrier requests and records their outcomes, shared by all workers: budgets, pauses, circuit
 * breakers.
 */
export class CarrierAccessGate {
  readonly #options: CarrierAccessGateOptions;
  readonly #known = new Map<string, Known>();
  /** Batchers that decide permits, one for each poll, by credential. */
  readonly #permits = new Map<string, Batcher<ConnectedCarrier, DecidedPermit>>();
  /** Polls of this process that are probes, by credential. */
  readonly #probing = new Map<string, ConnectedCarrier>();
  #counts = new Map<string, AccessCounts>();
  readonly #repetitions: readonly { stop(): Promise<void> }[];

  constructor(options: CarrierAccessGateOptions) {
    this.#options = options;
    const failed = (event: LogEvent<"warn">) => (error: unknown) => options.logger.warn({ err: error }, event);
    this.#repetitions = [
      repeat(flushEveryMs, () => this.flush(), failed("carrier.counts_not_written")),
      repeat(probeMs / 3, () => this.#renewProbes(), failed("carrier.probes_not_renewed")),
    ];
  }

  /**
   * @returns the delay of the request in real milliseconds; null: no permit, and the subject waits without using up a
   * retry.
   */
  async permit(connected: ConnectedCarrier): Promise<number | null> {
    const { scac, credential, limits, isRemote } = connected;
    const known = this.#known.get(credential);
    const isTrusted = known?.isClean === true && performance.now() - known.readAtMs < trustedForMs;
    if (!isRemote || (isUnlimited(limits) && isTrusted)) return 0;
    const { clock, slots, metrics } = this.#options;
    const { permit, openUntil } = await this.#permitsOf(credential).add(connected);
    if (permit.kind === "granted") {
      if (permit.isProbe) this.#probing.set(credential, connected);
      return permit.inMs;
    }
    metrics.waits.inc({ scac, reason: permit.reason });
    if (permit.reason === "breaker_open") {
      slots.closeUntil(credential, openUntil ?? addMs(clock.now(), permit.retryInMs));
    } else {
      slots.closeFor(credential, permit.retryInMs);
    }
    return null;
  }

  /** The permitted request is over: if it was the probe and has no outcome, another one may start when it expires. */
  ended(connected: ConnectedCarrier): void {
    const { credential } = connected;
    if (this.#probing.get(credential) === connected) this.#probing.delete(credential);
  }

  /** Records the outcome of a check; a carrier that is back is polled again at once. */
  async reportCheck(
    { scac, credentials }: CarrierCheckClaim,
    limits: CarrierLimits,
    isReachable: boolean,
  ): Promise<void> {
    const { logger, metrics, random } = this.#options;
    metrics.checks.inc({ scac, outcome: isReachable ? "answered" : "unreachable" });
    for (const { credential, accountId } of credentials) {
      const { subjects } = await this.#change(credential, accountId, async ({ sql, access, times }) => {
        const context = { limits, now: times, random };
        if (!isReachable) return { access: afterFailedCheck(access, context), subjects: null };
        // A rejected credential ended the checks meanwhile.
        if (access.nextCheckAt === null) return { access, subjects: null };
        const subjects = await this.#bringForward(sql, credential, access, times.tracking);
        return { access: afterPassedCheck(access, context), subjects };
      });
      if (subjects !== null) logger.info({ scac, account_id: accountId, credential, subjects }, "carrier.reachable");
    }
  }

  /** A permit for a test call of a connection: the circuit breaker does not deny it. */
  async permitTest({ credential, accountId, limits }: ConnectedCarrier): Promise<Permit> {
    const { permit } = await this.#change(credential, accountId, async ({ access: before, times }) => {
      const permit = permitTest(before, limits, times);
      return { access: permit.kind === "granted" ? permit.access : before, permit };
    });
    return permit;
  }

  /** Failures are written immediately, because other workers depend on them; successes with the next flush. */
  async report(connected: ConnectedCarrier, reply: PolledReply): Promise<void> {
    const { scac, credential, accountId, limits, isRemote } = connected;
    if (!isRemote) return;
    const { clock, metrics, random } = this.#options;
    this.#counts.set(credential, countReply(this.#counts.get(credential) ?? noCounts, reply, clock.now()));
    metrics.requests.inc({ scac }, reply.requests ?? 1);
    const outcome = accessOutcomeOf(reply);
    const isOwed = outcome.extraRequests > 0 && !isUnlimited(limits);
    const isUnchanged =
      outcome.kind === "not_attributable"
        ? this.#probing.get(credential) !== connected
        : outcome.kind === "answered" && this.#known.get(credential)?.isClean === true;
    if (isUnchanged && !isOwed) return;
    const { before, access } = await this.#change(credential, accountId, async ({ sql, access: before, times }) => {
      const after = accessAfter(before, outcome, { limits, now: times, random });
      await this.#writeCounts(sql, credential);
      if (before.openUntil !== null && after.openUntil === null) {
        await this.#bringForward(sql, credential, before, times.tracking);
      }
      return { before, access: after };
    });
    this.#reportBreakerChange(connected, before, access);
  }

  /** An account has a connection to a carrier that is not configured in this service. */
  async reportNotOffered({ credential, accountId }: ConnectedCarrier): Promise<void> {
    const counts = { ...noCounts, lastError: "not_offered", lastErrorAt: this.#options.clock.now() } as const;
    await this.#change(credential, accountId, async ({ sql, access }) => {
      await addAccessCounts(sql, credential, counts);
      return { access };
    });
  }

  /** Writes the counts. Never rejects: counts that cannot be written are kept for the next flush. */
  async flush(): Promise<void> {
    for (const credential of Array.from(this.#counts.keys())) {
      try {
        await this.#writeCounts(this.#options.database.sql, credential);
      } catch (error) {
        this.#options.logger.warn({ err: error }, "carrier.counts_not_written");
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#repetitions.map((repetition) => repetition.stop()));
    await this.flush();
  }

  /** The subjects whose polls failed while the carrier was unreachable are due now. @returns their number. */
  async #bringForward(sql: Sql, credential: string, access: CarrierAccess, now: Instant): Promise<number> {
    const { unreachableSince } = access;
    if (unreachableSince === null) return 0;
    return rescheduleFailedSubjects(sql, credential, {
      now,
      unreachableSince,
      includesRescheduled: wasFoundUnreachable(access),
    });
  }

  /** A probe that is not renewed expires, and another one starts. */
  async #renewProbes(): Promise<void> {
    if (this.#probing.size > 0) await renewProbes(this.#options.database.sql, [...this.#probing.keys()], probeMs);
  }

  async #writeCounts(sql: Sql, credential: string): Promise<void> {
    const counts = this.#counts.get(credential);
    if (counts === undefined) return;
    this.#counts.delete(credential);
    try {
      await addAccessCounts(sql, credential, counts);
    } catch (error) {
      // Counts may be lost when others were added since: they are statistics, and no decision depends on them.
      if (!this.#counts.has(credential)) this.#counts.set(credential, counts);
      throw error;
    }
  }

  #permitsOf(credential: string): Batcher<ConnectedCarrier, DecidedPermit> {
    let permits = this.#permits.get(credential);
    if (permits === undefined) {
      permits = new Batcher(permitBatchMax, (requests) => this.#decidePermits(credential, requests));
      this.#permits.set(credential, permits);
    }
    return permits;
  }

  /** Decides the permits one after another, each on the state that the previous one left. */
  async #decidePermits(credential: string, requests: readonly ConnectedCarrier[]): Promise<readonly DecidedPermit[]> {
    const accountId = requests[0]?.accountId ?? null;
    const { decided } = await this.#change(credential, accountId, async ({ access: before, times }) => {
      let access = before;
      const decided = requests.map(({ limits }): DecidedPermit => {
        const permit = permitRequest(access, limits, times, { isShared: accountId === null });
        if (permit.kind === "granted") access = permit.access;
        return { permit, openUntil: access.openUntil };
      });
      return { access, decided };
    });
    return decided;
  }

  /** Changes the stored access in one transaction. The state in memory follows the commit. */
  async #change<Result extends { readonly access: CarrierAccess }>(
    credential: string,
    accountId: string | null,
    decide: (locked: {
      readonly sql: Sql;
      readonly access: CarrierAccess;
      readonly times: { readonly tracking: Instant; readonly real: Instant };
    }) => Promise<Result>,
  ): Promise<Result> {
    const { database, clock, slots } = this.#options;
    const { result, now } = await database.transaction(async (sql) => {
      const { access, now } = await lockCarrierAccess(sql, credential, accountId);
      const result = await decide({ sql, access, times: { tracking: clock.now(), real: now } });
      if (result.access !== access) await saveCarrierAccess(sql, credential, result.access);
      return { result, now };
    });
    const { openUntil, consecutiveFailures, pausedUntil } = result.access;
    const isClean = openUntil === null && consecutiveFailures === 0 && (pausedUntil === null || pausedUntil <= now);
    this.#known.set(credential, { isClean, readAtMs: performance.now() });
    if (openUntil !== null) slots.closeUntil(credential, openUntil);
    else slots.open(credential);
    return result;
  }

  /** Logs each change of a circuit breaker once, in the worker that made it. */
  #reportBreakerChange(
    { scac, credential, accountId }: ConnectedCarrier,
    before: CarrierAccess,
    after: CarrierAccess,
  ): void {
    if (before.openUntil === after.openUntil) return;
    const { logger, metrics } = this.#options;
    const about = { scac, account_id: accountId, connection_id: accountId === null ? null : credential };
    const isOpen = after.openUntil !== null;
    metrics.breakerChanges.inc({ scac, to: isOpen ? "open" : "closed" });
    if (isOpen)
      logger.warn({ ...about, openings: after.openings, open_until: after.openUntil }, "carrier.breaker_opened");
    else logger.info(about, "carrier.breaker_closed");
  }
}
