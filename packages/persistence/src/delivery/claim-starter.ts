import { Batcher } from "../batcher.ts";
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

const batchMax = 64;

export function createClaimStarter(sql: Sql, leaseMs: number): ClaimStarter {
  const starts = new Batcher<ClaimKey, readonly DeliveryAttempt[]>(batchMax, async (claims) => {
    const attempts = Map.groupBy(await startClaims(sql, claims, leaseMs), ({ claimId }) => claimId);
    return claims.map(({ claimId }) => {
      const started = attempts.get(claimId) ?? [];
      // The queue may have delivered the same job twice.
      attempts.delete(claimId);
      return started;
    });
  });
  return { start: (claim) => starts.add(claim) };
}
