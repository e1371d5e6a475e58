import { mock } from "node:test";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createWatchdog, superviseLoops } from "./watchdog.ts";

beforeEach(() => {
  mock.timers.enable({ apis: ["Date", "setInterval"] });
});
afterEach(() => {
  mock.timers.reset();
});

/** Second by second, because one step over several intervals would show each of them the time at its end. */
function passSeconds(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) mock.timers.tick(1_000);
}

describe("the watchdog", () => {
  test("reports a loop that makes no step within its limit, until it makes one", () => {
    const watchdog = createWatchdog(Date.now);
    const relay = watchdog.watch("relay", 10_000);
    watchdog.watch("leases", 30_000);
    mock.timers.tick(10_001);
    expect(watchdog.stalled()).toEqual(["relay"]);
    relay.step();
    expect(watchdog.stalled()).toEqual([]);
  });

  test("does not report a loop that was stopped on purpose", () => {
    const watchdog = createWatchdog(Date.now);
    watchdog.watch("relay", 10_000).stop();
    passSeconds(60);
    expect(watchdog.stalled()).toEqual([]);
  });

  test("ends the process once, after a loop was stalled for the whole grace period", () => {
    const onStalled = mock.fn();
    const watchdog = createWatchdog(Date.now);
    watchdog.watch("relay", 10_000);
    superviseLoops(watchdog, onStalled);
    passSeconds(15);
    expect(onStalled.mock.callCount()).toBe(0);
    passSeconds(2);
    expect(onStalled.mock.calls.map((call) => call.arguments)).toEqual([[["relay"]]]);
    passSeconds(60);
    expect(onStalled.mock.callCount()).toBe(1);
  });

  test("lets a process that was suspended go on when its loops step within the grace period", () => {
    const onStalled = mock.fn();
    let now = 0;
    const watchdog = createWatchdog(() => now);
    const relay = watchdog.watch("relay", 10_000);
    superviseLoops(watchdog, onStalled);
    now = 3_600_000;
    passSeconds(3);
    relay.step();
    passSeconds(60);
    expect(onStalled.mock.callCount()).toBe(0);
  });
});
