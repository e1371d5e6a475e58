import { setTimeout as sleep } from "node:timers/promises";
import type { AttemptOutcome } from "./attempt.ts";
import {
  type CommitContext,
  type CommitOptions,
  commitBatch,
  firstRetryMs,
  nextRetryMs,
  type PendingOutcome,
  tryCommit,
} from "./commit-batch.ts";

/** Writes outcomes in batches, so that many share one transaction. */
export interface OutcomeWriter {
  /**
   * Resolves once the outcome is committed. The claim closes with its last outcome, unless the database rejected an
   * earlier one, or outcomes of its webhook were written separately. Then its lease expires, which makes deliveries
   * without an outcome due again. Rejects when the database rejects this outcome.
   */
  write(outcome: AttemptOutcome, position: { readonly isLastOfClaim: boolean }): Promise<void>;
}

const batchMax = 256;
const flushAfterMs = 2;

/** Writes outcomes of webhooks whose rows stay locked, on one connection for each webhook. */
interface SeparateWriter {
  /** Whether outcomes of the webhook are written separately at present. */
  has(webhookId: string): boolean;
  /** Writes an outcome out of order with others of its claim, so that only the end of the lease ends the claim. */
  write(one: PendingOutcome): void;
}

function createSeparateWriter(context: CommitContext): SeparateWriter {
  const byWebhook = new Map<string, PendingOutcome[]>();

  /** Outcomes of the webhook together and, after a failure, one by one in turn. Closes no claim. */
  const writeAll = async (webhookId: string, outcomes: PendingOutcome[]): Promise<void> => {
    let retryMs = firstRetryMs;
    let size = batchMax;
    while (outcomes.length > 0) {
      const part = outcomes.splice(0, size);
      const error = await tryCommit(context, part, []);
      if (error === null) continue;
      outcomes.push(...part);
      size = 1;
      await sleep(retryMs);
      retryMs = nextRetryMs(retryMs);
    }
    byWebhook.delete(webhookId);
  };

  return {
    has: (webhookId) => byWebhook.has(webhookId),
    write(one) {
      const { claimId, webhookId } = one.outcome;
      context.incomplete.add(claimId);
      const outcomes = byWebhook.get(webhookId);
      if (outcomes) outcomes.push(one);
      else {
        const first = [one];
        byWebhook.set(webhookId, first);
        // The write is in the next turn of the event loop, with the other outcomes of the webhook.
        setImmediate(() => void writeAll(webhookId, first));
      }
    },
  };
}

/**
 * Commits one batch after the other: the first 2 ms after its first outcome, and each later one as soon as the previous
 * one is committed, so that batches grow with the load. Outcomes of a webhook whose rows stay locked are written
 * separately, so that the other outcomes do not wait for them.
 */
export function createOutcomeWriter(options: CommitOptions): OutcomeWriter {
  const context: CommitContext = { ...options, incomplete: new Set() };
  const separate = createSeparateWriter(context);
  let waiting: PendingOutcome[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isWriting = false;

  const flush = (): void => {
    timer = undefined;
    const { locked = [], others = [] } = Object.groupBy(waiting, ({ outcome }) =>
      separate.has(outcome.webhookId) ? "locked" : "others",
    );
    locked.forEach(separate.write);
    const batch = others.slice(0, batchMax);
    waiting = others.slice(batchMax);
    if (batch.length === 0) return;
    isWriting = true;
    void commitBatch(context, batch, separate.write).finally(() => {
      isWriting = false;
      if (waiting.length > 0) flush();
    });
  };

  return {
    write(outcome, { isLastOfClaim }) {
      return new Promise((resolve, reject) => {
        waiting.push({ outcome, isLastOfClaim, resolve, reject });
        if (!isWriting && !timer) timer = setTimeout(flush, flushAfterMs);
      });
    },
  };
}
