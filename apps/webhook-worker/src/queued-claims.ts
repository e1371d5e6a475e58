import type { DeliveryLane } from "@svc/domain";
import {
  type Database,
  type DeliveryClaim,
  findQueuedClaims,
  releaseClaims,
  renewQueuedClaims,
} from "@svc/persistence";

/** How a job went on its way: through a generation of the queue's store, or null for this process itself. */
export type Route = string | null;

interface QueuedClaim extends DeliveryClaim {
  readonly route: Route;
  readonly queuedAtMs: number;
  leasedAtMs: number;
}

/** The claims that this process made and that no worker has taken yet. Their leases are kept from here. */
export interface QueuedClaims {
  add(claim: DeliveryClaim, route: Route): void;
  forget(claimId: string): void;
  /** Deliveries in the claims of a lane. */
  count(lane: DeliveryLane): number;
  /**
   * Extends their leases, and hands back those whose job is lost or has waited too long for it to be likely still there.
   * @param generation of the queue's store now; null while it is away.
   * @returns whether some were handed back.
   */
  keep(generation: string | null): Promise<boolean>;
  /**
   * Forgets those that other processes have taken, which they tell nobody, so that they do not use up what may be queued. Asks
   * nothing as long as no other process takes any.
   * @returns whether there were any.
   */
  forgetTaken(): Promise<boolean>;
  /** Hands all of them back. */
  releaseAll(): Promise<void>;
}

const renewAfterMs = 900;
const patienceMs = 15_000;
const othersTakeForMs = 60_000;

export function createQueuedClaims(database: Database, leaseMs: number): QueuedClaims {
  const claims = new Map<string, QueuedClaim>();
  const counts: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  let othersTookAtMs = Number.NEGATIVE_INFINITY;

  const forget = (claimId: string): void => {
    const claim = claims.get(claimId);
    if (!claim) return;
    claims.delete(claimId);
    counts[claim.lane] -= claim.notificationIds.length;
  };

  /** @param ours ids of those that still wait. @returns whether others were asked for that do not. */
  const forgetOthers = (asked: readonly QueuedClaim[], ours: ReadonlySet<string>): boolean => {
    // Taken by another process, or settled long ago. What this one has taken meanwhile is forgotten already.
    const taken = asked.filter(({ claimId }) => claims.has(claimId) && !ours.has(claimId));
    for (const { claimId } of taken) forget(claimId);
    if (taken.length > 0) othersTookAtMs = performance.now();
    return taken.length > 0;
  };

  const release = async (some: readonly QueuedClaim[]): Promise<void> => {
    for (const { claimId } of some) forget(claimId);
    if (some.length > 0) await releaseClaims(database.sql, some);
  };

  return {
    forget,
    add(claim, route) {
      const nowMs = performance.now();
      forget(claim.claimId);
      claims.set(claim.claimId, { ...claim, route, queuedAtMs: nowMs, leasedAtMs: nowMs });
      counts[claim.lane] += claim.notificationIds.length;
    },
    count: (lane) => counts[lane],
    async keep(generation) {
      const nowMs = performance.now();
      const all = [...claims.values()];
      const lost = all.filter(
        ({ route, queuedAtMs }) => route !== null && (route !== generation || nowMs - queuedAtMs > patienceMs),
      );
      await release(lost);
      const old = [...claims.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (old.length > 0) {
        const ours = await renewQueuedClaims(database.sql, old, leaseMs);
        for (const claim of old) claim.leasedAtMs = nowMs;
        forgetOthers(old, ours);
      }
      return lost.length > 0;
    },
    async forgetTaken() {
      const asked = [...claims.values()].filter(({ route }) => route !== null);
      if (asked.length === 0 || performance.now() - othersTookAtMs > othersTakeForMs) return false;
      return forgetOthers(asked, await findQueuedClaims(database.sql, asked));
    },
    releaseAll: () => release([...claims.values()]),
  };
}
