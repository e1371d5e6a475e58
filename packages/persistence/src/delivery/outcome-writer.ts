import type { Database } from "../database.ts";
import type { DescribeNotice } from "../webhooks/webhook-notices.ts";
import type { AttemptOutcome } from "./attempt.ts";
import { type Deactivation, settleOutcomes } from "./settle-outcomes.ts";

/** Writes outcomes in batches, so that many share one transaction. */
export interface OutcomeWriter {
  /**
   * Resolves once the outcome is committed. The claim closes with its last outcome, unless the database rejected an
   * earlier one. Then its lease expires, which makes that delivery due again. Rejects when the database rejects this
   * outcome.
   */
  write(outcome: AttemptOutcome, place: { readonly isLastOfClaim: boolean }): Promise<void>;
}

export interface OutcomeWriterOptions {
  readonly database: Database;
  readonly describeNotice: DescribeNotice;
  readonly onDeactivated: (deactivation: Deactivation) => void;
  /** The database is unavailable; the outcomes are kept and retried. */
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
const longestRetryMs = 2_000;

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

/**
 * Commits one batch after the other: the first 2 ms after its first outcome, and each later one as soon as the previous
 * one is committed, so that batches grow with the load.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, describeNotice, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  /** Claims with a rejected outcome, until their last one is written. */
  const incomplete = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  /** Outcomes are written in order, so that all others of these claims are committed or in the same batch. */
  const endedBy = (batch: readonly Waiting[]): AttemptOutcome[] =>
    batch.flatMap(({ outcome, isLastOfClaim }) => (isLastOfClaim && !incomplete.has(outcome.claimId) ? [outcome] : []));

  const settled = (batch: readonly Waiting[]): void => {
    for (const { outcome, isLastOfClaim } of batch) if (isLastOfClaim) incomplete.delete(outcome.claimId);
  };

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const deactivations = await settleOutcomes(
          database,
          batch.map(({ outcome }) => outcome),
          endedBy(batch),
          describeNotice,
        );
        settled(batch);
        for (const one of batch) one.resolve();
        for (const deactivation of deactivations) onDeactivated(deactivation);
        return;
      } catch (error) {
        if (isTransient(error)) {
          onRetry(error as Error);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        } else if (batch.length === 1) {
          for (const { outcome, reject } of batch) {
            incomplete.add(outcome.claimId);
            reject(error);
          }
          return settled(batch);
        } else {
          // One invalid row must not prevent the others from being written.
          for (const one of batch) await commit([one]);
          return;
        }
      }
    }
  };

  const flush = (): void => {
    timer = undefined;
    const batch = waiting.slice(0, batchMax);
    waiting = waiting.slice(batchMax);
    writing = true;
    void commit(batch).finally(() => {
      writing = false;
      if (waiting.length > 0) flush();
    });
  };

  const schedule = (): void => {
    if (!writing && !timer) timer = setTimeout(flush, flushAfterMs);
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
