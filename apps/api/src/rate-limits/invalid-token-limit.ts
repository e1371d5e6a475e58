import type { RateLimits } from "./rate-limits.ts";

/** Addresses over the limit that are cached; beyond it the oldest is evicted, so its next request is counted again. */
const cachedMax = 10_000;

/** Requests without a valid token, and pushes without a valid signature, by the network of their client (networkOf). */
export interface InvalidTokenLimit {
  /** Requests a minute. */
  readonly limit: number;
  /** Seconds until the next such request is served; null: now. Read from this process's cache, without a round trip. */
  waitSeconds(network: string): number | null;
  /** Counts such a request. The seconds to wait if the limit is exceeded, otherwise null. */
  count(network: string): Promise<number | null>;
}

export function createInvalidTokenLimit(rateLimits: RateLimits, limit: number): InvalidTokenLimit {
  /** Time at which the next request of a network is served, in ms, by network. */
  const waiting = new Map<string, number>();

  const waitSeconds = (network: string): number | null => {
    const untilMs = waiting.get(network);
    if (untilMs === undefined) return null;
    const leftMs = untilMs - performance.now();
    if (leftMs > 0) return Math.ceil(leftMs / 1_000);
    waiting.delete(network);
    return null;
  };

  return {
    limit,
    waitSeconds,
    async count(network) {
      const known = waitSeconds(network);
      if (known !== null) return known;
      const { accepted, resetMs } = await rateLimits.take("invalid_token", network);
      if (accepted) return null;
      const [oldest] = waiting.keys();
      if (waiting.size >= cachedMax && oldest !== undefined) waiting.delete(oldest);
      waiting.set(network, performance.now() + resetMs);
      return Math.max(1, Math.ceil(resetMs / 1_000));
    },
  };
}
