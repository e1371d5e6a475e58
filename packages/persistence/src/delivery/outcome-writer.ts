import type { Database } from "../database.ts";
import { type Deactivation, type DeliveryOutcome, recordOutcomes } from "./delivery-outcomes.ts";

/** Gathers outcomes so that many share one transaction. */
export interface OutcomeWriter {
  /** Resolves once the outcome is committed. Rejects when the database refuses this very outcome. */
  write(outcome: DeliveryOutcome): Promise<void>;
  /** Outcomes that wait or are being written. */
  readonly unwritten: number;
}

export interface OutcomeWriterOptions {
  readonly database: Database;
  readonly onDeactivated: (deactivation: Deactivation) => void;
  /** The database did not answer; the outcomes are kept and written again later. */
  readonly onRetry: (error: Error) => void;
}

interface Waiting {
  readonly outcome: DeliveryOutcome;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const batchMax = 64;
const gatherMs = 2;
const writersMax = 2;
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

/** Commits up to 64 outcomes together, none later than 2 ms after it came unless the database is busy. */
export function createOutcomeWriter(options: OutcomeWriterOptions): OutcomeWriter {
  const { database, onDeactivated, onRetry } = options;
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writers = 0;
  let unwritten = 0;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMs * 2, longestRetryMs)) {
      try {
        const deactivations = await recordOutcomes(
          database,
          batch.map(({ outcome }) => outcome),
        );
        for (const one of batch) one.resolve();
        for (const deactivation of deactivations) onDeactivated(deactivation);
        return;
      } catch (error) {
        if (isTransient(error)) {
          onRetry(error as Error);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        } else if (batch.length === 1) {
          batch[0]?.reject(error);
          return;
        } else {
          // One bad row must not take the others with it.
          for (const one of batch) await commit([one]);
          return;
        }
      }
    }
  };

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (waiting.length > 0 && writers < writersMax) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      writers += 1;
      void commit(batch).finally(() => {
        writers -= 1;
        unwritten -= batch.length;
        flush();
      });
    }
  };

  return {
    write(outcome) {
      return new Promise((resolve, reject) => {
        unwritten += 1;
        waiting.push({ outcome, resolve, reject });
        if (waiting.length >= batchMax) flush();
        else timer ??= setTimeout(flush, gatherMs);
      });
    },
    get unwritten() {
      return unwritten;
    },
  };
}
