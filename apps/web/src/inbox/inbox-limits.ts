const windowMs = 60_000;
const requestsAtMost = 120;

/** Keeps who knows an address from writing without end. Counted in this process. */
export interface InboxLimits {
  /** Counts a request; the seconds to wait when it is one too many, else null. */
  begin(accountId: string): number | null;
}

/** `now` in milliseconds, of a clock that only goes forward. */
export function createInboxLimits(now: () => number): InboxLimits {
  let counts = new Map<string, number>();
  let until = 0;
  return {
    begin(accountId) {
      if (now() >= until) {
        counts = new Map();
        until = now() + windowMs;
      }
      const count = (counts.get(accountId) ?? 0) + 1;
      counts.set(accountId, count);
      return count > requestsAtMost ? Math.ceil((until - now()) / 1_000) : null;
    },
  };
}
