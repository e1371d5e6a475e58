import { expect, test } from "@jest/globals";
import { startWakeUpLoop } from "./wake-up-loop.ts";

const neverMs = 3_600_000;

function controlledRuns() {
  const runs: PromiseWithResolvers<void>[] = [];
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  };
  return { runs, work };
}

/** Every reaction that is due has run. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("runs once more for any number of wake-ups during a run", async () => {
  const { runs, work } = controlledRuns();
  const loop = startWakeUpLoop({ pollingIntervalMs: neverMs, work, onError: () => undefined });
  for (let wakeUps = 0; wakeUps < 3; wakeUps++) loop.wake();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await settled();
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  await settled();
  expect(runs).toHaveLength(2);
  loop.wake();
  expect(runs).toHaveLength(3);
  runs[2]?.resolve();
  await loop.stop();
});

test("runs in its interval, reports an error and continues", async () => {
  const errors: unknown[] = [];
  const twice = Promise.withResolvers<void>();
  const loop = startWakeUpLoop({
    pollingIntervalMs: 1,
    work: async () => {
      throw new Error("no connection");
    },
    onError: (error) => {
      if (errors.push(error) === 2) twice.resolve();
    },
  });
  await twice.promise;
  await loop.stop();
  expect(errors[0]).toEqual(new Error("no connection"));
});

test("stops after the current run, ends the monitoring, and runs no more", async () => {
  const { runs, work } = controlledRuns();
  const calls: string[] = [];
  const watched = { step: () => void calls.push("step"), stop: () => void calls.push("stop") };
  const loop = startWakeUpLoop({ pollingIntervalMs: neverMs, work, onError: () => undefined, watched });
  loop.wake();
  loop.wake();
  const stopped = loop.stop();
  loop.wake();
  expect(calls).toEqual([]);
  runs[0]?.resolve();
  await stopped;
  expect(calls).toEqual(["step", "stop"]);
  expect(runs).toHaveLength(1);
});
