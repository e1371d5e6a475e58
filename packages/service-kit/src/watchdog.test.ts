import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createWatchdog, superviseLoops } from "./watchdog.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe("the watchdog", () => {
  test("reports a loop that makes no step within its limit, until it makes one", () => {
    const watchdog = createWatchdog(Date.now);
    const relay = watchdog.watch("relay", 10_000);
    watchdog.watch("leases", 30_000);
    jest.advanceTimersByTime(10_001);
    expect(watchdog.stalled()).toEqual(["relay"]);
    relay.step();
    expect(watchdog.stalled()).toEqual([]);
  });

  test("does not report a loop that was stopped on purpose", () => {
    const watchdog = createWatchdog(Date.now);
    watchdog.watch("relay", 10_000).stop();
    jest.advanceTimersByTime(60_000);
    expect(watchdog.stalled()).toEqual([]);
  });

  test("ends the process once, after a loop was stalled for the whole grace period", () => {
    const onStalled = jest.fn();
    const watchdog = createWatchdog(Date.now);
    watchdog.watch("relay", 10_000);
    superviseLoops(watchdog, onStalled);
    jest.advanceTimersByTime(15_000);
    expect(onStalled).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2_000);
    expect(onStalled.mock.calls).toEqual([[["relay"]]]);
    jest.advanceTimersByTime(60_000);
    expect(onStalled).toHaveBeenCalledTimes(1);
  });

  test("lets a process that was suspended go on when its loops step within the grace period", () => {
    const onStalled = jest.fn();
    let now = 0;
    const watchdog = createWatchdog(() => now);
    const relay = watchdog.watch("relay", 10_000);
    superviseLoops(watchdog, onStalled);
    now = 3_600_000;
    jest.advanceTimersByTime(3_000);
    relay.step();
    jest.advanceTimersByTime(60_000);
    expect(onStalled).not.toHaveBeenCalled();
  });
});
