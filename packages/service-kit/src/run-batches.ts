import { setTimeout as sleep } from "node:timers/promises";
import type { WatchedLoop } from "./watchdog.ts";

export interface BatchRunOptions {
  /** Aborts at shutdown: the batch in progress ends, and no other one begins. */
  readonly signal?: AbortSignal | undefined;
  /** Reports progress after each batch. */
  readonly watched?: Pick<WatchedLoop, "step"> | undefined;
  /** Pause between two batches, so that much work does not slow down that of others. Default: none. */
  readonly pauseMs?: number;
}

/**
 * Processes batches, one at a time, until one reports that there is no more. Rejects with the error of the first batch
 * that fails: the caller decides when to retry.
 *
 * @param processBatch returns whether there may be more, for example because the batch was full.
 */
export async function runBatches(
  processBatch: () => Promise<boolean>,
  { signal, watched, pauseMs = 0 }: BatchRunOptions,
): Promise<void> {
  while (signal?.aborted !== true) {
    const hasMore = await processBatch();
    watched?.step();
    if (!hasMore) return;
    if (pauseMs > 0) await sleep(pauseMs);
  }
}
