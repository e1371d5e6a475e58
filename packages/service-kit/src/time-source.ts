import type { Logger } from "./logger.ts";

/** The tracking clock as numbers; the services make the domain's Clock of it. */
export interface TimeSource {
  /** Epoch milliseconds. */
  nowMs(): number;
  /** Times how much faster than real time it runs; 0 while paused. */
  scale(): number;
  close(): void;
}

interface ClockReading {
  readonly now: string;
  readonly scale: number;
  readonly paused: boolean;
}

export const realTime: TimeSource = { nowMs: () => Date.now(), scale: () => 1, close: () => undefined };

const readEveryMs = 500;

/**
 * Follows the accelerated clock that the sandbox carrier serves at `url` (GET answers `{now, scale, paused}`), so that a
 * demo's services agree on the time without asking for it at each step. Never runs backwards. Resolves after the first
 * reading; rejects when there is none within 30 s.
 */
export async function followClock(url: string, logger: Logger): Promise<TimeSource> {
  let base = { simulatedMs: 0, realMs: 0, scale: 1 };
  let latest = 0;
  const read = async (): Promise<void> => {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    if (!response.ok) throw new Error(`the clock at ${url} answered ${response.status}`);
    const reading = (await response.json()) as ClockReading;
    base = {
      simulatedMs: Date.parse(reading.now),
      realMs: performance.now(),
      scale: reading.paused ? 0 : reading.scale,
    };
  };
  const deadline = performance.now() + 30_000;
  for (;;) {
    try {
      await read();
      break;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  let failing = false;
  const timer = setInterval(() => {
    read().then(
      () => {
        failing = false;
      },
      (error: unknown) => {
        if (!failing) logger.warn({ err: error }, "clock.unreachable");
        failing = true;
      },
    );
  }, readEveryMs);
  timer.unref();
  return {
    nowMs() {
      latest = Math.max(latest, base.simulatedMs + (performance.now() - base.realMs) * base.scale);
      return Math.floor(latest);
    },
    scale: () => base.scale,
    close: () => clearInterval(timer),
  };
}
