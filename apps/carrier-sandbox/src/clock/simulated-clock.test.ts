import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ClockError, SimulatedClock } from "./simulated-clock.ts";

const epoch = Date.parse("2026-01-01T00:00:00Z");

describe("the simulated clock", () => {
  let folder: string;
  let real = 0;
  let unsaved: unknown[] = [];
  const open = (scale = 1440) =>
    new SimulatedClock({
      path: join(folder, "clock.json"),
      scale,
      epoch,
      realNow: () => real,
      onUnsaved: (error) => unsaved.push(error),
    });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sandbox-clock-"));
    real = 0;
    unsaved = [];
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    expect(unsaved).toEqual([]);
  });

  test("runs scale times as fast as real time", () => {
    const clock = open(1440);
    real += 60_000;
    expect(new Date(clock.now()).toISOString()).toBe("2026-01-02T00:00:00.000Z");
  });

  test("does not advance while the process is down, to the millisecond after an orderly stop", () => {
    const clock = open();
    real += 1_000;
    const stopped = clock.now();
    clock.close();
    real += 3_600_000;
    expect(open().now()).toBe(stopped);
  });

  test("stays paused after a restart", () => {
    open().set({ paused: true });
    real += 60_000;
    const clock = open();
    expect(clock.read()).toMatchObject({ now: epoch, scale: 1440, paused: true });
  });

  test("rejects a change back in time and changes nothing", () => {
    const clock = open();
    clock.set({ now: epoch + 1_000, paused: true });
    expect(() => clock.set({ now: epoch, paused: false })).toThrow(ClockError);
    expect(() => clock.set({ scale: 0 })).toThrow(ClockError);
    expect(clock.read()).toMatchObject({ now: epoch + 1_000, scale: 1440, paused: true });
  });

  test("awaits the next change, not one that has happened, for as long as the signal permits", async () => {
    const clock = open();
    const { revision } = clock.read();
    const awaited = clock.changed(revision, new AbortController().signal);
    const { revision: changed } = clock.set({ paused: true });
    expect(changed).not.toBe(revision);
    await awaited;
    await clock.changed(revision, new AbortController().signal);
    const ending = new AbortController();
    const unchanged = clock.changed(changed, ending.signal);
    ending.abort();
    await unchanged;
  });

  test("rejects an invalid clock file", () => {
    writeFileSync(join(folder, "clock.json"), "{}");
    expect(() => open()).toThrow("is not a clock");
  });

  test("never returns an earlier time than before, through waits, restarts and changes", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("wait" as const), ms: fc.nat(100_000) }),
      fc.record({ kind: fc.constant("kill" as const) }),
      fc.record({ kind: fc.constant("stop" as const) }),
      fc.record({ kind: fc.constant("set" as const), aheadMs: fc.nat(1_000_000), paused: fc.boolean() }),
      fc.record({ kind: fc.constant("scale" as const), scale: fc.integer({ min: 1, max: 10_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        rmSync(join(folder, "clock.json"), { force: true });
        let clock = open();
        let last = clock.now();
        for (const each of steps) {
          if (each.kind === "wait") real += each.ms;
          if (each.kind === "stop") clock.close();
          if (each.kind === "stop" || each.kind === "kill") clock = open();
          if (each.kind === "set") clock.set({ now: clock.now() + each.aheadMs, paused: each.paused });
          if (each.kind === "scale") clock.set({ scale: each.scale });
          const now = clock.now();
          expect(now).toBeGreaterThanOrEqual(last);
          last = now;
        }
      }),
      { numRuns: 40 },
    );
  });
});
