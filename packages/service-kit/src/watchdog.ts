/** A loop that the watchdog monitors. */
export interface WatchedLoop {
  /** Reports progress: the loop has finished a step, also one that failed and will be repeated. */
  step(): void;
  /** Ends the monitoring; call it when the loop is stopped on purpose. */
  stop(): void;
}

/**
 * Detects loops that hang, for example on a connection whose peer vanished without closing it. `runService` fails
 * liveness while a loop is stalled, and ends the process when it stays stalled, so that a supervisor restarts it.
 */
export interface Watchdog {
  /** @param limitMs longest time between two steps; above the sum of the timeouts within one step. */
  watch(name: string, limitMs: number): WatchedLoop;
  /** Names of the loops that exceed their limit now. */
  stalled(): readonly string[];
}

export function createWatchdog(nowMs: () => number = () => performance.now()): Watchdog {
  const loops = new Map<symbol, { readonly name: string; readonly limitMs: number; steppedAtMs: number }>();
  return {
    watch(name, limitMs) {
      const id = Symbol(name);
      const loop = { name, limitMs, steppedAtMs: nowMs() };
      loops.set(id, loop);
      return {
        step() {
          loop.steppedAtMs = nowMs();
        },
        stop() {
          loops.delete(id);
        },
      };
    },
    stalled() {
      const now = nowMs();
      return [...loops.values()]
        .filter(({ limitMs, steppedAtMs }) => now - steppedAtMs > limitMs)
        .map(({ name }) => name);
    },
  };
}

const checkEveryMs = 1_000;
/** A process that was suspended resumes with every loop late; its loops get this time to make a step. */
const graceMs = 5_000;

/** Calls `onStalled` once when at least one loop has been stalled for the whole grace period. */
export function superviseLoops(watchdog: Watchdog, onStalled: (loops: readonly string[]) => void): NodeJS.Timeout {
  let stalledForMs = 0;
  const timer = setInterval(() => {
    const loops = watchdog.stalled();
    stalledForMs = loops.length === 0 ? 0 : stalledForMs + checkEveryMs;
    if (stalledForMs <= graceMs) return;
    clearInterval(timer);
    onStalled(loops);
  }, checkEveryMs);
  return timer.unref();
}
