import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, instant } from "../instant.ts";
import { nextPollInterval, pollJitter } from "./next-poll-interval.ts";
import { type FreshnessFacts, shipmentFreshness } from "./shipment-freshness.ts";
import type { ContainerStage, TrackingProgress } from "./tracking-progress.ts";

const began = instant("2026-03-01T00:00:00Z");
const after = (ms: number) => addMs(began, ms);

function progress(stages: readonly ContainerStage[], known: Partial<TrackingProgress> = {}): TrackingProgress {
  const container = { finalFullOutAt: null, terminatedAt: null, inlandEtaAt: null };
  const unknown = { bookingCancelledAt: null, etdAt: null, etaAt: null, ataAt: null, destinationAtaAt: null };
  const containers = stages.map((stage) => ({ stage, ...container }));
  return { ...unknown, latestEstimateAt: null, containers, ...known };
}

function facts(known: Partial<FreshnessFacts>): FreshnessFacts {
  const repliedAt = {
    lastSucceededAt: began,
    lastChangedAt: began,
    notFoundSince: null,
    stoppedAt: null,
    unchangedPolls: 0,
  };
  return { progress: progress(["landed"]), trackedSince: began, ...repliedAt, ...known };
}

const freshnessAfter = (ms: number, known: Partial<FreshnessFacts> = {}) =>
  shipmentFreshness(facts(known), after(ms)).freshness;

describe("a carrier that does not respond", () => {
  // A discharged container is polled every two hours.
  test.each([
    ["fresh", "for two polling intervals and their jitter", 4.4 * hourMs],
    ["late", "then", 4.4 * hourMs + 1],
    ["late", "for a day", 28.4 * hourMs],
    ["stale", "after a day", 28.4 * hourMs + 1],
  ])("is %s %s", (expected, _until, ms) => {
    expect(freshnessAfter(ms)).toBe(expected);
  });

  test("takes precedence over silence", () => {
    expect(freshnessAfter(20 * dayMs)).toBe("stale");
  });

  test("is measured from the start of tracking when no poll has succeeded", () => {
    const known = { progress: null, lastSucceededAt: null, lastChangedAt: null };
    expect([2, 3, 4].map((days) => freshnessAfter(days * dayMs, known))).toEqual(["fresh", "late", "stale"]);
  });
});

describe("a healthy carrier without changes", () => {
  const stages = ["booked", "at_origin", "at_sea", "at_transshipment", "arrived", "landed", "on_rail"] as const;

  // Polls an unchanged shipment for ten days, each poll as late as jitter allows, one of four lost.
  test.each(stages)("is never late while the container is %s, however slow polling has become", (stage) => {
    const known = {
      progress: progress([stage, "taken_out"], { etaAt: after(9 * dayMs) }),
      lastChangedAt: after(10 * dayMs),
    };
    let repliedCount = 0;
    for (let unchangedPolls = 0, polls = 1; repliedCount < 10 * dayMs; polls++) {
      const intervalMs = nextPollInterval(known.progress, after(repliedCount), unchangedPolls) * (1 + pollJitter);
      const nextMs = polls % 4 === 0 ? 2 * intervalMs : intervalMs;
      const lastSucceededAt = after(repliedCount);
      expect([polls, freshnessAfter(repliedCount + nextMs, { ...known, lastSucceededAt, unchangedPolls })]).toEqual([
        polls,
        "fresh",
      ]);
      repliedCount += nextMs;
      unchangedPolls++;
    }
  });
});

describe("a carrier that responds without changes", () => {
  const answering = (ms: number, known: Partial<FreshnessFacts>) =>
    freshnessAfter(ms, { lastSucceededAt: after(ms), ...known });

  test.each([
    ["booked", 14],
    ["at_origin", 7],
    ["at_sea", 10],
    ["at_transshipment", 10],
    ["arrived", 3],
    ["landed", 7],
    ["on_rail", 5],
    ["taken_out", 21],
  ] as const)("is silent when it is %s after %d days", (stage, days) => {
    const known = { progress: progress([stage]) };
    expect([answering(days * dayMs, known), answering(days * dayMs + 1, known)]).toEqual(["fresh", "silent"]);
  });

  test("is not silent while the terminal reports that the discharged containers are there", () => {
    const checked = (ms: number, stages: readonly ContainerStage[] = ["landed"]) =>
      answering(15 * dayMs, { progress: progress(stages), terminalsRepliedAt: after(15 * dayMs - ms) });
    expect([checked(0), checked(dayMs), checked(dayMs + 1)]).toEqual(["fresh", "fresh", "silent"]);
    expect(checked(0, ["landed", "on_rail"])).toBe("silent");
    expect(answering(15 * dayMs, { terminalsRepliedAt: null })).toBe("silent");
  });

  test("is never silent after the empty return; otherwise the shortest period decides", () => {
    expect(answering(90 * dayMs, { progress: progress(["returned"]) })).toBe("fresh");
    expect(answering(8 * dayMs, { progress: progress(["returned", "taken_out", "landed"]) })).toBe("silent");
  });

  test("is silent 36 hours after an overdue arrival, unless the ETA was postponed", () => {
    const etaAt = after(2 * dayMs);
    const known = { progress: progress(["at_sea"], { etaAt }) };
    expect(answering(2 * dayMs + 36 * hourMs, known)).toBe("fresh");
    expect(answering(2 * dayMs + 37 * hourMs, known)).toBe("silent");
    const putOff = { progress: progress(["at_sea"], { etaAt: after(6 * dayMs) }) };
    expect(answering(2 * dayMs + 37 * hourMs, putOff)).toBe("fresh");
  });

  test("is silent as soon as it no longer knows the number", () => {
    expect(answering(hourMs, { notFoundSince: after(hourMs - 1) })).toBe("silent");
  });
});

test("a shipment whose tracking has stopped has no freshness", () => {
  const ended = shipmentFreshness(facts({ stoppedAt: after(dayMs) }), after(90 * dayMs));
  expect(ended).toEqual({ freshness: null, answerExpectedBy: null, changeExpectedBy: null });
});
