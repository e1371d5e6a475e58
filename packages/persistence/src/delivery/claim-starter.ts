import type { Sql } from "../sql.ts";
import type { DeliveryAttempt } from "./attempt.ts";
import type { ClaimKey } from "./claim.ts";
import { startClaims } from "./start-claims.ts";

/** Starts claims in batches, so that many share one statement and one wait for the disk. */
export interface ClaimStarter {
  /**
   * Starts the attempts of a claim; none when it was started before, was lost, or its webhook is disabled or paused.
   * Rejects when the database does not respond; nothing may be sent then.
   */
  start(claim: ClaimKey): Promise<readonly DeliveryAttempt[]>;
}

interface Waiting {
  readonly claim: ClaimKey;
  readonly resolve: (attempts: readonly DeliveryAttempt[]) => void;
  readonly reject: (error: unknown) => void;
}

const batchMax = 64;

/**
 * The first claim starts at once; claims that arrive in the meantime form the next batch, so that batches grow with the
 * load.
 */
export function createClaimStarter(sql: Sql, leaseMs: number): ClaimStarter {
  let waiting: Waiting[] = [];
  let isRunning = false;

  const flush = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax);
      waiting = waiting.slice(batchMax);
      try {
        const claims = batch.map(({ claim }) => claim);
        const attempts = Map.groupBy(await startClaims(sql, claims, leaseMs), ({ claimId }) => claimId);
        for (const { claim, resolve } of batch) {
          resolve(attempts.get(claim.claimId) ?? []);
          // The queue may have delivered the same job twice.
          attempts.delete(claim.claimId);
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  };

  return {
    start(claim) {
      return new Promise((resolve, reject) => {
        waiting.push({ claim, resolve, reject });
        if (!isRunning) void flush();
      });
    },
  };
}
