import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";
import { repeat } from "./repeat.ts";

/** The tracking clock as numbers, from which the services create the domain's Clock. */
export interface TimeSource {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Speed relative to real time; 0 while paused. */
  scale(): number;
  close(): void;
}

interface ClockReading {
  readonly now: string;
  readonly scale: number;
  readonly paused: boolean;
  readonly revision: number;
}

export const realTime: TimeSource = { nowMs: () => Date.now(), scale: () => 1, close: () => undefined };

/** Short, because a demo sets the clock several times a second and waits until the services have followed. */
const readEveryMs = 100;
/** The clock responds at a change, or when there is none for two seconds. */
const readTimeoutMs = 5_000;
/** Difference between a reading and the expected time, in simulated time, beyond which the clock counts as set. */
const toleranceMs = 1_000;

/**
 * Follows the accelerated clock that the sandbox carrier serves at `url`, so that all services of a demo agree on the
 * time without a request for each use. GET returns `{now, scale, paused, revision}`; with `?after=<revision>` it waits
 * for the next change. Never runs backwards. Resolves after the first reading; rejects when there is none within 30 s.
 * `onChanged` is called shortly after the clock was set or changed speed.
 */
export async function followClock(
  url: string,
  logger: Logger,
  onChanged: () => void = () => undefined,
): Promise<TimeSource> {
  let base = { simulatedMs: 0, realMs: 0, scale: 1 };
  let latest = 0;
  let after = "";
  const closing = new AbortController();
  const read = async (): Promise<void> => {
    const signal = AbortSignal.any([AbortSignal.timeout(readTimeoutMs), closing.signal]);
    const response = await fetch(`${url}${after}`, { signal });
    if (!response.ok) throw new Error(`the clock at ${url} responded with status ${response.status}`);
    const { now, scale, paused, revision } = (await response.json()) as ClockReading;
    after = `?after=${revision}`;
    const before = base;
    base = { simulatedMs: Date.parse(now), realMs: performance.now(), scale: paused ? 0 : scale };
    const expectedMs = before.simulatedMs + (base.realMs - before.realMs) * before.scale;
    const isAhead = base.simulatedMs - expectedMs > toleranceMs + readEveryMs * base.scale;
    if (isAhead || base.scale !== before.scale) onChanged();
  };
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      await read();
      break;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await sleep(200);
    }
  }
  let failing = false;
  const reading = repeat(
    readEveryMs,
    async () => {
      await read();
      failing = false;
    },
    (error) => {
      if (!failing && !closing.signal.aborted) logger.warn({ err: error }, "clock.unreachable");
      failing = true;
    },
  );
  return {
    nowMs() {
      latest = Math.max(latest, base.simulatedMs + (performance.now() - base.realMs) * base.scale);
      return Math.floor(latest);
    },
    scale: () => base.scale,
    close() {
      closing.abort();
      void reading.stop();
    },
  };
}
