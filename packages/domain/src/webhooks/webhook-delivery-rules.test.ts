import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, dayMs, hourMs, instant } from "../instant.ts";
import { evaluateAttempt } from "./delivery-lifecycle.ts";
import { catalogueEventNames, isSubscribed, isSubscription } from "./event-catalogue.ts";
import { retryAfterMs } from "./retry-after.ts";
import { attemptsMax, retryDelayMs, retryDelaysMs } from "./retry-schedule.ts";
import { healthAfter, mustDeactivate, type WebhookHealth } from "./webhook-health.ts";

const now = instant("2026-11-21T10:00:00Z");

describe("retry schedule [spec: events.4, limits.3]", () => {
  test("twelve retries, with the decided delays at the middle of the jitter", () => {
    const minutes = retryDelaysMs.map((_delay, index) => (retryDelayMs(index + 1, 0.5) ?? 0) / 60_000);
    expect(minutes).toEqual([5 / 60, 0.5, 2, 5, 15, 30, 60, 120, 240, 480, 720, 1440]);
    expect(attemptsMax).toBe(13);
    expect(retryDelayMs(13, 0.5)).toBeNull();
  });

  test("the jitter is at most 20 % in either direction", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delayMs = retryDelayMs(attempt, random) ?? 0;
          const baseMs = retryDelaysMs[attempt - 1] ?? 0;
          return delayMs >= Math.floor(baseMs * 0.8) && delayMs <= Math.ceil(baseMs * 1.2);
        },
      ),
    );
  });
});

test.each(retryDelaysMs.map((delayMs, index) => [index + 1, delayMs]))(
  "spreads the retries of 5,000 endpoints after attempt %d: no twentieth of the interval has twice its share",
  (attempt, delayMs) => {
    const [endpoints, shares] = [5_000, 20];
    const counts = new Array<number>(shares).fill(0);
    for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
      const place = ((retryDelayMs(attempt, Math.random()) ?? 0) / delayMs - 0.8) / 0.4;
      const share = Math.min(shares - 1, Math.max(0, Math.floor(place * shares)));
      counts[share] = (counts[share] ?? 0) + 1;
    }
    expect(Math.max(...counts)).toBeLessThanOrEqual((2 * endpoints) / shares);
  },
);

test("exceptions are sent only to webhooks that name them or their family", () => {
  const subscribed = (pattern: string) => isSubscribed([pattern], "exception.opened");
  expect(["*", "container.*", "webhook.*", "exception.resolved"].filter(subscribed)).toEqual([]);
  expect(["exception.*", "exception.opened"].filter(subscribed)).toHaveLength(2);
  expect(catalogueEventNames.filter((event) => event.startsWith("exception."))).toEqual([]);
});

test("extension events are sent only to webhooks that name them or their family", () => {
  const subscriptions = (pattern: string) => [
    isSubscribed([pattern], "webhook.failing"),
    isSubscribed([pattern], "container.created"),
  ];
  expect(subscriptions("*")).toEqual([false, true]);
  expect(subscriptions("container.*")).toEqual([false, true]);
  expect(subscriptions("webhook.*")).toEqual([true, false]);
  expect(subscriptions("webhook.failing")).toEqual([true, false]);
  expect(subscriptions("webhook.recovered")).toEqual([false, false]);
  expect(["webhook.*", "webhook.failing"].every(isSubscription)).toBe(true);
});

describe("verdict", () => {
  const verdict = (status: number | null, attempt = 1, retryAfter?: string) =>
    evaluateAttempt({ status, retryAfter }, attempt, 0.5, now);

  test("only 200, 201, 202 and 204 are success [spec: events.3]", () => {
    for (let status = 100; status < 600; status += 1) {
      const failure = status === 410 ? "gone" : "retry";
      const expected = [200, 201, 202, 204].includes(status) ? "succeeded" : failure;
      expect([status, verdict(status).kind]).toEqual([status, expected]);
    }
    expect(verdict(null)).toEqual({ kind: "retry", delayMs: 5_000 });
  });

  test("the thirteenth failure is the last", () => {
    expect(verdict(500, 12)).toEqual({ kind: "retry", delayMs: dayMs });
    expect(verdict(500, 13)).toEqual({ kind: "exhausted" });
    expect(verdict(500, 14)).toEqual({ kind: "exhausted" });
    expect(verdict(204, 13)).toEqual({ kind: "succeeded" });
  });

  test("Retry-After counts on 429 and 503 only, and never shortens the schedule", () => {
    expect(verdict(429, 1, "7200")).toEqual({ kind: "retry", delayMs: 2 * hourMs });
    expect(verdict(503, 1, "Sat, 21 Nov 2026 12:00:00 GMT")).toEqual({ kind: "retry", delayMs: 2 * hourMs });
    expect(verdict(500, 1, "7200")).toEqual({ kind: "retry", delayMs: 5_000 });
    expect(verdict(429, 9, "60")).toEqual({ kind: "retry", delayMs: 4 * hourMs });
  });
});

describe("Retry-After", () => {
  test.each<[string | undefined, number | null]>([
    ["0", 0],
    ["7200", 2 * hourMs],
    [" 60 ", 60_000],
    ["1000000000", dayMs],
    ["Sat, 21 Nov 2026 10:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2099 10:00:30 GMT", dayMs],
    ["Sat, 21 Nov 2026 09:00:00 GMT", null],
    ["-1", null],
    ["1.5", null],
    ["soon", null],
    ["2026-11-21T11:00:00Z", null],
    ["", null],
    [undefined, null],
  ])("%p delays by %p ms", (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });
});

describe("deactivation [spec: events.5]", () => {
  const healthy: WebhookHealth = { consecutiveFailures: 0, failingSince: null, lastSuccessAt: now };

  test("needs both: twenty failures in a row and 72 h since the first of them", () => {
    const failing = { ...healthy, failingSince: now };
    expect(mustDeactivate({ ...failing, consecutiveFailures: 19 }, addMs(now, 100 * hourMs))).toBe(false);
    expect(mustDeactivate({ ...failing, consecutiveFailures: 20 }, addMs(now, 72 * hourMs - 1))).toBe(false);
    expect(mustDeactivate({ ...failing, consecutiveFailures: 20 }, addMs(now, 72 * hourMs))).toBe(true);
    expect(mustDeactivate(healthy, addMs(now, 1000 * hourMs))).toBe(false);
  });

  test("an endpoint that succeeds at least once in 60 h is never disabled, one that never does always is", () => {
    const outage = fc.record({
      failures: fc.integer({ min: 1, max: 200 }),
      lengthMs: fc.integer({ min: 1, max: 60 * hourMs }),
    });
    fc.assert(
      fc.property(fc.array(outage, { minLength: 1, maxLength: 6 }), (outages) => {
        let health = healthy;
        let at = now;
        for (const { failures, lengthMs } of outages) {
          for (let failure = 0; failure < failures; failure += 1) {
            at = addMs(at, Math.floor(lengthMs / failures));
            health = healthAfter(health, false, at);
            if (mustDeactivate(health, at)) return false;
          }
          health = healthAfter(health, true, at);
        }
        return health.consecutiveFailures === 0 && health.failingSince === null && health.lastSuccessAt === at;
      }),
      { numRuns: 1000 },
    );
    let health = healthy;
    for (let hour = 0; hour <= 72; hour += 1) health = healthAfter(health, false, addMs(now, hour * hourMs));
    expect(mustDeactivate(health, addMs(now, 72 * hourMs))).toBe(true);
  });
});
