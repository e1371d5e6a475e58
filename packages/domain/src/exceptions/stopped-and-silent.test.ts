import { expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, instant } from "../instant.ts";
import type { TrackingProgress } from "../tracking/tracking-progress.ts";
import { exceptionCause, exceptionSummary } from "./describe-exception.ts";
import { evaluateShipment, type ShipmentExceptionFacts } from "./exception-rules.ts";
import { now, shipment } from "./testing/exception-facts.ts";

const evaluate = (changes: Partial<ShipmentExceptionFacts>) => evaluateShipment({ ...shipment, ...changes }, now);

test("an arrival stays overdue after tracking stopped without further reports, until the pickup", () => {
  const facts = {
    estimatedArrivalAt: addMs(now, -41.5 * dayMs),
    originalEtaAt: addMs(now, -48 * dayMs),
    lastSucceededAt: addMs(now, -20 * dayMs),
    stoppedAt: addMs(now, -dayMs),
  };
  const { found, nextCheckAt } = evaluate({ ...facts, stoppedReason: "no_updates_at_line" });
  expect(found.map((one) => [exceptionSummary(one), exceptionCause(one)])).toEqual([
    [
      "Arrival overdue for 41 days, tracking stopped",
      "The estimated arrival was 29 Apr 2026, and no arrival was reported. Tracking stopped on 9 Jun 2026: no arrival will be reported.",
    ],
    [
      "Arrival 48 days past the original ETA, tracking stopped",
      "The estimated arrival was 29 Apr 2026, and no arrival was reported. Tracking stopped on 9 Jun 2026: no arrival will be reported.",
    ],
  ]);
  expect(nextCheckAt).toBe(addMs(now, 0.5 * dayMs));
  // The carrier no longer knew the number when the estimate was still to come.
  const ahead = {
    ...facts,
    estimatedArrivalAt: now,
    originalEtaAt: now,
    stoppedReason: "no_updates_at_line",
  } as const;
  expect(evaluate(ahead)).toEqual({ found: [], nextCheckAt: addMs(now, dayMs) });
  for (const ended of [{ hasArrived: true }, { stoppedReason: "cancelled_by_user" }] as const)
    expect(evaluate({ ...facts, stoppedReason: "past_arrival_window", ...ended }).found).toEqual([]);
});

test("a carrier without replies is distinguished from one without updates, whose date is that of its report", () => {
  const progress: TrackingProgress = {
    bookingCancelledAt: null,
    etdAt: null,
    etaAt: null,
    ataAt: null,
    destinationAtaAt: null,
    latestEstimateAt: null,
    containers: [],
    reportedAt: instant("2026-05-20T10:00:00.000Z"),
  };
  const causesOf = (changes: Partial<ShipmentExceptionFacts>) =>
    evaluate({ progress, trackedSince: addMs(now, -90 * dayMs), ...changes }).found.map((one) => [
      exceptionSummary(one),
      exceptionCause(one),
    ]);
  const lastReply = addMs(now, -12 * dayMs);
  expect(causesOf({ lastSucceededAt: lastReply, lastChangedAt: lastReply })).toEqual([
    ["No reply from the carrier since 29 May 2026", "The last update of the carrier is of 20 May 2026."],
  ]);
  expect(causesOf({ progress: null, lastSucceededAt: null, lastChangedAt: null })).toEqual([
    ["No reply from the carrier since 12 Mar 2026", null],
  ]);
  expect(causesOf({ lastSucceededAt: now, lastChangedAt: addMs(now, -16 * dayMs) })).toEqual([
    ["No carrier update since 20 May 2026", null],
  ]);
});

test("a silent carrier is one while the shipment is tracked, and looked for again", () => {
  const silent = {
    trackedSince: addMs(now, -90 * dayMs),
    lastSucceededAt: now,
    lastChangedAt: addMs(now, -80 * dayMs),
  };
  const { found, nextCheckAt } = evaluate(silent);
  expect(found.map(exceptionSummary)).toEqual(["No carrier update since 22 Mar 2026"]);
  expect(nextCheckAt).toBe(addMs(now, 6 * hourMs));
  expect(evaluate({ ...silent, stoppedAt: now })).toEqual({ found: [], nextCheckAt: null });
});
