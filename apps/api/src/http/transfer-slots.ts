import { TrackingError } from "@svc/jsonapi";

const retryAfterSeconds = 10;

/** Limits the long transfers of one kind that an account has with this process at once. */
export interface TransferSlots {
  /** Returns the function that frees the slot. Throws `TrackingError` `rate_limited` when all are taken. */
  take(accountId: string): () => void;
}

/** `transfers`: the kind in the plural, for the error. */
export function createTransferSlots(transfers: string, max: number): TransferSlots {
  const running = new Map<string, number>();
  return {
    take(accountId) {
      const count = running.get(accountId) ?? 0;
      if (count >= max) {
        throw TrackingError.of(
          "rate_limited",
          `${max} ${transfers} of this account are running, which is the maximum. Wait until one is complete, or close its connection. Retry after ${retryAfterSeconds} s.`,
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
