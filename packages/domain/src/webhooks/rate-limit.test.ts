import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, type Instant, instant, msBetween } from "../instant.ts";
import { conformingNow, conformsInMs, rateLimitMax, tatAfter } from "./rate-limit.ts";

const start = instant("2026-11-22T00:00:00Z");

/**
 * Admits as many deliveries as conform after each pause, and returns their start times in ms after the start.
 */
function admit(rateLimit: number, pausesMs: readonly number[]): number[] {
  const admitted: number[] = [];
  let tat: Instant | null = null;
  let now = start;
  for (const pauseMs of pausesMs) {
    now = addMs(now, pauseMs);
    const count = conformingNow(rateLimit, tat, now);
    if (count === 0) continue;
    tat = tatAfter(rateLimit, tat, now, count);
    for (let delivery = 0; delivery < count; delivery += 1) admitted.push(msBetween(start, now));
  }
  return admitted;
}

test("no window of one second exceeds the limit", () => {
  const limits = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: rateLimitMax }));
  const pauses = fc.array(fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1_500 })), {
    minLength: 1,
    maxLength: 200,
  });
  fc.assert(
    fc.property(limits, pauses, (rateLimit, pausesMs) => {
      const admitted = admit(rateLimit, pausesMs);
      return admitted.every((from, index) => {
        const next = admitted[index + rateLimit];
        return next === undefined || next - from >= 1_000;
      });
    }),
  );
});

test("a client that follows the returned delays gets at least nine tenths of the limit", () => {
  for (const rateLimit of [1, 2, 10, 19, 20, 100, 500]) {
    let tat: Instant | null = null;
    let admitted = 0;
    for (let now = start; msBetween(start, now) < 60_000; ) {
      const count = conformingNow(rateLimit, tat, now);
      admitted += count;
      tat = tatAfter(rateLimit, tat, now, count);
      now = addMs(now, Math.max(1, conformsInMs(rateLimit, tat, now)));
    }
    expect(admitted / 60).toBeGreaterThanOrEqual(rateLimit * 0.9);
  }
});

test("no delivery conforms before the returned delay", () => {
  const tat = tatAfter(2, null, start, conformingNow(2, null, start));
  expect([conformingNow(2, null, start), conformingNow(2, tat, start)]).toEqual([1, 0]);
  expect(conformsInMs(2, tat, start)).toBe(500);
  expect(conformingNow(2, tat, addMs(start, 499))).toBe(0);
  expect(conformingNow(2, tat, addMs(start, 500))).toBe(1);
});
