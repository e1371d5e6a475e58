import { describe, expect, test } from "@jest/globals";
import { addMs, dayMs, hourMs, type Instant, instant } from "../instant.ts";
import { nextPollInterval } from "./next-poll-interval.ts";
import type { ContainerProgress, ContainerStage, TrackingProgress } from "./tracking-progress.ts";

const now = instant("2026-03-01T00:00:00Z");
const inDays = (days: number): Instant => addMs(now, days * dayMs);

const unknown: TrackingProgress = {
  bookingCancelledAt: null,
  etdAt: null,
  etaAt: null,
  ataAt: null,
  destinationAtaAt: null,
  latestEstimateAt: null,
  containers: [],
};

function container(stage: ContainerStage, known: Partial<ContainerProgress> = {}): ContainerProgress {
  return { stage, finalFullOutAt: null, terminatedAt: null, inlandEtaAt: null, ...known };
}

function hours(progress: Partial<TrackingProgress>, unchangedPolls = 0): number {
  return nextPollInterval({ ...unknown, ...progress }, now, unchangedPolls) / hourMs;
}

describe("polling cadence", () => {
  test.each([
    ["no container is named", {}, 12],
    ["no container is named, departs tomorrow", { etdAt: inDays(1) }, 4],
    ["no container is named, arrived", { ataAt: inDays(-1) }, 4],
    ["booked", { etdAt: inDays(10), containers: [container("booked")] }, 12],
    ["booked, departs in two days", { etdAt: inDays(2), containers: [container("booked")] }, 4],
    ["at origin", { etdAt: inDays(4), containers: [container("at_origin")] }, 4],
    ["at origin, departs today", { etdAt: inDays(0.5), containers: [container("at_origin")] }, 2],
    ["at sea, far", { etaAt: inDays(8), containers: [container("at_sea")] }, 12],
    ["at sea, no estimate", { containers: [container("at_sea")] }, 6],
    ["at sea, five days ahead", { etaAt: inDays(5), containers: [container("at_sea")] }, 6],
    ["at sea, two days ahead", { etaAt: inDays(2), containers: [container("at_sea")] }, 2],
    ["at sea, arrives today", { etaAt: inDays(0.5), containers: [container("at_sea")] }, 1],
    ["at sea, overdue", { etaAt: inDays(-2), containers: [container("at_sea")] }, 1],
    ["at sea, long overdue", { etaAt: inDays(-6), containers: [container("at_sea")] }, 3],
    ["waiting for the next vessel", { etaAt: inDays(20), containers: [container("at_transshipment")] }, 4],
    ["arrived", { containers: [container("arrived")] }, 1],
    ["discharged", { containers: [container("landed")] }, 2],
    ["on a train", { containers: [container("on_rail", { inlandEtaAt: inDays(3) })] }, 6],
    ["on a train, arrives today", { containers: [container("on_rail", { inlandEtaAt: inDays(0.5) })] }, 2],
    ["taken out", { containers: [container("taken_out", { finalFullOutAt: inDays(-3) })] }, 12],
    ["taken out long ago", { containers: [container("taken_out", { finalFullOutAt: inDays(-8) })] }, 24],
    ["returned", { containers: [container("returned")] }, 24],
  ])("%s", (_, progress, expected) => expect(hours(progress)).toBe(expected));

  test("the container with the shortest interval decides", () => {
    expect(hours({ containers: [container("returned"), container("landed"), container("taken_out")] })).toBe(2);
  });
  test("after ten unchanged polls the interval doubles, up to a day", () => {
    const containers = [container("landed")];
    expect([hours({ containers }, 9), hours({ containers }, 10), hours({ containers }, 50)]).toEqual([2, 4, 4]);
    expect(hours({ containers: [container("returned")] }, 10)).toBe(24);
  });
});
