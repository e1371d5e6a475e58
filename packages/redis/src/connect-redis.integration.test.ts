import { describe, expect, test } from "@jest/globals";
import { findRedisProgram } from "@svc/local-stores";
import { eventually, redisTopologies } from "@svc/testkit";
import { connectRedis, serversOf } from "./connect-redis.ts";

const withRedis = findRedisProgram() ? describe : describe.skip;

withRedis.each(Object.entries(redisTopologies))("a Redis with %s", (name, start) => {
  test("is found by its address, and again after its master is lost", async () => {
    const topology = await start();
    const redis = connectRedis(topology.url, { commandTimeout: 1_500 });
    redis.on("error", () => undefined);
    try {
      await eventually("the first write", () => redis.set("{key}:1", "one"));
      const servers = name === "Cluster" ? 6 : 1;
      await eventually("all servers are known", () => serversOf(redis).length === servers);
      const restart = await topology.killMaster("{key}:1");
      await eventually("a write to the new master", () => redis.set("{key}:2", "two"), 60_000);
      await restart();
      await topology.whole();
      expect(await redis.mget("{key}:2", "{key}:3")).toEqual(["two", null]);
    } finally {
      redis.disconnect();
      await topology.stop();
    }
  }, 120_000);
});
