const endings = new Set<() => Promise<void>>();
const patienceMs = 20_000;

/**
 * Notes how to end what was started, for the case that the run fails or is interrupted. Whoever started it calls what
 * this returns when it is done; it is ended once only.
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

/** Ends everything that is still there, the last first. What cannot be ended is told, and ends with this process. */
export async function endAll(): Promise<void> {
  const late = setTimeout(() => process.exit(1), patienceMs);
  for (const end of [...endings].reverse()) {
    await end().catch((error: Error) => console.error(`While ending: ${error.message}`));
  }
  clearTimeout(late);
}

/** Rejects when the run is asked to end: by a signal, or because the command that started it is gone. */
export function interruption(): Promise<never> {
  return new Promise((_resolve, reject) => {
    // Ctrl-C comes more than once: to the whole group, and from the command that passes it on.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(signal, () => reject(new Error(`Ended by ${signal}: nothing was measured to its end.`)));
    }
    process.on("disconnect", () => reject(new Error("The command that started the benchmarks is gone.")));
  });
}
