import { setTimeout as delay } from "node:timers/promises";
import type { ReadinessCheck } from "./health.ts";
import type { Logger } from "./logger.ts";

const checkEveryMs = 1_000;

interface Loops {
  stop(): Promise<void>;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Why a worker could not start after it had waited. It ends the process as a rejection that no code handles. */
export class StartError extends Error {
  override readonly name = "StartError";

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/**
 * Starts the loops of a worker when a check succeeds, such as that of a migrated database: immediately, or later in the
 * background, so that meanwhile the process is live and reports why it is not ready. Rejects when starting fails
 * immediately; later that ends the process.
 */
export async function startWhenReady(
  check: ReadinessCheck,
  start: () => Promise<Loops>,
  logger: Logger,
): Promise<Loops> {
  const stopping = new AbortController();
  let reason: string | null = null;
  const isReady = async (): Promise<boolean> => {
    try {
      await check();
      return true;
    } catch (error) {
      if (messageOf(error) !== reason) logger.warn({ err: error }, "service.waiting");
      reason = messageOf(error);
      return false;
    }
  };
  /** @returns null when it was stopped before. */
  const startLater = async (): Promise<Loops | null> => {
    do await delay(checkEveryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    while (!stopping.signal.aborted && !(await isReady()));
    return stopping.signal.aborted ? null : start();
  };

  if (await isReady()) return start();
  const started = startLater().catch((error: unknown) => {
    throw new StartError(error);
  });
  return {
    async stop() {
      stopping.abort();
      await (await started)?.stop();
    },
  };
}
