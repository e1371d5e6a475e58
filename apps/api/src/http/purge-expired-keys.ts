import type { IdempotencyRepository } from "@svc/persistence/idempotency";
import { type Logger, repeat, runBatches } from "@svc/service-kit";

const everyMs = 600_000;
const purgeBatchMax = 1_000;

/** Purges stored responses that have expired, in batches, so that no statement locks many rows. */
export function purgeExpiredKeys(idempotency: IdempotencyRepository, logger: Logger): { stop(): Promise<void> } {
  const purge = (signal: AbortSignal): Promise<void> =>
    runBatches(async () => (await idempotency.purgeExpired(purgeBatchMax)) === purgeBatchMax, { signal });
  return repeat(everyMs, purge, (error) => logger.warn({ err: error }, "idempotency_keys.not_purged"));
}
