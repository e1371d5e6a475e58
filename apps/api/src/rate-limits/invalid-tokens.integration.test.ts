import { randomBytes, randomInt } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Redis } from "ioredis";
import { startTestApi, type TestApi, type TestResponse } from "../testing/start-test-api.ts";
import { connectRedis, stores, withRedis } from "./testing/redis-stores.ts";

const limit = 5;
/** An address that no other test counts at: they share one Redis. */
const newAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
const newPrefix = (): string => `2001:db8:${randomInt(1, 65_536).toString(16)}:${randomInt(1, 65_536).toString(16)}`;
const newToken = (): string => `svc_live_${randomBytes(24).toString("base64url")}`;

const send = (api: TestApi, from: string, token: string | null): Promise<TestResponse> =>
  api.request("/shipments", { token, headers: { "X-Forwarded-For": from } });

async function statusesOf(api: TestApi, count: number, from: () => string, token: () => string | null) {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await send(api, from(), token())).status);
  return statuses;
}

const refusedAfterLimit = [401, 401, 401, 401, 401, 429, 429];

describe.each(stores)("requests without a valid token, counted %s", (_where, url) => {
  let api: TestApi;
  let redis: Redis | undefined;

  beforeAll(async () => {
    redis = url === null ? undefined : await connectRedis(url);
    api = await startTestApi({ limits: { invalid_token: limit }, trustedProxyCount: 1, ...(redis && { redis }) });
  });
  afterAll(async () => {
    await api.close();
    redis?.disconnect();
  });

  test.each([
    ["no token", () => null],
    ["a malformed token", () => "two words"],
    ["an unknown token", () => "svc_live_unknown"],
    ["a different unknown token each time", newToken],
    ["a different unknown session each time", () => randomBytes(32).toString("base64url")],
  ])("429 after the limit of the address: %s [spec: errors.429, P1, P4, G13]", async (_name, token) => {
    const from = newAddress();
    expect(await statusesOf(api, limit + 2, () => from, token)).toEqual(refusedAfterLimit);
  });

  test("explains a 429 and sends Retry-After [spec: P1, G15]", async () => {
    const from = newAddress();
    await statusesOf(api, limit, () => from, newToken);
    const refused = await send(api, from, newToken());
    const [error] = refused.body.errors;
    expect([refused.status, error.code]).toEqual([429, "rate_limited"]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(error.detail).toMatch(/5 requests per minute without a valid API token.*Authorization: Token <API_KEY>/s);
  });

  test("a revoked and an expired token count like unknown ones", async () => {
    const from = newAddress();
    const revoked = await api.createToken(api.account.id, { revokedAt: new Date() });
    const expired = await api.createToken(api.account.id, { expiresAt: new Date(Date.now() - 1_000) });
    const tokens = [revoked, expired, revoked, expired, revoked, expired, revoked];
    expect(
      await statusesOf(
        api,
        limit + 2,
        () => from,
        () => tokens.pop() ?? null,
      ),
    ).toEqual(refusedAfterLimit);
  });

  test("counts IPv6 addresses by their /64 and IPv4 addresses one by one", async () => {
    const prefix = newPrefix();
    const inPrefix = () => `${prefix}::${randomInt(1, 65_536).toString(16)}`;
    expect(await statusesOf(api, limit + 2, inPrefix, newToken)).toEqual(refusedAfterLimit);
    expect((await send(api, `${newPrefix()}::1`, newToken())).status).toBe(401);
    expect(await statusesOf(api, limit + 2, newAddress, newToken)).toEqual(Array(limit + 2).fill(401));
  });

  test("ignores addresses that the client itself writes into X-Forwarded-For", async () => {
    const from = newAddress();
    expect(await statusesOf(api, limit + 2, () => `${newAddress()}, ${from}`, newToken)).toEqual(refusedAfterLimit);
  });

  test("a valid token is served from an address that used up its limit, also at its first request", async () => {
    const from = newAddress();
    const { token, readToken } = await api.createAccount();
    expect((await send(api, from, token)).status).toBe(200);
    await statusesOf(api, limit + 1, () => from, newToken);
    const flood = Array.from({ length: 50 }, () => send(api, from, newToken()));
    const valid = await Promise.all([token, readToken, token, readToken].map((one) => send(api, from, one)));
    expect(valid.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([429]));
    expect((await send(api, from, token)).status).toBe(200);
  });

  test("does not count valid tokens against the limit of their address", async () => {
    const from = newAddress();
    const { token } = await api.createAccount();
    expect(
      await statusesOf(
        api,
        20,
        () => from,
        () => token,
      ),
    ).toEqual(Array(20).fill(200));
    expect((await send(api, from, newToken())).status).toBe(401);
  });

  test("sends no statement for each request past the limit: unknown tokens share one [spec: P4]", async () => {
    const from = newAddress();
    await statusesOf(api, limit + 1, () => from, newToken);
    const before = api.statementsOfAllAccounts().length;
    await statusesOf(
      api,
      10,
      () => from,
      () => null,
    );
    expect(api.statementsOfAllAccounts()).toHaveLength(before);
    const repeated = newToken();
    const responses = await Promise.all([
      ...Array.from({ length: 50 }, () => send(api, from, newToken())),
      ...Array.from({ length: 50 }, () => send(api, from, repeated)),
    ]);
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([429]));
    const names = api
      .statementsOfAllAccounts()
      .slice(before)
      .map(({ name }) => name);
    expect(new Set(names)).toEqual(new Set(["tokens.find-known"]));
    expect(names.length).toBeLessThanOrEqual(10);
  });
});

test("without a trusted proxy X-Forwarded-For is ignored", async () => {
  const api = await startTestApi({ limits: { invalid_token: limit } });
  try {
    expect(await statusesOf(api, limit + 2, newAddress, newToken)).toEqual(refusedAfterLimit);
  } finally {
    await api.close();
  }
});

withRedis("requests without a valid token at several processes", () => {
  test("share one limit, and each counts for itself when Redis is unreachable [spec: G13]", async () => {
    const connections = [await connectRedis(), await connectRedis()] as const;
    const options = { limits: { invalid_token: limit }, trustedProxyCount: 1 };
    const one = await startTestApi({ ...options, redis: connections[0] });
    const other = await startTestApi({ ...options, redis: connections[1], databaseUrl: one.databaseUrl });
    try {
      const from = newAddress();
      expect(await statusesOf(one, limit, () => from, newToken)).toEqual(Array(limit).fill(401));
      expect(await statusesOf(other, 1, () => from, newToken)).toEqual([429]);
      for (const connection of connections) connection.disconnect();
      const next = newAddress();
      for (const api of [one, other]) {
        expect(await statusesOf(api, limit + 2, () => next, newToken)).toEqual(refusedAfterLimit);
      }
    } finally {
      await one.close();
      await other.close();
      for (const connection of connections) connection.disconnect();
    }
  });
});
