import type { WatchedLoop } from "./watchdog.ts";

export interface Repetition {
  /** Runs the work now, too, unless it is running. */
  run(): void;
  /** Aborts the signal of the run in progress. Resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Runs the work periodically, one run at a time. Does not keep the process running.
 *
 * @param work ends early, with what it has begun, when the signal aborts because the repetition is stopped.
 */
export function repeat(
  everyMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
  loop?: WatchedLoop,
): Repetition {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const run = (): void => {
    running ??= work(stopping.signal)
      .catch(onError)
      .finally(() => {
        loop?.step();
        running = undefined;
      });
  };
  const timer = setInterval(run, everyMs).unref();
  return {
    run,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
      loop?.stop();
    },
  };
}

const causesMax = 100;

/** What went wrong, without the parts of a message that differ each time. */
function causeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return String(code ?? name ?? error);
}

/** Limits calls to one per cause and period, so that a lasting failure does not fill the log. Drops the others. */
export function throttleByCause(periodMs: number, call: (error: unknown) => void): (error: unknown) => void {
  const calledAtMs = new Map<string, number>();
  return (error) => {
    const cause = causeOf(error);
    const now = performance.now();
    if (now - (calledAtMs.get(cause) ?? Number.NEGATIVE_INFINITY) < periodMs) return;
    if (calledAtMs.size >= causesMax) calledAtMs.clear();
    calledAtMs.set(cause, now);
    call(error);
  };
}
