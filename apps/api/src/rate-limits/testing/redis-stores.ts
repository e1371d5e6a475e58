import { once } from "node:events";
import { describe } from "@jest/globals";
import { testRedisUrl } from "@svc/testkit";
import { Redis } from "ioredis";

export const redisUrl = testRedisUrl();

/** Stores that count requests; without a URL the process counts them. */
export const stores: readonly (readonly [where: string, url: string | null])[] = [
  ["in this process", null],
  ...(redisUrl ? [["in Redis", redisUrl] as const] : []),
];

/** Skipped on a machine without Redis. */
export const withRedis = redisUrl ? describe : describe.skip;

export async function connectRedis(url = redisUrl ?? ""): Promise<Redis> {
  const redis = new Redis(url, { enableOfflineQueue: false, enableAutoPipelining: true, maxRetriesPerRequest: 1 });
  await once(redis, "ready");
  return redis;
}
