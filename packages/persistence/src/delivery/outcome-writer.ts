import type { Database } from "../database.ts";
import type { DescribeNotice } from "../webhooks/webhook-notices.ts";
import type { HeldClaim } from "./delivery-leases.ts";
import { type Deactivation, type DeliveryOutcome, recordOutcomes } from "./delivery-outcomes.ts";

/** Gathers outcomes so that many share one transaction. */
export interface OutcomeWriter {
  /** Resolves once the outcome is committed. Rejects when the database refuses this very outcome. */
  write(outcome: DeliveryOutcome): Promise<void>;
  /** Every outcome of the claim is committed, so it ends with the next group. Resolves when it has. */
  finish(claim: HeldClaim): Promise<void>;
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
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Finished {
  readonly claim: HeldClaim;
  readonly resolve: () => void;
}

const groupMax = 256;
const gatherMs = 2;
const firstRetryMs = 50;
const longestRetryMs = 2_000;

/** Classes of SQLSTATE after which the same statement may succeed: connection, resources, shutdown, deadlock. */
const transientClasses = ["08", "53", "57", "58", "40"];

function isTransient(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError) return false;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string") return true;
  const isSqlState = /^[0-9A-Z]{5}$/.test(code);
  return !isSqlState || transientClasses.includes(code.slice(0, 2));
}

/**
 * Commits outcomes in groups, one after the other: the first 2 ms after it came, and meanwhile the next group gathers, so
 * that groups grow with the load and none waits longer than the one before it takes.
 */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, describeNotice, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  let finished: Finished[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing = false;
  let unwritten = 0;

  const commit = async (group: readonly Waiting[], claims: readonly Finished[]): Promise<void> => {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const deactivations = await recordOutcomes(
          database,
          group.map(({ outcome }) => outcome),
          claims.map(({ claim }) => claim),
          describeNotice,
        );
        for (const one of [...group, ...claims]) one.resolve();
        for (const deactivation of deactivations) onDeactivated(deactivation);
        return;
      } catch (error) {
        if (isTransient(error)) {
          onRetry(error as Error);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        } else if (group.length <= 1) {
          group[0]?.reject(error);
          // A claim that is not ended here ends with its lease.
          for (const one of claims) one.resolve();
          return;
        } else {
          // One bad row must not take the others with it.
          for (const one of group) await commit([one], []);
          return commit([], claims);
        }
      }
    }
  };

  const flush = (): void => {
    timer = undefined;
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    const claims = finished;
    finished = [];
    writing = true;
    void commit(group, claims).finally(() => {
      writing = false;
      unwritten -= group.length;
      // What was resolved just now may end its claim, and that comes with the next group.
      if (waiting.length > 0) flush();
      else setImmediate(gather);
    });
  };

  const gather = (): void => {
    if (writing || timer || waiting.length + finished.length === 0) return;
    timer = setTimeout(flush, gatherMs);
  };

  return {
    write(outcome) {
      return new Promise((resolve, reject) => {
        unwritten += 1;
        waiting.push({ outcome, resolve, reject });
        gather();
      });
    },
    finish(claim) {
      return new Promise((resolve) => {
        finished.push({ claim, resolve });
        gather();
      });
    },
    get unwritten() {
      return unwritten;
    },
  };
}
