import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, instant } from "@svc/domain";
import type { LiveRequest } from "@svc/persistence/tracking";
import { decideRequest } from "./request-lifecycle.ts";

const now = instant("2026-03-01T00:00:00Z");
const rules = { retryLimit: 14, manifestMs: 7 * dayMs };

const request = (rest: Partial<LiveRequest> = {}): LiveRequest => ({
  id: "0199f0a0-0000-7000-8000-000000000001",
  requestType: "bill_of_lading",
  requestNumber: "X1",
  normalizedNumber: "X1",
  scac: "MAEU",
  refNumbers: [],
  shipmentTags: [],
  customerId: null,
  status: "pending",
  failedReason: null,
  isRetrying: false,
  retryCount: 0,
  createdByUserId: null,
  awaitingManifestSince: null,
  shipmentId: null,
  rowVersion: 1,
  createdAt: now,
  updatedAt: now,
  ...rest,
});

describe("a request that awaits its manifest", () => {
  const waiting = (since = now) => request({ status: "awaiting_manifest", awaitingManifestSince: since });

  test("is not written again when nothing changes", () => {
    const decision = decideRequest(waiting(), { kind: "unknown", times: 2 }, addMs(now, 6 * hourMs), rules);
    expect(decision).toEqual({ change: null, event: null, nextPollInMs: 6 * hourMs });
  });

  test("is polled a last time when the waiting period ends", () => {
    const decision = decideRequest(waiting(), { kind: "unknown", times: 14 }, addMs(now, 6.5 * dayMs), rules);
    expect(decision.nextPollInMs).toBe(dayMs / 2);
  });

  test("survives an outage that is longer than the retry limit", () => {
    const retried = { ...waiting(), isRetrying: true, retryCount: 40 };
    const outcome = { kind: "no_reply", reason: "shipping_line_unreachable" } as const;
    expect(decideRequest(retried, outcome, addMs(now, 5 * dayMs), rules).change).toMatchObject({
      status: "awaiting_manifest",
      isRetrying: true,
      retryCount: 41,
    });
    expect(decideRequest(retried, outcome, addMs(now, 7 * dayMs), rules).change).toMatchObject({
      status: "failed",
      failedReason: "expired",
    });
  });

  test("resets the retry count once the carrier replies", () => {
    const retried = {
      ...waiting(),
      isRetrying: true,
      retryCount: 3,
      failedReason: "shipping_line_unreachable" as const,
    };
    const { change, event } = decideRequest(retried, { kind: "unknown", times: 1 }, addMs(now, hourMs), rules);
    expect(change).toMatchObject({ isRetrying: false, retryCount: 0, failedReason: null });
    expect(event).toBeNull();
  });
});

describe("a pending request", () => {
  test("is retried for a little more than 24 hours", () => {
    let waitedMs = 0;
    let tries = 0;
    let current = request();
    for (;;) {
      tries++;
      const outcome = { kind: "no_reply", reason: "unrecognized_response" } as const;
      const { change, nextPollInMs } = decideRequest(current, outcome, now, rules);
      if (nextPollInMs === null) {
        expect(change).toMatchObject({ status: "failed", failedReason: "retries_exhausted" });
        break;
      }
      waitedMs += nextPollInMs;
      current = { ...current, ...change };
    }
    expect(tries).toBe(14);
    expect(waitedMs).toBeGreaterThan(24 * hourMs);
    expect(waitedMs).toBeLessThan(26 * hourMs);
  });
});
