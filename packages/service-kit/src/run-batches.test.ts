import { expect, test } from "@jest/globals";
import { runBatches } from "./run-batches.ts";

const batchSize = 2;

/** Processes a number of records in batches of two. */
function batchesOf(count: number) {
  const batches: number[] = [];
  let remaining = count;
  const processBatch = async (): Promise<boolean> => {
    const processed = Math.min(batchSize, remaining);
    remaining -= processed;
    batches.push(processed);
    return processed === batchSize;
  };
  return { batches, processBatch };
}

test.each([
  [0, [0]],
  [3, [2, 1]],
  [4, [2, 2, 0]],
])("processes %i records until a batch is not full", async (count, expected) => {
  const { batches, processBatch } = batchesOf(count);
  await runBatches(processBatch, {});
  expect(batches).toEqual(expected);
});

test("reports progress after each batch", async () => {
  const { batches, processBatch } = batchesOf(3);
  const seen: number[] = [];
  await runBatches(processBatch, { watched: { step: () => void seen.push(batches.length) } });
  expect(seen).toEqual([1, 2]);
});

test("begins no batch after the signal aborted", async () => {
  const stopping = new AbortController();
  const { batches, processBatch } = batchesOf(100);
  await runBatches(
    async () => {
      if (batches.length === 2) stopping.abort();
      return processBatch();
    },
    { signal: stopping.signal },
  );
  expect(batches).toHaveLength(3);
  await runBatches(processBatch, { signal: stopping.signal });
  expect(batches).toHaveLength(3);
});

test("rejects with the error of a batch, and begins no other one", async () => {
  let batches = 0;
  const steps: number[] = [];
  const run = runBatches(
    async () => {
      batches += 1;
      if (batches === 2) throw new Error("no connection");
      return true;
    },
    { watched: { step: () => void steps.push(batches) } },
  );
  await expect(run).rejects.toThrow("no connection");
  expect([batches, steps]).toEqual([2, [1]]);
});

test("pauses between two batches, but not after the last one", async () => {
  const { batches, processBatch } = batchesOf(3);
  const startedAtMs: number[] = [];
  const beganAtMs = performance.now();
  await runBatches(
    () => {
      startedAtMs.push(performance.now() - beganAtMs);
      return processBatch();
    },
    { pauseMs: 50 },
  );
  const endedAtMs = performance.now() - beganAtMs;
  const [first = 0, second = 0] = startedAtMs;
  expect(batches).toEqual([2, 1]);
  // A timer may fire a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(49);
  expect(endedAtMs - second).toBeLessThan(49);
});
