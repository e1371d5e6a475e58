import type { WatchedLoop } from "@svc/service-kit";

export interface Repetition {
  /** Resolves when the last run has ended. */
  stop(): Promise<void>;
}

/** Runs the work periodically; a run that takes longer delays the next one. */
export function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  loop?: WatchedLoop,
): Repetition {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        loop?.step();
        running = undefined;
      });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
      loop?.stop();
    },
  };
}

/** Limits calls to one per period; the others are dropped. */
export function atMostEvery(periodMs: number, call: (error: unknown) => void): (error: unknown) => void {
  let calledAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - calledAtMs < periodMs) return;
    calledAtMs = performance.now();
    call(error);
  };
}
