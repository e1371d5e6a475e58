import type { Logger } from "@svc/service-kit";
import type { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { MemoryWindow, type WindowState } from "./memory-window.ts";

/** contract-decisions.md 2: each operation counts in one of these, for the whole account. */
export const rateLimitNames = ["default", "create_tracking_request", "infer", "refresh"] as const;
export type RateLimitName = (typeof rateLimitNames)[number];

const windowSeconds = 60;

/**
 * A sliding window as a list of times: exact, one round trip, and a refused request does not count. The library hands
 * over the key, points (1), the window in seconds and the limit, and expects what was used and the wait in ms.
 */
const slidingWindowScript = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local window = ARGV[2] * 1000
  local limit = tonumber(ARGV[3])
  local oldest = redis.call('LINDEX', KEYS[1], 0)
  while oldest and tonumber(oldest) <= now - window do
    redis.call('LPOP', KEYS[1])
    oldest = redis.call('LINDEX', KEYS[1], 0)
  end
  local used = redis.call('LLEN', KEYS[1]) + 1
  if used <= limit then
    redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
    redis.call('PEXPIRE', KEYS[1], window)
  end
  return {used, (tonumber(oldest) or now) + window - now}`;

/** What is told of a limit on every answer. */
export interface LimitState extends WindowState {
  readonly name: RateLimitName;
  readonly limit: number;
}

export interface RateLimits {
  /** Counts one request of the account. Never rejects: without the shared store it counts in this process. */
  take(name: RateLimitName, accountId: string): Promise<LimitState>;
}

type Limits = Readonly<Record<RateLimitName, number>>;

export function createRateLimits(options: { limits: Limits; redis?: Redis; logger: Logger }): RateLimits {
  const { limits, redis, logger } = options;
  let failing = false;
  const counters = new Map(rateLimitNames.map((name) => [name, createCounter(name)] as const));

  function createCounter(name: RateLimitName): (key: string) => Promise<WindowState> {
    const limit = limits[name];
    const memory = new MemoryWindow({ limit, windowMs: windowSeconds * 1_000 });
    if (!redis) return async (key) => memory.take(key);
    const shared = new RateLimiterRedis({
      storeClient: redis,
      keyPrefix: `svc:rate:${name}`,
      points: limit,
      duration: windowSeconds,
      rejectIfRedisNotReady: true,
      customIncrTtlLuaScript: slidingWindowScript,
    });
    return async (key) => {
      try {
        const state = await takeShared(shared, key);
        failing = false;
        return state;
      } catch (error) {
        if (!failing) logger.warn({ err: error }, "rate_limits.store_unreachable");
        failing = true;
        return memory.take(key);
      }
    };
  }

  return {
    async take(name, accountId) {
      const counter = counters.get(name) ?? createCounter(name);
      return { name, limit: limits[name], ...(await counter(accountId)) };
    },
  };
}

async function takeShared(limiter: RateLimiterRedis, key: string): Promise<WindowState> {
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(key);
    return { accepted: true, remaining: remainingPoints, resetMs: msBeforeNext };
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    return { accepted: false, remaining: 0, resetMs: refused.msBeforeNext };
  }
}

/** The IETF fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers), seconds rounded up. */
export function rateLimitHeaders(state: LimitState): Record<string, string> {
  const seconds = Math.max(1, Math.ceil(state.resetMs / 1_000));
  return {
    "RateLimit-Policy": `"${state.name}";q=${state.limit};w=${windowSeconds}`,
    RateLimit: `"${state.name}";r=${state.remaining};t=${seconds}`,
    ...(!state.accepted && { "Retry-After": String(seconds) }),
  };
}
