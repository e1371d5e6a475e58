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
  write(outcome: AttemptOutcome, place: { readonly isLastOfClaim: boolean }): Promise<void>;
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
const longestRetryMs = 2_000;
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

/** By webhook, which is what transactions of others lock; the outcomes of one webhook one by one. */
function divide(batch: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const byWebhook = [...Map.groupBy(batch, ({ outcome }) => outcome.webhookId).values()];
  return byWebhook.length > 1 ? byWebhook : batch.map((one) => [one]);
}

/**
 * Commits one batch after the other: the first 2 ms after its first outcome, and each later one as soon as the previous
 * one is committed, so that batches grow with the load. Outcomes of a webhook whose rows stay locked are written
 * separately, so that the other outcomes do not wait for them.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, describeNotice, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  /** Claims with a rejected or separately written outcome, until their last one is written. */
  const incomplete = new Set<string>();
  /** Number of separate parts in progress by webhook. */
  const separate = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing = false;

  /** Outcomes are written in order, so that all others of these claims are committed or in the same batch. */
  const endedBy = (batch: readonly Waiting[]): AttemptOutcome[] =>
    batch.flatMap(({ outcome, isLastOfClaim }) => (isLastOfClaim && !incomplete.has(outcome.claimId) ? [outcome] : []));

  const settled = (batch: readonly Waiting[]): void => {
    for (const { outcome, isLastOfClaim } of batch) if (isLastOfClaim) incomplete.delete(outcome.claimId);
  };

  const commit = async (batch: readonly Waiting[], isSeparate = false): Promise<void> => {
    let tries = 0;
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const outcomes = batch.map(({ outcome }) => outcome);
        const ended = isSeparate ? [] : endedBy(batch);
        const deactivations = await settleOutcomes(database, outcomes, ended, describeNotice);
        settled(batch);
        for (const one of batch) one.resolve();
        for (const deactivation of deactivations) onDeactivated(deactivation);
        return;
      } catch (error) {
        if (isTransient(error)) {
          onRetry(error as Error);
          if (!isOutage(error)) tries += 1;
          const isDivisible = batch.length > 1 || !isSeparate;
          if (tries >= triesOfBatch && isDivisible) return divide(batch).forEach(writeSeparately);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        } else if (batch.length === 1) {
          for (const { outcome, reject } of batch) {
            incomplete.add(outcome.claimId);
            reject(error);
          }
          return settled(batch);
        } else {
          // One invalid row must not prevent the others from being written.
          for (const one of batch) await commit([one], isSeparate);
          return;
        }
      }
    }
  };

  /** Not in order with other outcomes, so it closes no claim. */
  const writeSeparately = (part: readonly Waiting[]): void => {
    const webhookIds = new Set(part.map(({ outcome }) => outcome.webhookId));
    for (const { outcome } of part) incomplete.add(outcome.claimId);
    for (const id of webhookIds) separate.set(id, (separate.get(id) ?? 0) + 1);
    void commit(part, true).finally(() => {
      for (const id of webhookIds) {
        const parts = (separate.get(id) ?? 1) - 1;
        if (parts === 0) separate.delete(id);
        else separate.set(id, parts);
      }
    });
  };

  const flush = (): void => {
    timer = undefined;
    const isSeparate = ({ outcome }: Waiting): boolean => separate.has(outcome.webhookId);
    const locked = waiting.filter(isSeparate);
    if (locked.length > 0) divide(locked).forEach(writeSeparately);
    const others = locked.length > 0 ? waiting.filter((one) => !locked.includes(one)) : waiting;
    const batch = others.slice(0, batchMax);
    waiting = others.slice(batchMax);
    if (batch.length === 0) return;
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
