import { describe, expect, test } from "@jest/globals";
import { isOverdue, lanesWithLateJobs, type QueuedJob, type QueueProgress } from "./overdue-claims.ts";

const queuedAtMs = 100_000;
const job: QueuedJob = { lane: "fast", route: "generation", queuedAtMs };
const never = Number.NEGATIVE_INFINITY;
const waiting: QueueProgress = { arrivedUpToMs: { fast: never, slow: never }, emptyLanes: new Set() };
const emptied: QueueProgress = { ...waiting, emptyLanes: new Set(["fast"]) };
const after = (ms: number) => queuedAtMs + ms;

describe("isOverdue", () => {
  test("is true 8 s after the job was queued", () => {
    expect([8_000, 8_001].map((ms) => isOverdue(job, waiting, after(ms)))).toEqual([false, true]);
  });

  test("is true after 2 s when the lane has no job in the queue", () => {
    expect([2_000, 2_001].map((ms) => isOverdue(job, emptied, after(ms)))).toEqual([false, true]);
    expect(isOverdue({ ...job, lane: "slow" }, emptied, after(2_001))).toBe(false);
  });

  test("is true at once when a job of the lane that was queued more than 1 s later has arrived", () => {
    const arrived = (ms: number): QueueProgress => ({ ...waiting, arrivedUpToMs: { fast: after(ms), slow: never } });
    expect([1_000, 1_001].map((ms) => isOverdue(job, arrived(ms), after(ms)))).toEqual([false, true]);
    expect(isOverdue({ ...job, lane: "slow" }, arrived(1_001), after(1_001))).toBe(false);
  });

  test("is false for a job within this process", () => {
    expect(isOverdue({ ...job, route: null }, emptied, after(60_000))).toBe(false);
  });
});

test("lanesWithLateJobs names each lane with a job in the queue for more than 2 s once", () => {
  const jobs = [job, job, { ...job, lane: "slow" as const, route: null }, { ...job, queuedAtMs: after(1) }];
  expect(lanesWithLateJobs(jobs, after(2_001))).toEqual(["fast"]);
  expect(lanesWithLateJobs(jobs, after(2_000))).toEqual([]);
});
