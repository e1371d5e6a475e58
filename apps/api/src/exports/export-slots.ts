import { TrackingError } from "@svc/jsonapi";

/** Each one holds a batch of rows in memory and reads the database as fast as its client takes them. */
const concurrentExportsMax = 3;
const retryAfterSeconds = 10;

/** Limits the exports of an account that this process streams at once. */
export interface ExportSlots {
  /** Returns the function that frees the slot. Throws `TrackingError` `rate_limited` when all are taken. */
  take(accountId: string): () => void;
}

export function createExportSlots(): ExportSlots {
  const running = new Map<string, number>();
  return {
    take(accountId) {
      const count = running.get(accountId) ?? 0;
      if (count >= concurrentExportsMax) {
        throw TrackingError.of(
          "rate_limited",
          `${concurrentExportsMax} exports of this account are running, the maximum. Wait until one of them is complete, or close its connection. Retry after ${retryAfterSeconds} s.`,
          { meta: { retry_after: retryAfterSeconds } },
        );
      }
      running.set(accountId, count + 1);
      return () => {
        const left = (running.get(accountId) ?? 1) - 1;
        if (left === 0) running.delete(accountId);
        else running.set(accountId, left);
      };
    },
  };
}
