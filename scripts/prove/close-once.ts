/** Runs `end` once: when a proof has ended, or when a signal stops it. @returns what to call when it has ended. */
export function closeOnce(end: () => Promise<void>): () => Promise<void> {
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => {
    ending ??= end();
    return ending;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      console.error(`Stopped by ${signal}.`);
      void close().finally(() => process.exit(1));
    });
  return close;
}
