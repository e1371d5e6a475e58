import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { testRedisUrl } from "@svc/testkit";
import { Redis } from "ioredis";
import { startTestApi, type TestApi } from "../testing/start-test-api.ts";

const limits = { default: 5, create_tracking_request: 2, infer: 3 };

describe.each([
  ["in this process", false],
  ["in Redis", true],
])("rate limits, counted %s", (_where, shared) => {
  let apis: TestApi[];
  let redis: Redis | undefined;

  beforeAll(async () => {
    const url = testRedisUrl();
    if (shared && url)
      redis = new Redis(url, { enableOfflineQueue: false, enableAutoPipelining: true, maxRetriesPerRequest: 1 });
    if (redis) await new Promise((resolve) => redis?.once("ready", resolve));
    apis = [await startTestApi({ limits, ...(redis && { redis }) })];
  });
  afterAll(async () => {
    for (const api of apis) await api.close();
    redis?.disconnect();
  });

  test("429 with Retry-After once the account's limit is reached, over all its tokens [spec: errors.429, limits.1, P1, P2, P4, G13]", async () => {
    const api = apis[0] as TestApi;
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
    const api = apis[0] as TestApi;
    const { token } = await api.createAccount();
    const infer = { method: "POST", token, body: { number: "MAEU123456789" } };
    for (let used = 1; used <= 3; used++) {
      expect((await api.request("/tracking_requests/infer_number", infer)).status).toBe(200);
    }
    const refused = await api.request("/tracking_requests/infer_number", infer);
    expect([refused.status, refused.headers.get("ratelimit-policy")]).toEqual([429, '"infer";q=3;w=60']);
    expect((await api.request("/shipments", { token })).headers.get("ratelimit")).toContain("r=4");
  });

  test("of many requests at once no more than the limit are accepted [spec: G13]", async () => {
    const api = apis[0] as TestApi;
    const { token } = await api.createAccount();
    const answers = await Promise.all(Array.from({ length: 30 }, () => api.request("/shipments", { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  });

  test("304 uses nothing, also when many come at once; what is used ends when it would have [spec: G16]", async () => {
    const api = apis[0] as TestApi;
    const { token } = await api.createAccount();
    const first = await api.request("/shipments", { token });
    const headers = { "If-None-Match": first.headers.get("etag") ?? "" };
    for (let round = 0; round < 3; round++) {
      const polls = await Promise.all([1, 2, 3, 4].map(() => api.request("/shipments", { token, headers })));
      expect(polls.map(({ status, text }) => [status, text])).toEqual([1, 2, 3, 4].map(() => [304, ""]));
    }
    const poll = await api.request("/shipments", { token, headers });
    expect([poll.status, poll.headers.get("ratelimit")]).toEqual([304, expect.stringContaining("r=4")]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.request("/shipments", { token })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
    expect((await api.request("/shipments", { token, headers })).status).toBe(429);
  });

  test("If-None-Match: * is answered with 304 too, but counts: whoever sends it need not have anything [spec: G13, G16]", async () => {
    const api = apis[0] as TestApi;
    const { token } = await api.createAccount();
    const statuses: number[] = [];
    for (let used = 1; used <= 6; used++) {
      statuses.push((await api.request("/shipments", { token, headers: { "If-None-Match": "*" } })).status);
    }
    expect(statuses).toEqual([304, 304, 304, 304, 304, 429]);
  });

  if (shared) {
    test("the API goes on when the shared store is away [spec: G13]", async () => {
      if (!redis) return;
      const api = apis[0] as TestApi;
      const { token } = await api.createAccount();
      redis.disconnect();
      redis = undefined;
      const statuses: number[] = [];
      for (let used = 1; used <= 6; used++) statuses.push((await api.request("/shipments", { token })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    });
  }
});
