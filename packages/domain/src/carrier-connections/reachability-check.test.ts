import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { addMs, hourMs, instant } from "../instant.ts";
import {
  type AccessOutcome,
  accessAfter,
  type CarrierAccess,
  type CarrierLimits,
  permitRequest,
  unlimited,
} from "./carrier-access.ts";
import { afterFailedCheck, afterPassedCheck, wasFoundUnreachable } from "./reachability-check.ts";
import { untouchedAccess } from "./testing/untouched-access.ts";

const start = instant("2026-03-01T00:00:00Z");
const timeoutMs = 10_000;
const checkMs = 8_000;

interface Outage {
  readonly lastsMs: number;
  /** Whether the servers answer the check while the API fails. */
  readonly checkPasses: boolean;
  readonly limits: CarrierLimits;
  readonly random: number;
}

/**
 * A carrier with subjects that are always due, until its first answer after the outage. Requests and checks that fail
 * take until their timeout.
 */
function recover({ lastsMs, checkPasses, limits, random }: Outage) {
  let access: CarrierAccess = untouchedAccess;
  let [requests, checks, nowMs] = [0, 0, 0];
  let request: { readonly endsMs: number; readonly isProbe: boolean } | null = null;
  let checkEndsMs: number | null = null;
  const context = () => {
    const at = addMs(start, nowMs);
    return { limits, now: { tracking: at, real: at }, random: () => random };
  };
  const outcome = (kind: AccessOutcome["kind"]): AccessOutcome => ({ kind, extraRequests: 0, retryAfterMs: null });
  for (; ; nowMs += 1_000) {
    const isBack = nowMs >= lastsMs;
    if (request !== null && nowMs >= request.endsMs) {
      request = null;
      access = accessAfter(access, outcome("unreachable"), context());
    }
    if (checkEndsMs !== null && nowMs >= checkEndsMs) {
      checkEndsMs = null;
      access = (checkPasses || isBack ? afterPassedCheck : afterFailedCheck)(access, context());
    }
    if (checkEndsMs === null && access.nextCheckAt !== null && access.nextCheckAt <= addMs(start, nowMs)) {
      checks++;
      checkEndsMs = nowMs + (checkPasses || isBack ? 0 : checkMs);
    }
    if (request !== null) continue;
    const permit = permitRequest(access, limits, context().now);
    if (permit.kind === "denied") continue;
    access = permit.access;
    if (isBack) return { afterMs: nowMs - lastsMs, requests, checks, dayCount: access.dayCount };
    requests++;
    request = { endsMs: nowMs + timeoutMs, isProbe: permit.isProbe };
  }
}

const random = fc.double({ min: 0, max: 0.999 });
const lasts = fc.integer({ min: 0, max: 4 * 3_600 }).map((seconds) => seconds * 1_000);

describe("after an outage of a carrier, in real time", () => {
  test("polls within 30 s after an outage of the network, with few requests during it", () => {
    fc.assert(
      fc.property(lasts, random, (lastsMs, jitter) => {
        const recovered = recover({ lastsMs, checkPasses: false, limits: unlimited, random: jitter });
        expect(recovered.afterMs).toBeLessThanOrEqual(30_000);
        // Five until the breaker opens, and its probes at growing intervals.
        expect(recovered.requests).toBeLessThanOrEqual(11 + lastsMs / (15 * 60_000));
        expect(recovered.checks).toBeLessThanOrEqual(3 + lastsMs / 20_000);
      }),
      { numRuns: 15 },
    );
  });

  test("polls within 30 s after an outage of the API behind responding servers, with at most a quarter of a day's limit", () => {
    fc.assert(
      fc.property(lasts, random, (lastsMs, jitter) => {
        const fast = recover({ lastsMs, checkPasses: true, limits: unlimited, random: jitter });
        expect(fast.afterMs).toBeLessThanOrEqual(30_000);
        const limits = { ...unlimited, perDay: 800 };
        const limited = recover({ lastsMs, checkPasses: true, limits, random: jitter });
        expect(limited.requests).toBeLessThanOrEqual(800 / 4 + 5);
      }),
      { numRuns: 15 },
    );
    expect(
      recover({ lastsMs: 9 * hourMs, checkPasses: true, limits: { ...unlimited, perDay: 800 }, random: 0 }).requests,
    ).toBeGreaterThan(100);
  });
});

const after = (access: CarrierAccess, kind: AccessOutcome["kind"]): CarrierAccess =>
  accessAfter(access, { kind, extraRequests: 0, retryAfterMs: null }, { ...context });
const context = { limits: unlimited, now: { tracking: start, real: start }, random: () => 0 };
const failed = (times: number): CarrierAccess =>
  Array.from({ length: times }).reduce<CarrierAccess>((access) => after(access, "unreachable"), untouchedAccess);

describe("a check", () => {
  test("is due after the first request without a response, and not after any other failure", () => {
    expect(failed(1)).toMatchObject({ unreachableSince: start, nextCheckAt: addMs(start, 5_000) });
    for (const kind of ["failed", "rejected", "throttled"] as const) {
      expect([kind, after(untouchedAccess, kind).nextCheckAt]).toEqual([kind, null]);
    }
  });

  test("is not made at a carrier that refuses, whose breaker stays open", () => {
    const refused = after(failed(5), "rejected");
    expect(refused).toMatchObject({ unreachableSince: start, nextCheckAt: null });
    expect(afterPassedCheck(refused, context)).toBe(refused);
    expect(afterFailedCheck(refused, context)).toBe(refused);
    expect(after(refused, "answered")).toMatchObject({ openUntil: null, unreachableSince: null });
  });

  test("waits for the end of a pause, after which the subjects that failed before are still to be polled", () => {
    const paused = after(failed(1), "throttled");
    expect(paused).toMatchObject({ unreachableSince: start, pausedUntil: addMs(start, 60_000) });
    expect(paused.nextCheckAt).toBe(paused.pausedUntil);
    expect(afterPassedCheck(paused, context)).toMatchObject({ unreachableSince: null, nextCheckAt: null });
  });

  test("that passes permits one probe, and goes on until the probe is answered", () => {
    const passed = afterPassedCheck(failed(5), context);
    const permit = permitRequest(passed, unlimited, context.now);
    if (permit.kind !== "granted") throw new Error(permit.reason);
    expect(permit.isProbe).toBe(true);
    expect(permitRequest(permit.access, unlimited, context.now)).toMatchObject({ reason: "probe_in_progress" });
    expect(permit.access.nextCheckAt).toBe(addMs(start, 12_000));
    expect(after(permit.access, "answered")).toMatchObject({
      openUntil: null,
      unreachableSince: null,
      nextCheckAt: null,
    });
  });

  test("repeats polls at a carrier that other answers prove to be up once only, unless it was seen unreachable", () => {
    const reachable = after(failed(1), "answered");
    expect(reachable).toMatchObject({ unreachableSince: start, nextCheckAt: addMs(start, 5_000) });
    expect([reachable, afterFailedCheck(reachable, context), failed(5)].map(wasFoundUnreachable)).toEqual([
      false,
      true,
      true,
    ]);
    expect(afterPassedCheck(reachable, context)).toMatchObject({ unreachableSince: null, nextCheckAt: null });
  });
});
