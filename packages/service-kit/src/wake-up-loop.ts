import type { WatchedLoop } from "./watchdog.ts";

export interface WakeUpLoop {
  /** Runs the work; once more when it is running, because the cause may have been committed after its query. */
  wake(): void;
  /** Resolves when the current run has ended. */
  stop(): Promise<void>;
}

/** Runs the work, one run at a time, when it is woken and in an interval that finds what no wake-up announced. */
export function startWakeUpLoop(options: {
  readonly pollingIntervalMs: number;
  readonly work: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly watched?: WatchedLoop | undefined;
}): WakeUpLoop {
  let isStopping = false;
  let isWoken = false;
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    while (isWoken && !isStopping) {
      isWoken = false;
      await options.work().catch(options.onError);
      options.watched?.step();
    }
    running = null;
  };
  const wake = (): void => {
    if (isStopping) return;
    isWoken = true;
    running ??= run();
  };

  const polling = setInterval(wake, options.pollingIntervalMs);
  return {
    wake,
    async stop() {
      isStopping = true;
      clearInterval(polling);
      await running;
      options.watched?.stop();
    },
  };
}
