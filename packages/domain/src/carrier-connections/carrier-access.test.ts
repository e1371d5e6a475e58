import { describe, expect, test } from "@jest/globals";
import { addMs, instant, msBetween } from "../instant.ts";
import {
  type AccessOutcome,
  accessAfter,
  type CarrierAccess,
  type CarrierLimits,
  failuresUntilOpen,
  permitRequest,
  permitTest,
  unlimited,
} from "./carrier-access.ts";
import { untouchedAccess } from "./testing/untouched-access.ts";

const start = instant("2026-03-01T22:00:00Z");
const at = (ms: number) => ({ tracking: addMs(start, ms), real: addMs(start, ms) });
const limits = (overrides: Partial<CarrierLimits>): CarrierLimits => ({ ...unlimited, ...overrides });
const outcome = (kind: AccessOutcome["kind"], rest: Partial<AccessOutcome> = {}): AccessOutcome => ({
  kind,
  extraRequests: 0,
  retryAfterMs: null,
  ...rest,
});
const after = (access: CarrierAccess, result: AccessOutcome, ms = 0, allowed = unlimited, random = 0) =>
  accessAfter(access, result, { limits: allowed, now: at(ms), random: () => random });

/** Requests a permit every millisecond and returns the start times of the granted requests. */
function startsWithin(ms: number, allowed: CarrierLimits): number[] {
  const starts: number[] = [];
  let access = untouchedAccess;
  for (let now = 0; now < ms; now += 50) {
    for (let permit = permitRequest(access, allowed, at(now)); permit.kind === "granted"; ) {
      starts.push(now + permit.inMs);
      access = permit.access;
      permit = permitRequest(access, allowed, at(now));
    }
  }
  return starts;
}

describe("budgets", () => {
  test.each([
    ["4 a second", { perSecond: 4 }, 1_000, 4],
    ["10 a minute", { perMinute: 10 }, 60_000, 10],
    ["both", { perSecond: 1, perMinute: 20 }, 60_000, 20],
  ])("%s: no window exceeds the limit, and no capacity is wasted", (_name, overrides, windowMs, max) => {
    const starts = startsWithin(180_000, limits(overrides));
    for (const from of starts) {
      expect(starts.filter((each) => each >= from && each < from + windowMs).length).toBeLessThanOrEqual(max);
    }
    expect(starts.length).toBeGreaterThanOrEqual(Math.floor((180_000 / windowMs) * max));
  });

  test("an hourly limit spaces requests like a limit per minute", () => {
    const starts = startsWithin(180_000, limits({ perMinute: 600, perHour: 3_600 }));
    expect(starts.length).toBeGreaterThanOrEqual(180);
    for (const from of starts) {
      expect(starts.filter((each) => each >= from && each < from + 60_000).length).toBeLessThanOrEqual(60);
    }
  });

  test("the daily count resets at the end of the UTC day, and a denial gives that time", () => {
    const perDay = limits({ perDay: 2 });
    let access = untouchedAccess;
    for (let count = 0; count < 2; count++) {
      const permit = permitRequest(access, perDay, at(0));
      if (permit.kind !== "granted") throw new Error(permit.reason);
      access = permit.access;
    }
    const denied = permitRequest(access, perDay, at(0));
    expect(denied).toEqual({ kind: "denied", reason: "daily_budget_exhausted", retryInMs: 2 * 3_600_000 });
    expect(permitRequest(access, perDay, at(2 * 3_600_000)).kind).toBe("granted");
  });

  test("a shared day's budget is released over the day, so a backlog leaves what later polls need", () => {
    const allowed = limits({ perDay: 96, perMinute: 30 });
    const midnight = -22 * 3_600_000;
    const starts: number[] = [];
    let access = untouchedAccess;
    for (let minute = 0; minute < 1_440; minute++) {
      const permit = permitRequest(access, allowed, at(midnight + minute * 60_000), { isShared: true });
      if (permit.kind !== "granted") continue;
      starts.push(minute);
      access = permit.access;
    }
    expect(starts).toHaveLength(96);
    // A quarter of the budget is free at once; the rest comes at even intervals until the end of the day.
    expect(starts[24]).toBe(24);
    const gaps = starts.slice(30).map((minute, index) => minute - (starts[index + 29] ?? 0));
    expect([Math.min(...gaps), Math.max(...gaps)]).toEqual([20, 20]);
    expect(starts.at(-1)).toBeGreaterThanOrEqual(1_410);
    expect(permitRequest(access, allowed, at(2 * 3_600_000), { isShared: true }).kind).toBe("granted");
  });

  test("further pages count against the day and delay the next start", () => {
    const allowed = limits({ perMinute: 10, perDay: 100 });
    const charged = after(untouchedAccess, outcome("answered", { extraRequests: 3 }), 0, allowed);
    expect(charged.dayCount).toBe(3);
    expect(charged.nextFreeAt).toBe(addMs(start, 18_000));
    expect(permitRequest(charged, allowed, at(0))).toMatchObject({ reason: "rate_limited", retryInMs: 17_000 });
  });
});

describe("the circuit breaker", () => {
  const failing = (times: number, access = untouchedAccess, ms = 0) =>
    Array.from({ length: times }).reduce<CarrierAccess>((each) => after(each, outcome("failed"), ms), access);

  test("opens after the fifth consecutive failure; a success in between resets the count", () => {
    expect(failing(failuresUntilOpen - 1).openUntil).toBeNull();
    expect(failing(failuresUntilOpen - 1, after(failing(4), outcome("answered"))).openUntil).toBeNull();
    const open = failing(failuresUntilOpen);
    expect(permitRequest(open, unlimited, at(29_999))).toEqual({
      kind: "denied",
      reason: "breaker_open",
      retryInMs: 1,
    });
  });

  test("half open it permits one probe, and another once the first has expired", () => {
    const open = failing(failuresUntilOpen);
    const probe = permitRequest(open, unlimited, at(30_000));
    if (probe.kind !== "granted") throw new Error(probe.reason);
    expect(probe.isProbe).toBe(true);
    expect(permitRequest(probe.access, unlimited, at(30_001))).toMatchObject({
      reason: "probe_in_progress",
      retryInMs: 1_000,
    });
    expect(permitRequest(probe.access, unlimited, at(45_001)).kind).toBe("granted");
    expect(after(probe.access, outcome("answered"))).toMatchObject({ openUntil: null, openings: 0 });
  });

  test("an outcome that is not attributable neither counts nor closes it, and leaves the probe to others", () => {
    expect(after(failing(4), outcome("not_attributable"))).toEqual(failing(4));
    const open = failing(failuresUntilOpen);
    const probe = permitRequest(open, unlimited, at(30_000));
    if (probe.kind !== "granted") throw new Error(probe.reason);
    const { openUntil, openings } = open;
    const left = after(probe.access, outcome("not_attributable"), 30_001);
    expect(left).toMatchObject({ openUntil, openings, consecutiveFailures: failuresUntilOpen });
    expect(permitRequest(left, unlimited, at(30_002))).toMatchObject({ kind: "granted", isProbe: true });
    expect(after(untouchedAccess, outcome("not_attributable", { extraRequests: 3 })).dayCount).toBe(3);
  });

  test("each failed probe doubles the open time, up to 15 minutes, with jitter", () => {
    let access = failing(failuresUntilOpen);
    const openFor: number[] = [];
    for (let ms = 0, count = 0; count < 7; count++) {
      openFor.push(msBetween(at(ms).tracking, access.openUntil!));
      ms += openFor.at(-1)!;
      access = after(access, outcome("failed"), ms);
    }
    expect(openFor).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 900_000, 900_000]);
    expect(after(failing(4), outcome("failed"), 0, unlimited, 0.5).openUntil).toBe(addMs(start, 33_000));
  });

  test("ignores the outcome of requests that were in flight when it opened", () => {
    const open = failing(failuresUntilOpen);
    expect(failing(7, open, 10).openUntil).toBe(open.openUntil);
    expect(failing(7, open, 10).openings).toBe(1);
  });

  test("rejected credentials open it at once", () => {
    expect(permitRequest(after(untouchedAccess, outcome("rejected")), unlimited, at(1)).kind).toBe("denied");
  });
});

describe("a throttling carrier", () => {
  test("pauses all requests for the Retry-After time, at most a day", () => {
    const paused = after(untouchedAccess, outcome("throttled", { retryAfterMs: 120_000 }));
    expect(permitRequest(paused, unlimited, at(119_999))).toMatchObject({ reason: "paused", retryInMs: 1 });
    expect(after(paused, outcome("throttled", { retryAfterMs: 1_000 })).pausedUntil).toBe(paused.pausedUntil);
    expect(permitRequest(paused, unlimited, at(120_000)).kind).toBe("granted");
    const forYears = after(untouchedAccess, outcome("throttled", { retryAfterMs: 1e12 }));
    expect(forYears.pausedUntil).toBe(addMs(start, 86_400_000));
  });

  test("doubles the pause each time when the carrier gives no Retry-After", () => {
    const once = after(untouchedAccess, outcome("throttled"));
    expect(once.pausedUntil).toBe(addMs(start, 60_000));
    expect(after(once, outcome("throttled"), 60_000).pausedUntil).toBe(addMs(start, 180_000));
    expect(after(once, outcome("answered")).throttles).toBe(0);
  });
});

describe("a test call", () => {
  const open = Array.from({ length: failuresUntilOpen }).reduce<CarrierAccess>(
    (each) => after(each, outcome("failed")),
    untouchedAccess,
  );

  test("is permitted while the breaker is open, and leaves it open until the carrier has answered", () => {
    const permit = permitTest(open, unlimited, at(1));
    if (permit.kind !== "granted") throw new Error(permit.reason);
    expect(permit.access).toMatchObject({ openUntil: open.openUntil, openings: 1, dayCount: 1 });
    expect(after(permit.access, outcome("answered"), 2).openUntil).toBeNull();
    expect(after(permit.access, outcome("rejected"), 2).openUntil).toBe(open.openUntil);
  });

  test("is denied by a pause and by a spent day", () => {
    const paused = after(open, outcome("throttled", { retryAfterMs: 120_000 }));
    expect(permitTest(paused, unlimited, at(1_000))).toEqual({ kind: "denied", reason: "paused", retryInMs: 119_000 });
    const once = permitTest(open, limits({ perDay: 1 }), at(0));
    if (once.kind !== "granted") throw new Error(once.reason);
    expect(permitTest(once.access, limits({ perDay: 1 }), at(1))).toMatchObject({ reason: "daily_budget_exhausted" });
  });
});
