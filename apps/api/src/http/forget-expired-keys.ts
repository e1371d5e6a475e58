import type { IdempotencyRepository } from "@svc/persistence/idempotency";
import type { Logger } from "@svc/service-kit";

const everyMs = 600_000;
const atOnce = 1_000;

/** Removes answers that were kept long enough, a bounded number at once, so that no statement holds many rows. */
export function forgetExpiredKeys(idempotency: IdempotencyRepository, logger: Logger): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let stopped = false;
  const tidy = async (): Promise<void> => {
    try {
      while (!stopped && (await idempotency.forgetExpired(atOnce)) === atOnce);
    } catch (error) {
      logger.warn({ err: error }, "idempotency.tidying_failed");
    }
  };
  const timer = setInterval(() => {
    running = running.then(tidy);
  }, everyMs);
  timer.unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
      return running;
    },
  };
}
