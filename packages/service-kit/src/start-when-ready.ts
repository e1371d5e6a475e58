import { setTimeout as delay } from "node:timers/promises";
import type { ReadinessCheck } from "./health.ts";
import type { Logger } from "./logger.ts";

const checkEveryMs = 1_000;

interface Loops {
  stop(): Promise<void>;
}

/**
 * Starts the loops of a worker when a check succeeds, such as that of a migrated database: immediately, or later in the
 * background, so that meanwhile the process is live and reports why it is not ready. Rejects when starting fails
 * immediately; later that ends the process, as an error at startup does.
 */
export async function startWhenReady(
  check: ReadinessCheck,
  start: () => Promise<Loops>,
  logger: Logger,
): Promise<Loops> {
  const stopping = new AbortController();
  try {
    await check();
  } catch (error) {
    logger.warn({ err: error }, "service.waiting");
    const started = startLater(check, start, stopping.signal);
    return {
      async stop() {
        stopping.abort();
        await (await started)?.stop();
      },
    };
  }
  return start();
}

/** @returns null when it was stopped before. */
async function startLater(
  check: ReadinessCheck,
  start: () => Promise<Loops>,
  stopping: AbortSignal,
): Promise<Loops | null> {
  while (!stopping.aborted) {
    await delay(checkEveryMs, undefined, { signal: stopping }).catch(() => undefined);
    const isReady = await check().then(
      () => true,
      () => false,
    );
    if (isReady && !stopping.aborted) return start();
  }
  return null;
}
