import { randomInt } from "node:crypto";
import type { RedisClient } from "@svc/redis";
import { type Logger, MemoryWindow, type WindowState } from "@svc/service-kit";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { createNotModifiedPrice } from "./not-modified-price.ts";

/**
 * docs/contract/decisions.md 2: each operation counts in one of these, for the whole account. Requests of the web
 * application have limits of their own, so that open pages do not use up the limits of the account's programs. Requests
 * without a valid token or signature count for the address of the client.
 */
const rateLimitNames = [
  "default",
  "create_tracking_request",
  "infer",
  "refresh",
  "carrier_test",
  "push",
  "session",
  "invalid_token",
] as const;
export type RateLimitName = (typeof rateLimitNames)[number];

const windowSeconds = 60;

/** Time after which the shared store counts as unresponsive, so that other requests do not wait for it. */
const silentAfterMs = 500;
/** Interval at which one request checks whether it responds again. */
const storePauseMs = 2_000;

/**
 * Sliding-window log: a sorted set of request numbers by time. It is exact, needs one round trip, and does not count
 * rejected requests. The library passes the key, the points, the window in seconds and the limit; it expects the number
 * of requests in the window and the wait in ms. Every request counts as one, so the points carry the request number, by
 * which a refund removes the request.
 */
const slidingWindowScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local window = ARGV[2] * 1000
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
  local used = redis.call('ZCARD', KEYS[1]) + 1
  if used <= tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[1], now, ARGV[1])
    redis.call('PEXPIRE', KEYS[1], window)
  end
  local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
  return {used, (tonumber(oldest) or now) + window - now}`;

/** Returns unique request numbers: each process starts at a random number above any limit, in the exact integers. */
function requestNumbers(): () => number {
  let last = randomInt(2 ** 32, 2 ** 47);
  return () => ++last;
}

/** The state of a limit in the headers of every response. */
export interface LimitState extends WindowState {
  readonly name: RateLimitName;
  readonly limit: number;
}

export interface RateLimits {
  /**
   * Counts one request of the account, of the person for `session`, of the network for `invalid_token`. Never rejects:
   * without the shared store it counts in this process.
   */
  take(name: RateLimitName, ownerId: string): Promise<ConsumedLimit>;
}

export interface ConsumedLimit extends LimitState {
  /** Charges a fraction of one request, because the response was 304. Returns the new state. Never rejects. */
  chargeNotModified(): Promise<LimitState>;
}

type Limits = Readonly<Record<RateLimitName, number>>;

/** One limit, wherever it is counted. */
interface Counter {
  take(key: string): Promise<WindowState & { refund(): Promise<void> }>;
}

export function createRateLimits(options: {
  limits: Limits;
  /** 304 responses that together count as one request. */
  notModifiedPerRequest: number;
  redis?: RedisClient;
  logger: Logger;
}): RateLimits {
  const { limits, redis, logger } = options;
  const isCharged = createNotModifiedPrice(options.notModifiedPerRequest);
  const nextNumber = requestNumbers();
  let failing = false;
  let isSilent = false;
  let pausedUntilMs = 0;
  const isPaused = (): boolean => performance.now() < pausedUntilMs;
  const counters = new Map(rateLimitNames.map((name) => [name, createCounter(name)] as const));

  function createCounter(name: RateLimitName): Counter {
    const limit = limits[name];
    const memory = new MemoryWindow({ limit, windowMs: windowSeconds * 1_000 });
    const takeHere = (key: string) => {
      const state = memory.take(key);
      return { ...state, refund: async () => memory.refund(key, state.entry) };
    };
    if (!redis) return { take: async (key) => takeHere(key) };
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `svc:rate:window:${name}`,
      points: limit,
      duration: windowSeconds,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: slidingWindowScript,
    });
    return {
      async take(key) {
        if (isPaused()) return takeHere(key);
        const requestedAtMs = performance.now();
        if (isSilent) pausedUntilMs = requestedAtMs + storePauseMs;
        try {
          const state = await takeShared(shared, key, nextNumber());
          failing = false;
          isSilent = false;
          pausedUntilMs = 0;
          const refund = async () => {
            if (!isPaused()) await redis.zrem(shared.getKey(key), state.entry);
          };
          return { ...state, refund };
        } catch (error) {
          isSilent = performance.now() - requestedAtMs >= silentAfterMs;
          if (isSilent) pausedUntilMs = performance.now() + storePauseMs;
          if (!failing) logger.warn({ err: error }, "rate_limits.store_unreachable");
          failing = true;
          return takeHere(key);
        }
      },
    };
  }

  return {
    async take(name, ownerId) {
      const counter = counters.get(name) as Counter;
      const { refund, ...window } = await counter.take(ownerId);
      const state = { name, limit: limits[name], ...window };
      return {
        ...state,
        async chargeNotModified() {
          if (isCharged(`${name}:${ownerId}`)) return state;
          try {
            await refund();
            return { ...state, remaining: state.remaining + 1 };
          } catch (error) {
            logger.warn({ err: error }, "rate_limits.not_refunded");
            return state;
          }
        },
      };
    },
  };
}

async function takeShared(limiter: RateLimiterRedis, key: string, entry: number): Promise<WindowState> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key, entry);
    return { entry, accepted: true, remaining: remainingPoints, resetMs: msBeforeNext };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { entry, accepted: false, remaining: 0, resetMs: refused.msBeforeNext };
  }
}

/**
 * The IETF fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers), seconds rounded up; names and
 * values in turn.
 */
export function rateLimitHeaders({ name, limit, remaining, resetMs, accepted }: LimitState): string[] {
  const seconds = Math.max(1, Math.ceil(resetMs / 1_000));
  const policy = ["RateLimit-Policy", `"${name}";q=${limit};w=${windowSeconds}`];
  const state = ["RateLimit", `"${name}";r=${remaining};t=${seconds}`];
  return [...policy, ...state, ...(accepted ? [] : ["Retry-After", String(seconds)])];
}
