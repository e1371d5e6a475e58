export interface Repetition {
  /** Resolves when the last run has ended. */
  stop(): Promise<void>;
}

/** Runs the work every so often; a run that takes longer delays the next one. */
export function repeat(everyMs: number, work: () => Promise<void>, onError: (error: unknown) => void): Repetition {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, everyMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

/** Lets one call through and drops the others of the time after it. */
export function atMostEvery(quietMs: number, tell: (error: unknown) => void): (error: unknown) => void {
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - toldAtMs < quietMs) return;
    toldAtMs = performance.now();
    tell(error);
  };
}
