import type { Sql } from "../sql.ts";
import type { HeldClaim } from "./delivery-leases.ts";
import { type TakenDelivery, takeClaimed } from "./take-claimed.ts";

/** Gathers claims that are to be taken, so that many share one statement and one wait for the disk. */
export interface ClaimTaker {
  /**
   * Begins the attempts of a claim; none when it was given before, was lost, or its webhook is switched off or paused. Rejects
   * when the database does not answer: nothing may be sent then.
   */
  take(claim: HeldClaim): Promise<readonly TakenDelivery[]>;
}

interface Waiting {
  readonly claim: HeldClaim;
  readonly resolve: (taken: readonly TakenDelivery[]) => void;
  readonly reject: (error: unknown) => void;
}

const groupMax = 64;

/** The first is taken at once; what comes meanwhile is taken together after it, so that groups grow with the load. */
export function createClaimTaker(sql: Sql, leaseMs: number): ClaimTaker {
  let waiting: Waiting[] = [];
  let taking = false;

  const takeWaiting = async (): Promise<void> => {
    taking = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, groupMax);
      waiting = waiting.slice(groupMax);
      try {
        const claims = group.map(({ claim }) => claim);
        const taken = Map.groupBy(await takeClaimed(sql, claims, leaseMs), ({ claimId }) => claimId);
        for (const { claim, resolve } of group) {
          resolve(taken.get(claim.claimId) ?? []);
          // A queue may have given the same job twice.
          taken.delete(claim.claimId);
        }
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    taking = false;
  };

  return {
    take(claim) {
      return new Promise((resolve, reject) => {
        waiting.push({ claim, resolve, reject });
        if (!taking) void takeWaiting();
      });
    },
  };
}
