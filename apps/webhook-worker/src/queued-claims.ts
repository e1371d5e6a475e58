import type { DeliveryLane } from "@svc/domain";
import { type Database, type HeldDelivery, releaseClaims, renewLeases } from "@svc/persistence";
import type { DeliveryJob } from "./deliverer.ts";

/** How a job went on its way: through a generation of the queue's store, or null for this process itself. */
export type Route = string | null;

interface QueuedClaim extends HeldDelivery {
  readonly lane: DeliveryLane;
  readonly route: Route;
  readonly queuedAtMs: number;
  leasedAtMs: number;
}

/** The claims that this process made and that no worker has taken yet. Their leases are kept from here. */
export interface QueuedClaims {
  add(job: DeliveryJob, lane: DeliveryLane, route: Route): void;
  forget(notificationIds: readonly string[]): void;
  count(lane: DeliveryLane): number;
  /**
   * Extends their leases, and hands back those whose job is lost or has waited too long for it to be likely still there.
   * @param generation of the queue's store now; null while it is away.
   * @returns whether some were handed back.
   */
  keep(generation: string | null): Promise<boolean>;
  /** Hands all of them back. */
  releaseAll(): Promise<void>;
}

const renewAfterMs = 900;
const patienceMs = 15_000;

export function createQueuedClaims(database: Database, leaseMs: number): QueuedClaims {
  const claims = new Map<string, QueuedClaim>();

  const release = async (some: readonly QueuedClaim[]): Promise<void> => {
    for (const { notificationId } of some) claims.delete(notificationId);
    if (some.length > 0) await releaseClaims(database.sql, some);
  };

  return {
    add({ accountId, claimId, notificationIds }, lane, route) {
      const nowMs = performance.now();
      for (const notificationId of notificationIds) {
        claims.set(notificationId, {
          accountId,
          claimId,
          notificationId,
          lane,
          route,
          queuedAtMs: nowMs,
          leasedAtMs: nowMs,
        });
      }
    },
    forget(notificationIds) {
      for (const id of notificationIds) claims.delete(id);
    },
    count(lane) {
      let sum = 0;
      for (const claim of claims.values()) if (claim.lane === lane) sum += 1;
      return sum;
    },
    async keep(generation) {
      const nowMs = performance.now();
      const all = [...claims.values()];
      const lost = all.filter(
        ({ route, queuedAtMs }) => route !== null && (route !== generation || nowMs - queuedAtMs > patienceMs),
      );
      await release(lost);
      const old = [...claims.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (old.length > 0) {
        const ours = await renewLeases(database.sql, old, leaseMs, false);
        for (const claim of old) {
          claim.leasedAtMs = nowMs;
          // Taken by another process, or settled long ago.
          if (!ours.has(claim.notificationId)) claims.delete(claim.notificationId);
        }
      }
      return lost.length > 0;
    },
    releaseAll: () => release([...claims.values()]),
  };
}
