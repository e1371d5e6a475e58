import { expect, test } from "@jest/globals";
import { repeat, throttleByCause } from "./repeat.ts";

test("calls once for each cause in a period", () => {
  const called: unknown[] = [];
  const report = throttleByCause(60_000, (error) => called.push(error));
  const full = (file: string) => Object.assign(new Error(`ENOSPC: ${file}`), { code: "ENOSPC" });
  const [first, other] = [full("a"), new TypeError("another cause")];
  for (const error of [first, full("b"), other, full("c"), other]) report(error);
  expect(called).toEqual([first, other]);
});

test("runs periodically and at once, one run at a time, and reports errors", async () => {
  const errors: unknown[] = [];
  let [runs, parallel] = [0, 0];
  const third = Promise.withResolvers<void>();
  const repetition = repeat(
    1,
    async () => {
      parallel += 1;
      runs += 1;
      await new Promise((resolve) => setImmediate(resolve));
      expect(parallel).toBe(1);
      parallel -= 1;
      if (runs === 3) third.resolve();
      if (runs === 2) throw new Error("no connection");
    },
    (error) => errors.push(error),
  );
  repetition.run();
  repetition.run();
  expect(runs).toBe(1);
  // The timer alone does not keep the process running, but this one does.
  const keepingAlive = setInterval(() => undefined, 1_000);
  await third.promise;
  clearInterval(keepingAlive);
  await repetition.stop();
  expect(errors).toEqual([new Error("no connection")]);
  const stoppedAfter = runs;
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(runs).toBe(stoppedAfter);
});

test("ends the monitoring once the last run has ended", async () => {
  const calls: string[] = [];
  const blocked = Promise.withResolvers<void>();
  const loop = { step: () => void calls.push("step"), stop: () => void calls.push("stop") };
  const repetition = repeat(
    3_600_000,
    () => blocked.promise,
    () => undefined,
    loop,
  );
  repetition.run();
  const stopped = repetition.stop();
  expect(calls).toEqual([]);
  blocked.resolve();
  await stopped;
  expect(calls).toEqual(["step", "stop"]);
});

test("aborts the signal of the run in progress when it is stopped", async () => {
  const signals: AbortSignal[] = [];
  const blocked = Promise.withResolvers<void>();
  const work = (signal: AbortSignal): Promise<void> => {
    signals.push(signal);
    return blocked.promise;
  };
  const repetition = repeat(3_600_000, work, () => undefined);
  repetition.run();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  const stopped = repetition.stop();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  blocked.resolve();
  await stopped;
});
