import { setTimeout as sleep } from "node:timers/promises";
import type { Carrier, CarrierQuery, CarrierReply, PolledReply } from "@svc/carriers";
import { addMs, type Instant, msBetween } from "@svc/domain";
import { isDatabaseUnavailable, isStatementCanceled } from "@svc/persistence";
import { releaseSubject, type SubjectClaim } from "@svc/persistence/tracking";
import type { Logger } from "@svc/service-kit";
import { applyReply, settleInternalFailure, settleNotConnected } from "../apply/apply-reply.ts";
import type { TrackingContext } from "../apply/poll-transaction.ts";
import type { AppliedPoll } from "../apply/settle-poll.ts";
import { isNotAttributable } from "../carriers/access-counts.ts";
import type { CarrierAccessGate } from "../carriers/carrier-access-gate.ts";
import type { CarrierDirectory, ConnectedCarrier } from "../carriers/carrier-directory.ts";
import type { CarrierSlots } from "../carriers/carrier-slots.ts";
import type { TrackingMetrics } from "../metrics.ts";
import { prepareReply } from "./prepared-reply.ts";
import type { Semaphore } from "./semaphore.ts";
import type { UnchangedPolls } from "./unchanged-polls.ts";

export interface PollerOptions {
  readonly context: TrackingContext;
  readonly directory: CarrierDirectory;
  readonly access: CarrierAccessGate;
  readonly slots: CarrierSlots;
  readonly unchanged: UnchangedPolls;
  /** Transactions at once: no more than the pool has connections. */
  readonly transactions: Semaphore;
  readonly metrics: TrackingMetrics;
  readonly logger: Logger;
}

/** Serialization failure and deadlock: PostgreSQL rolled the transaction back, and it can be retried. */
const retryableCodes: ReadonlySet<string> = new Set(["40001", "40P01"]);

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code);

const isRetryable = (error: unknown): boolean => retryableCodes.has(codeOf(error));

/** A statement timeout may occur each time, so it counts as a failure of the subject. */
const isDatabaseLost = (error: unknown): boolean => isDatabaseUnavailable(error) && !isStatementCanceled(error);
/** Pause, in real time, before a subject is polled again whose reply the database did not store. */
const databaseLostPauseMs = 5_000;

/**
 * Polls one subject and applies the reply. Never rejects: a subject that cannot be settled is claimed by another
 * worker when its lease expires.
 */
export async function pollSubject(options: PollerOptions, claim: SubjectClaim, signal: AbortSignal): Promise<void> {
  const { context, metrics, logger } = options;
  const startedAt = performance.now();
  const lagMs = claim.nextPollAt === null ? 0 : msBetween(claim.nextPollAt, context.clock.now());
  metrics.dueLag.observe(Math.max(lagMs, 0) / 1_000);
  const about = { account_id: claim.accountId, subject_id: claim.id, scac: claim.scac, number: claim.number };
  try {
    const connected = await options.directory.find(claim);
    if (connected?.carrier == null) {
      if (connected !== null) await options.access.reportNotOffered(connected);
      await runTransaction(options, () => settleNotConnected(context, claim));
      metrics.polls.inc({ scac: claim.scac, outcome: "not_connected" });
      logger.info(about, "poll.not_connected");
      return;
    }
    const polled = await queryCarrier(options, connected, connected.carrier, claim, signal);
    if (polled === null) {
      await releaseSubject(context.database.sql, claim);
      return;
    }
    const carrierMs = performance.now() - startedAt;
    const isUnreachable = connected.isRemote && polled.outcome === "unreachable" && !isNotAttributable(polled);
    const unreachableCredential = isUnreachable ? connected.credential : null;
    const finished = await settle(options, claim, polled, unreachableCredential);
    metrics.polls.inc({ scac: claim.scac, outcome: finished.outcome });
    const durations = { carrier_ms: Math.round(carrierMs), total_ms: Math.round(performance.now() - startedAt) };
    const fields = { ...about, ...finished, lag_ms: lagMs, ...durations };
    if (polled.outcome === "unauthorized") logger.warn(fields, "poll.finished");
    else logger.info(fields, "poll.finished");
  } catch (error) {
    if (signal.aborted) await releaseClaim(options, claim, about);
    else if (isDatabaseLost(error)) await postpone(options, claim, error, about);
    else await settleFailure(options, claim, error, about);
  }
}

/** Null: no permit for a request now. */
async function queryCarrier(
  { access, slots }: PollerOptions,
  connected: ConnectedCarrier,
  carrier: Carrier,
  claim: SubjectClaim,
  signal: AbortSignal,
): Promise<PolledReply | null> {
  slots.begin(claim);
  try {
    const inMs = await access.permit(connected);
    slots.decided(claim, inMs !== null);
    if (inMs === null) return null;
    if (inMs > 0) await sleep(inMs, undefined, { signal });
    const polled = await carrier.track(toQuery(claim), signal);
    await access.report(connected, polled);
    return polled;
  } finally {
    access.ended(connected);
    slots.end(claim);
  }
}

/** A terminal is polled with the same query as a carrier. */
function toQuery({ kind, number, places, transportDocument, contentHash: knownHash }: SubjectClaim): CarrierQuery {
  return kind === "terminal_container"
    ? { kind: "container", number, places: places ?? [], transportDocument, knownHash }
    : { kind, number, knownHash };
}

/** Applies the reply. @returns the fields for the log. */
async function settle(
  options: PollerOptions,
  claim: SubjectClaim,
  polled: PolledReply,
  unreachableCredential: string | null,
): Promise<Readonly<Record<string, unknown>> & { readonly outcome: string }> {
  if (polled.outcome === "unchanged") {
    const nextPollAt = await options.unchanged.settle(claim);
    if (nextPollAt !== null) {
      return {
        outcome: "unchanged",
        http_status: polled.httpStatus,
        ...resultLogFields({ newFacts: 0, notified: 0, nextPollAt }),
      };
    }
  }
  const reply = polled.outcome === "unchanged" ? polled.read() : polled;
  const prepared = await prepareReply(reply, claim.contentHash);
  const applied = await runTransaction(options, () =>
    applyReply(options.context, claim, prepared, unreachableCredential),
  );
  const { metrics } = options;
  if (reply.outcome === "found" && reply.skipped > 0) metrics.unmappedEvents.inc({ scac: claim.scac }, reply.skipped);
  if (applied.kind !== "applied") return { outcome: applied.kind, ...replyLogFields(reply) };
  return { outcome: reply.outcome, ...replyLogFields(reply), ...resultLogFields(applied) };
}

/** Waits for a free transaction, and retries once after a conflict with another one. */
function runTransaction<Result>(
  { transactions, metrics }: Pick<PollerOptions, "transactions" | "metrics">,
  work: () => Promise<Result>,
): Promise<Result> {
  return transactions.run(async () => {
    const end = metrics.applyDuration.startTimer();
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      return await work();
    } finally {
      end();
    }
  });
}

function replyLogFields(reply: CarrierReply): object {
  if (reply.outcome === "unreachable") return { detail: reply.detail };
  const events = reply.outcome === "found" ? { events: reply.drafts.length, skipped: reply.skipped } : {};
  return { http_status: reply.httpStatus, ...events };
}

function resultLogFields({
  newFacts,
  notified,
  nextPollAt,
}: Pick<Extract<AppliedPoll, { kind: "applied" }>, "newFacts" | "notified" | "nextPollAt">): object {
  return { new_facts: newFacts, notified, next_poll_at: nextPollAt };
}

/** @param nextPollAt when it is due; default: when it was before. */
async function releaseClaim(
  { context, logger }: PollerOptions,
  claim: SubjectClaim,
  about: object,
  nextPollAt?: Instant,
): Promise<void> {
  try {
    await releaseSubject(context.database.sql, claim, nextPollAt);
    if (nextPollAt === undefined) logger.info(about, "poll.released");
  } catch (error) {
    logger.warn({ ...about, err: error }, "poll.not_released");
  }
}

/** The carrier has not failed, nor has the request: neither uses up a try. */
async function postpone(options: PollerOptions, claim: SubjectClaim, error: unknown, about: object): Promise<void> {
  const { context, metrics, logger } = options;
  metrics.polls.inc({ scac: claim.scac, outcome: "database_lost" });
  logger.warn({ ...about, err: error }, "poll.postponed");
  const { now, scale } = context.clock;
  await releaseClaim(options, claim, about, addMs(now(), databaseLostPauseMs * Math.max(scale(), 1)));
}

async function settleFailure(
  { context, transactions, metrics, logger }: PollerOptions,
  claim: SubjectClaim,
  error: unknown,
  about: object,
): Promise<void> {
  metrics.polls.inc({ scac: claim.scac, outcome: "internal_error" });
  logger.error({ ...about, err: error }, "poll.failed");
  try {
    await transactions.run(() => settleInternalFailure(context, claim));
  } catch (settleError) {
    logger.error({ ...about, err: settleError }, "poll.failure_not_recorded");
  }
}
