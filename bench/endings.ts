const endings = new Set<() => Promise<void>>();
const shutdownLimitMs = 20_000;

/**
 * Registers the cleanup of a started resource, in case the run fails or is interrupted.
 * @returns the cleanup for normal use; it runs only once.
 */
export function onEnd(end: () => Promise<unknown>): () => Promise<void> {
  let ended: Promise<unknown> | undefined;
  const once = async (): Promise<void> => {
    ended ??= end();
    await ended;
    endings.delete(once);
  };
  endings.add(once);
  return once;
}

/** Runs the remaining cleanups, last first. A failing one is reported, and its resource ends with this process. */
export async function endAll(): Promise<void> {
  const late = setTimeout(() => process.exit(1), shutdownLimitMs);
  for (const end of [...endings].reverse()) {
    await end().catch((error: Error) => console.error(`While ending: ${error.message}`));
  }
  clearTimeout(late);
}

/** Rejects when the run must end: by a signal, or because its parent command has ended. */
export function interruption(): Promise<never> {
  return new Promise((_resolve, reject) => {
    // Ctrl-C comes more than once: to the whole group, and from the command that passes it on.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => reject(new Error(`Ended by ${signal}: nothing was measured to its end.`)));
    }
    process.on("disconnect", () => reject(new Error("The command that started the benchmarks is gone.")));
  });
}
