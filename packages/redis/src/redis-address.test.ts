import { describe, expect, test } from "@jest/globals";
import { parseRedisAddress, redisAddress } from "./redis-address.ts";

describe("addresses of Redis", () => {
  test("a server", () => {
    expect(parseRedisAddress("redis://localhost")).toEqual({
      topology: "server",
      isTls: false,
      nodes: [{ host: "localhost", port: 6379 }],
    });
    expect(parseRedisAddress("rediss://svc:a%2Fb@[::1]:6380/2?family=6")).toEqual({
      topology: "server",
      isTls: true,
      nodes: [{ host: "::1", port: 6380 }],
      username: "svc",
      password: "a/b",
    });
  });

  test("a master that Sentinel watches, with credentials of the servers and of the sentinels", () => {
    expect(parseRedisAddress("redis+sentinel://one,two:26380/main")).toEqual({
      topology: "sentinel",
      isTls: false,
      nodes: [
        { host: "one", port: 26379 },
        { host: "two", port: 26380 },
      ],
      master: "main",
      database: 0,
      sentinelCredentials: {},
    });
    const full = "rediss+sentinel://:a%40b:c@one/main/3?sentinelUsername=watch&sentinelPassword=x%26y";
    expect(parseRedisAddress(full)).toMatchObject({
      isTls: true,
      password: "a@b:c",
      database: 3,
      sentinelCredentials: { username: "watch", password: "x&y" },
    });
  });

  test("a cluster", () => {
    expect(parseRedisAddress("redis+cluster://:pw@one:7000,two,three/")).toEqual({
      topology: "cluster",
      isTls: false,
      nodes: [
        { host: "one", port: 7000 },
        { host: "two", port: 6379 },
        { host: "three", port: 6379 },
      ],
      password: "pw",
    });
  });

  test.each([
    ["http://one", "must be redis://"],
    ["redis+tls://one", "must be redis://"],
    ["redis://:hunter2/x@one", "percent-encoded"],
    ["redis://:hunter2%@one", "percent-encoded"],
    ["redis://", "each host"],
    ["redis://one:hunter2", "each host"],
    ["redis+cluster://one,,two", "each host"],
    ["redis://one,two", "several hosts need redis+sentinel:// or redis+cluster://"],
    ["redis+sentinel://one,two", "the name of the master"],
    ["redis+sentinel://one/main/hunter2", "the name of the master"],
    ["redis+sentinel://one/main?password=hunter2", "sentinelUsername and sentinelPassword"],
    ["redis+cluster://one/1", "one database"],
    ["redis+cluster://one?sentinelPassword=hunter2", "one database"],
  ])("%s is refused", (text, reason) => {
    const message = redisAddress.safeParse(text).error?.issues[0]?.message ?? "";
    expect(message).toContain(reason);
    expect(message).not.toContain("hunter2");
  });
});
