import type { Database } from "../database.ts";
import { isDatabaseUnavailable } from "../database-unavailable.ts";
import type { DescribeNotice } from "../webhooks/webhook-notices.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { type Deactivation, settleOutcomes } from "./settle-outcomes.ts";

/** Writes outcomes in batches, so that many share one transaction. */
export interface OutcomeWriter {
  /**
   * Resolves once the outcome is committed. The claim closes with its last outcome, unless the database rejected an
   * earlier one, or outcomes of its webhook were written separately. Then its lease expires, which makes deliveries
   * without an outcome due again. Rejects when the database rejects this outcome.
   */
  write(outcome: AttemptOutcome, position: { readonly isLastOfClaim: boolean }): Promise<void>;
}

export interface OutcomeWriterOptions {
  readonly database: Database;
  readonly describeNotice: DescribeNotice;
  readonly onDeactivated: (deactivation: Deactivation) => void;
  /** The database is unavailable, or rows are locked; the outcomes are kept and retried. */
  readonly onRetry: (error: Error) => void;
}

interface Waiting {
  readonly outcome: AttemptOutcome;
  readonly isLastOfClaim: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const batchMax = 256;
const flushAfterMs = 2;
const firstRetryMs = 50;
const retryMaxMs = 2_000;
/** Failures after which a batch is divided, because a lock or an error that stays concerns only some of its rows. */
const triesOfBatch = 2;

/**
 * SQLSTATEs after which the same statement may succeed: connection, resources, shutdown, deadlock; and a primary that
 * was demoted (25006), a lock timeout (55P03) and a transaction that failed before (25P02).
 */
const transient = /^(?:08|53|57|58|40)...$|^(?:25006|25P02|25P03|55P03)$/;

function isTransient(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string") return true;
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  return !isSqlState || transient.test(code);
}

/** A lock timeout (55P03) or statement timeout (57014) can be caused by one row, unlike an outage. */
function isOutage(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return isDatabaseUnavailable(error) && code !== "55P03" && code !== "57014";
}

/**
 * Commits one batch after the other: the first 2 ms after its first outcome, and each later one as soon as the previous
 * one is committed, so that batches grow with the load. Outcomes of a webhook whose rows stay locked are written
 * separately, on one connection for each such webhook, so that the other outcomes do not wait for them.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, describeNotice, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  /** Claims with a rejected or separately written outcome, until their last one is written. */
  const incomplete = new Set<string>();
  /** Outcomes that are written separately, by webhook. */
  const separate = new Map<string, Waiting[]>();
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;

  /** Outcomes are written in order, so that all others of these claims are committed or in the same batch. */
  const endedBy = (batch: readonly Waiting[]): AttemptOutcome[] =>
    batch.flatMap(({ outcome, isLastOfClaim }) => (isLastOfClaim && !incomplete.has(outcome.claimId) ? [outcome] : []));

  const settled = (batch: readonly Waiting[]): void => {
    for (const { outcome, isLastOfClaim } of batch) if (isLastOfClaim) incomplete.delete(outcome.claimId);
  };

  /** @returns null when each outcome is committed or rejected, else the error that prevented it. */
  const tryCommit = async (batch: readonly Waiting[], ended: readonly AttemptOutcome[]): Promise<unknown> => {
    try {
      const outcomes = batch.map(({ outcome }) => outcome);
      const deactivations = await settleOutcomes(database, outcomes, ended, describeNotice);
      settled(batch);
      for (const one of batch) one.resolve();
      for (const deactivation of deactivations) onDeactivated(deactivation);
      return null;
    } catch (error) {
      const [first, ...others] = batch;
      if (isTransient(error)) onRetry(error as Error);
      else if (first && others.length === 0) {
        incomplete.add(first.outcome.claimId);
        first.reject(error);
        settled(batch);
        return null;
      }
      return error;
    }
  };

  const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    let tries = 0;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, retryMaxMs)) {
      const error = await tryCommit(batch, endedBy(batch));
      if (error === null) return;
      if (!isTransient(error)) {
        // One invalid row must not prevent the others from being written.
        for (const one of batch) await commit([one]);
        return;
      }
      if (!isOutage(error)) tries += 1;
      if (tries === triesOfBatch) return batch.forEach(writeSeparately);
      await pause(retryMs);
    }
  };

  /** Outcomes of the webhook together and, after a failure, one by one in turn. Closes no claim. */
  const writeOutcomesOf = async (webhookId: string, outcomes: Waiting[]): Promise<void> => {
    let retryMs = firstRetryMs;
    let size = batchMax;
    while (outcomes.length > 0) {
      const part = outcomes.splice(0, size);
      const error = await tryCommit(part, []);
      if (error === null) continue;
      outcomes.push(...part);
      size = 1;
      await pause(retryMs);
      retryMs = Math.min(retryMs * 2, retryMaxMs);
    }
    separate.delete(webhookId);
  };

  /** Writes an outcome out of order with others of its claim, so that only the end of the lease ends the claim. */
  const writeSeparately = (one: Waiting): void => {
    const { claimId, webhookId } = one.outcome;
    incomplete.add(claimId);
    const outcomes = separate.get(webhookId);
    if (outcomes) outcomes.push(one);
    else {
      const first = [one];
      separate.set(webhookId, first);
      // The write is in the next turn of the event loop, with the other outcomes of the webhook.
      setImmediate(() => void writeOutcomesOf(webhookId, first));
    }
  };

  const flush = (): void => {
    timer = undefined;
    const isSeparate = ({ outcome }: Waiting): boolean => separate.has(outcome.webhookId);
    if (separate.size > 0) {
      waiting.filter(isSeparate).forEach(writeSeparately);
      waiting = waiting.filter((one) => !isSeparate(one));
    }
    const batch = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    if (batch.length === 0) return;
    isWriting = true;
    void commit(batch).finally(() => {
      isWriting = false;
      if (waiting.length > 0) flush();
    });
  };

  const schedule = (): void => {
    if (!isWriting && !timer) timer = setTimeout(flush, flushAfterMs);
  };

  return {
    write(outcome, { isLastOfClaim }) {
      return new Promise((resolve, reject) => {
        waiting.push({ outcome, isLastOfClaim, resolve, reject });
        schedule();
      });
    },
  };
}
