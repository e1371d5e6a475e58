import type { Database } from "../database.ts";
import type { DescribeNotice } from "../webhooks/webhook-notices.ts";
import { type Deactivation, type DeliveryOutcome, recordOutcomes } from "./delivery-outcomes.ts";

/** Gathers outcomes so that many share one transaction. */
export interface OutcomeWriter {
  /**
   * Resolves once the outcome is committed. With the last one that is written of its claim the claim ends, unless one before
   * was refused: then it ends with its lease, which gives that delivery back. Rejects when the database refuses this very outcome.
   */
  write(outcome: DeliveryOutcome, place: { readonly isLastOfClaim: boolean }): Promise<void>;
  /** Outcomes that wait or are being written. */
  readonly unwritten: number;
}

export interface OutcomeWriterOptions {
  readonly database: Database;
  readonly describeNotice: DescribeNotice;
  readonly onDeactivated: (deactivation: Deactivation) => void;
  /** The database did not answer; the outcomes are kept and written again later. */
  readonly onRetry: (error: Error) => void;
}

interface Waiting {
  readonly outcome: DeliveryOutcome;
  readonly isLastOfClaim: boolean;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const groupMax = 256;
const gatherMs = 2;
const firstRetryMs = 50;
const longestRetryMs = 2_000;

/**
 * SQLSTATEs after which the same statement may succeed: connection, resources, shutdown, deadlock; and a primary that was demoted
 * (25006), a lock timeout (55P03) and a transaction that failed before (25P02).
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
 * Commits outcomes in groups, one after the other: the first 2 ms after it came, and meanwhile the next group gathers, so
 * that groups grow with the load and none waits longer than the one before it takes.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, describeNotice, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  /** Claims with an outcome that was refused, until their last one is written. */
  const incomplete = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing = false;
  let unwritten = 0;

  /** Outcomes are written in the order in which they came, so that all others of these claims are committed, or are in the group. */
  const endedBy = (group: readonly Waiting[]): DeliveryOutcome[] =>
    group.flatMap(({ outcome, isLastOfClaim }) => (isLastOfClaim && !incomplete.has(outcome.claimId) ? [outcome] : []));

  const settled = (group: readonly Waiting[]): void => {
    for (const { outcome, isLastOfClaim } of group) if (isLastOfClaim) incomplete.delete(outcome.claimId);
  };

  const commit = async (group: readonly Waiting[]): Promise<void> => {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const deactivations = await recordOutcomes(
          database,
          group.map(({ outcome }) => outcome),
          endedBy(group),
          describeNotice,
        );
        settled(group);
        for (const one of group) one.resolve();
        for (const deactivation of deactivations) onDeactivated(deactivation);
        return;
      } catch (error) {
        if (isTransient(error)) {
          onRetry(error as Error);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        } else if (group.length === 1) {
          for (const { outcome, reject } of group) {
            incomplete.add(outcome.claimId);
            reject(error);
          }
          return settled(group);
        } else {
          // One bad row must not take the others with it.
          for (const one of group) await commit([one]);
          return;
        }
      }
    }
  };

  const flush = (): void => {
    timer = undefined;
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    writing = true;
    void commit(group).finally(() => {
      writing = false;
      unwritten -= group.length;
      if (waiting.length > 0) flush();
    });
  };

  const gather = (): void => {
    if (!writing && !timer) timer = setTimeout(flush, gatherMs);
  };

  return {
    write(outcome, { isLastOfClaim }) {
      return new Promise((resolve, reject) => {
        unwritten += 1;
        waiting.push({ outcome, isLastOfClaim, resolve, reject });
        gather();
      });
    },
    get unwritten() {
      return unwritten;
    },
  };
}
