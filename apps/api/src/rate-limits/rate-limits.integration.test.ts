import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Redis } from "ioredis";
import { startTestApi, type TestApi } from "../testing/start-test-api.ts";
import { connectRedis, stores, withRedis } from "./testing/redis-stores.ts";

const limits = { default: 5, create_tracking_request: 2, infer: 3 };

describe.each(stores)("rate limits, counted %s", (_where, url) => {
  let api: TestApi;
  let redis: Redis | undefined;

  beforeAll(async () => {
    redis = url === null ? undefined : await connectRedis(url);
    api = await startTestApi({ limits, ...(redis && { redis }) });
  });
  afterAll(async () => {
    await api.close();
    redis?.disconnect();
  });

  test("429 with Retry-After once the account's limit is reached, over all its tokens [spec: errors.429, limits.1, P1, P2, P4, G13]", async () => {
    const account = await api.createAccount();
    const tokens = [account.token, account.readToken];
    for (let used = 1; used <= 5; used++) {
      const { status, headers } = await api.request("/shipments", { token: tokens[used % 2] ?? "" });
      expect(status).toBe(200);
      expect(headers.get("ratelimit-policy")).toBe('"default";q=5;w=60');
      expect(headers.get("ratelimit")).toMatch(new RegExp(`^"default";r=${5 - used};t=\\d+$`));
      expect(headers.get("retry-after")).toBeNull();
    }
    api.takeStatements();
    const refused = await api.request("/shipments", { token: account.token });
    expect([refused.status, refused.body.errors[0].code]).toEqual([429, "rate_limited"]);
    expect(api.takeStatements()).toEqual([]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(refused.headers.get("ratelimit")).toBe(`"default";r=0;t=${wait}`);
    expect((await api.request("/shipments", { token: (await api.createAccount()).token })).status).toBe(200);
  });

  test("operations with a limit of their own do not use the common one", async () => {
    const { token } = await api.createAccount();
    const infer = { method: "POST", token, body: { number: "MAEU123456789" } };
    for (let used = 1; used <= 3; used++) {
      expect((await api.request("/tracking_requests/infer_number", infer)).status).toBe(200);
    }
    const refused = await api.request("/tracking_requests/infer_number", infer);
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, '"infer";q=3;w=60']);
    expect((await api.request("/shipments", { token })).headers.get("ratelimit")).toContain("r=4");
  });

  test("accepts exactly the limit out of many concurrent requests [spec: G13]", async () => {
    const { token } = await api.createAccount();
    const responses = await Promise.all(Array.from({ length: 30 }, () => api.request("/shipments", { token })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test("counts ten 304 responses as one request, also concurrent ones [spec: G13, G16]", async () => {
    const { token } = await api.createAccount();
    const first = await api.request("/shipments", { token });
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    const left: string[] = [];
    for (let poll = 1; poll <= 8; poll++) {
      const { status, text, headers: sent } = await api.request("/shipments", { token, headers });
      expect([status, text]).toEqual([304, ""]);
      left.push(sent.get("ratelimit")?.replace(/;t=.*/, "") ?? "");
    }
    expect(left).toEqual(Array(8).fill('"default";r=4'));
    const polls = await Promise.all([1, 2, 3, 4].map(() => api.request("/shipments", { token, headers })));
    expect(polls.map(({ status }) => status)).toEqual([304, 304, 304, 304]);
    const poll = await api.request("/shipments", { token, headers });
    expect([poll.status, poll.headers.get("ratelimit")]).toEqual([304, expect.stringContaining("r=3")]);
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.request("/shipments", { token })));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    expect((await api.request("/shipments", { token, headers })).status).toBe(429);
  });

  test("a client that only polls unchanged data is refused in the end [spec: G13, G16]", async () => {
    const { token } = await api.createAccount();
    const first = await api.request("/shipments", { token });
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    const statuses: number[] = [];
    for (let poll = 1; poll <= 41; poll++) statuses.push((await api.request("/shipments", { token, headers })).status);
    expect(statuses).toEqual([...Array(40).fill(304), 429]);
  });

  test("counts a 304 to If-None-Match: *, because its sender need not have the record [spec: G13, G16]", async () => {
    const { token } = await api.createAccount();
    const statuses: number[] = [];
    for (let used = 1; used <= 6; used++) {
      statuses.push((await api.request("/shipments", { token, headers: { "If-None-Match": "*" } })).status);
    }
    expect(statuses).toEqual([304, 304, 304, 304, 304, 429]);
  });
});

withRedis("rate limits of several processes", () => {
  const connections: Redis[] = [];
  const apis: TestApi[] = [];

  beforeAll(async () => {
    for (const process of [0, 1]) {
      const redis = await connectRedis();
      connections.push(redis);
      const shared = process === 0 ? {} : { databaseUrl: (apis[0] as TestApi).databaseUrl };
      apis.push(await startTestApi({ limits, redis, ...shared }));
    }
  });
  afterAll(async () => {
    for (const api of apis) await api.close();
    for (const connection of connections.splice(0)) connection.disconnect();
  });

  /** The statuses of so many requests at once, one half to each process. */
  async function sendRequests(
    count: number,
    token: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<number[]> {
    const requests = Array.from({ length: count }, (_, n) =>
      (apis[n % 2] as TestApi).request("/shipments", { token, headers }),
    );
    return (await Promise.all(requests)).map(({ status }) => status);
  }
  const accepted = (statuses: readonly number[]): number => statuses.filter((status) => status !== 429).length;

  test("accepts exactly the limit out of many concurrent requests over both processes [spec: P2, G13]", async () => {
    const { token } = await (apis[0] as TestApi).createAccount();
    expect(accepted(await sendRequests(30, token))).toBe(limits.default);
    expect(accepted(await sendRequests(30, token))).toBe(0);
  });

  test("accepts one more request at the other process for each that a 304 refunds [spec: G13, G16]", async () => {
    const [one, other] = apis as [TestApi, TestApi];
    const { token } = await one.createAccount();
    // Links name the process that responded, so that each has a tag of its own.
    const tags = await Promise.all(
      [one, other].map(async (api) => (await api.request("/shipments", { token })).headers.get("etag")),
    );
    const headers = { "If-None-Match": tags.join(", ") };
    // Neither process counts ten, of which one would be charged.
    for (let round = 0; round < 4; round++) {
      // While a poll is served it counts, so that no more than the rest of the limit can be under way at once.
      expect(await sendRequests(limits.default - 2, token, headers)).toEqual([304, 304, 304]);
    }
    expect(accepted(await sendRequests(30, token))).toBe(limits.default - 2);
  });

  test("counts per process while Redis is unavailable [spec: G13]", async () => {
    const { token } = await (apis[0] as TestApi).createAccount();
    for (const connection of connections.splice(0)) connection.disconnect();
    for (const api of apis) {
      const statuses: number[] = [];
      for (let used = 1; used <= 6; used++) statuses.push((await api.request("/shipments", { token })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    }
  });
});
