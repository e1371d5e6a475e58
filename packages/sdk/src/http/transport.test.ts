import { afterEach, describe, expect, test } from "@jest/globals";
import { createClient } from "../create-client.ts";
import {
  AuthenticationError,
  FeatureNotEnabledError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  SvcError,
  TimeoutError,
  UpstreamError,
  ValidationError,
} from "../errors.ts";
import { shipmentId, wireShipment } from "../testing/records.ts";
import { startWireServer, type WireBehaviour, type WireServer } from "../testing/wire-server.ts";
import { retryAfterSeconds } from "./error-response.ts";

let server: WireServer;
afterEach(() => server.close());

async function serve(...behaviours: readonly WireBehaviour[]) {
  server = await startWireServer((_request, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? "break");
  return createClient({ token: "t", baseUrl: server.baseUrl });
}

const good: WireBehaviour = { body: { data: wireShipment() } };
const limited: WireBehaviour = {
  status: 429,
  headers: { "retry-after": "0" },
  body: { errors: [{ id: "r", status: "429", code: "rate_limited", title: "Too many requests", detail: "Wait." }] },
};
const broken: WireBehaviour = { status: 503, headers: { "retry-after": "0" }, body: { errors: [] } };
const newRequest = { requestType: "container", requestNumber: "MSKU0000006", scac: "MAEU" } as const;

describe("repetition", () => {
  test("a read is repeated after 429, 5xx and a broken connection", async () => {
    for (const failure of [limited, broken, "break"] as const) {
      const client = await serve(failure, good);
      expect((await client.shipments.get(shipmentId)).data.id).toBe(shipmentId);
      expect(server.requests).toHaveLength(2);
      await server.close();
    }
  });

  test("the number of repetitions is limited, and the last error is thrown", async () => {
    const client = await serve(broken);
    await expect(client.shipments.get(shipmentId, { maxRetries: 3 })).rejects.toThrow(UpstreamError);
    expect(server.requests).toHaveLength(4);
  });

  test("a POST is repeated with one and the same Idempotency-Key", async () => {
    const client = await serve("break", broken, { status: 201, body: { data: { id: "x" } } });
    await client.trackingRequests.create(newRequest);
    const keys = server.requests.map((request) => request.headers["idempotency-key"]);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(3);
  });

  test("sends different keys for two creations, and prefers the caller's key", async () => {
    const client = await serve({ status: 201, body: { data: { id: "x" } } });
    await client.trackingRequests.create(newRequest);
    await client.trackingRequests.create(newRequest);
    await client.trackingRequests.create(newRequest, { idempotencyKey: "mine" });
    const keys = server.requests.map((request) => request.headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe("mine");
  });

  test("a creation that still runs under its key is asked for again", async () => {
    const running = {
      status: 409,
      headers: { "retry-after": "0" },
      body: { errors: [{ code: "idempotency_in_progress" }] },
    };
    const client = await serve(running, { status: 201, body: { data: { id: "x" } } });
    await client.trackingRequests.create(newRequest);
    expect(server.requests).toHaveLength(2);
  });

  test("a PATCH is repeated after 429 but not after 5xx: it may have been done", async () => {
    let client = await serve(limited, good);
    await client.shipments.update(shipmentId, { tags: ["a"] });
    expect(server.requests).toHaveLength(2);
    await server.close();
    client = await serve(broken, good);
    await expect(client.shipments.update(shipmentId, { tags: ["a"] })).rejects.toThrow(UpstreamError);
    expect(server.requests).toHaveLength(1);
  });

  test("a Retry-After beyond a minute is the caller's to wait for", async () => {
    const client = await serve({ ...(limited as object), headers: { "retry-after": "3600" } }, good);
    const error = await client.shipments.get(shipmentId).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retryAfterSeconds: 3600 });
    expect(server.requests).toHaveLength(1);
  });

  test.each([401, 403, 404, 422])("%i is never repeated", async (status) => {
    const client = await serve({ status, body: { errors: [{ detail: "no" }] } }, good);
    await expect(client.shipments.get(shipmentId)).rejects.toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test("a 429 for invalid tokens of this address is an AuthenticationError and is not repeated", async () => {
    const errors = [{ status: "429", code: "rate_limited", detail: "Wait.", source: { header: "Authorization" } }];
    const client = await serve({ status: 429, headers: { "retry-after": "0" }, body: { errors } }, good);
    const error = await client.shipments.get(shipmentId).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AuthenticationError);
    expect(error).toMatchObject({ status: 429, retryAfterSeconds: 0 });
    expect(server.requests).toHaveLength(1);
  });

  test("an abort ends the waiting between two attempts", async () => {
    const client = await serve({ ...(limited as object), headers: { "retry-after": "30" } });
    const controller = new AbortController();
    const pending = client.shipments.get(shipmentId, { signal: controller.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
    expect(server.requests).toHaveLength(1);
  });
});

describe("failures", () => {
  test("no response in time is a TimeoutError and is not repeated", async () => {
    const client = await serve("hang");
    await expect(client.shipments.get(shipmentId, { timeoutMs: 500 })).rejects.toThrow(TimeoutError);
    expect(server.requests).toHaveLength(1);
  });

  test("rethrows the caller's abort unchanged", async () => {
    const client = await serve("hang");
    const controller = new AbortController();
    const pending = client.shipments.get(shipmentId, { signal: controller.signal });
    while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });

  test("the signal of the client ends each of its calls, also while it waits", async () => {
    for (const behaviour of ["hang", { ...(limited as object), headers: { "retry-after": "30" } }] as const) {
      await serve(behaviour);
      const controller = new AbortController();
      const client = createClient({ token: "t", baseUrl: server.baseUrl, signal: controller.signal });
      const pending = client.shipments.get(shipmentId, { signal: new AbortController().signal });
      while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(new Error("enough"));
      await expect(pending).rejects.toThrow("enough");
      await expect(client.shipments.get(shipmentId)).rejects.toThrow("enough");
      expect(server.requests).toHaveLength(1);
      await server.close();
    }
  });

  test("a call with a response leaves no timer behind", async () => {
    const client = await serve(good);
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const before = timers();
    const calls = Array.from({ length: 50 }, () => client.shipments.get(shipmentId, { timeoutMs: 60_000 }));
    await Promise.all(calls);
    expect(timers() - before).toBeLessThan(calls.length / 2);
  });

  test("an error document becomes a typed error with request id, status and pointers", async () => {
    const client = await serve({
      status: 422,
      body: {
        errors: [
          { code: "invalid", detail: "Tags must be unique.", source: { pointer: "/data/attributes/tags" } },
          { code: "duplicate", title: "Duplicate", meta: { tracking_request_id: "7" }, source: { parameter: "x" } },
        ],
      },
    });
    const error = await client.shipments.update(shipmentId, { tags: ["a", "a"] }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect(error).toMatchObject({
      name: "ValidationError",
      status: 422,
      requestId: "request-1",
      pointers: ["/data/attributes/tags"],
      message: "422: Tags must be unique. (/data/attributes/tags); Duplicate (x) [request request-1]",
    });
    expect((error as ValidationError).hasCode("duplicate")).toBe(true);
  });

  test.each([
    [401, "unauthorized", AuthenticationError],
    [403, "feature_not_enabled", FeatureNotEnabledError],
    [404, "not_found", NotFoundError],
  ] as const)("%i %s has a class of its own", async (status, code, type) => {
    const client = await serve({ status, body: { errors: [{ code }] } });
    await expect(client.shipments.get(shipmentId)).rejects.toThrow(type);
  });

  test("a proxy's page is an error of its status, not a parse error", async () => {
    const client = await serve({ status: 502, headers: { "content-type": "text/html" }, body: "<html>" });
    await expect(client.shipments.get(shipmentId, { maxRetries: 0 })).rejects.toMatchObject({
      status: 502,
      faults: [],
    });
  });

  test("names baseUrl when a successful response is not JSON", async () => {
    const client = await serve({ body: "<html>" });
    await expect(client.shipments.get(shipmentId)).rejects.toThrow(/baseUrl/);
  });

  test("a redirect is not followed: the token stays where it was sent", async () => {
    const client = await serve({ status: 302, headers: { location: "http://127.0.0.1:9/" } });
    await expect(client.shipments.get(shipmentId, { maxRetries: 0 })).rejects.toThrow(NetworkError);
    expect(server.requests).toHaveLength(1);
  });

  test("a refused connection is a NetworkError that names the address and not the token", async () => {
    await serve(good);
    const { baseUrl } = server;
    await server.close();
    const client = createClient({ token: "svc_test_secret", baseUrl, maxRetries: 0 });
    const error = await client.shipments.get(shipmentId).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toBeInstanceOf(SvcError);
    expect(String(error)).not.toContain("svc_test_secret");
  });

  test("the response's headers reach the caller who asks for them", async () => {
    const client = await serve({ ...(good as object), headers: { etag: '"5"' } });
    let etag: string | null = null;
    await client.shipments.get(shipmentId, { onResponse: ({ headers }) => (etag = headers.get("etag")) });
    expect(etag).toBe('"5"');
  });
});

test.each([
  ["120", 120],
  ["Sat, 21 Nov 2026 00:00:30 GMT", 30],
  ["Fri, 20 Nov 2026 00:00:00 GMT", 0],
  ["soon", undefined],
  [null, undefined],
] as const)("Retry-After %p is %p seconds", async (header, seconds) => {
  server = await startWireServer(() => good);
  expect(retryAfterSeconds(header, Date.parse("2026-11-21T00:00:00Z"))).toBe(seconds);
});
