import {
  type ConnectionTestClaim,
  claimConnectionTests,
  finishConnectionTest,
  releaseConnectionTest,
} from "@svc/persistence/carrier-connections";
import { runBatches, startWakeUpLoop, type WakeUpLoop, type WatchedLoop } from "@svc/service-kit";
import { type ConnectionTester, testConnection } from "./test-connection.ts";

/** Lease of a test, longer than any test call: wait for a permit, access token, query. */
const leaseMs = 90_000;
const testConcurrency = 8;
/** Polling in real time finds tests whose notification was lost, and those of a worker that died. */
const pollingIntervalMs = 2_000;

/**
 * Makes the test calls that the API requested: only this process may connect to carriers. Several workers may run it,
 * because each test is claimed.
 */
export function startConnectionTests(tester: ConnectionTester, watched?: WatchedLoop): WakeUpLoop {
  const { logger, context } = tester;
  const { sql } = context.database;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();

  const run = async (claim: ConnectionTestClaim): Promise<void> => {
    try {
      const outcome = await testConnection(tester, claim, stopping.signal);
      await finishConnectionTest(sql, claim, outcome);
    } catch (error) {
      // The test is not released after a failure: the next worker would fail at once, too, and call the carrier each
      // time.
      if (stopping.signal.aborted) await releaseConnectionTest(sql, claim).catch(() => undefined);
      else logger.warn({ err: error, connection_id: claim.id }, "connection_test.not_stored");
    }
  };

  const claimBatch = async (): Promise<boolean> => {
    const limit = testConcurrency - running.size;
    if (limit === 0) return false;
    const claims = await claimConnectionTests(sql, { limit, leaseMs });
    for (const claim of claims) {
      const test = run(claim).finally(() => {
        running.delete(test);
        loop.wake();
      });
      running.add(test);
    }
    return claims.length === limit;
  };

  const loop = startWakeUpLoop({
    pollingIntervalMs,
    work: () => runBatches(claimBatch, { signal: stopping.signal }),
    onError: (error) => logger.warn({ err: error }, "connection_test.not_claimed"),
    watched,
  });
  loop.wake();
  return {
    wake: loop.wake,
    async stop() {
      stopping.abort();
      await loop.stop();
      await Promise.all(running);
    },
  };
}
