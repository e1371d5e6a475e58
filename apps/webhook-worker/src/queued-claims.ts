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

export interface Kept {
  /** Some were handed back: they are due again. */
  readonly handedBack: boolean;
  /** Their jobs are lost, or nobody takes them. They are still ours, and to be begun without the queue. */
  readonly overdue: readonly DeliveryClaim[];
}

/** The claims that this process made and that no worker has taken yet. Their leases are kept from here. */
export interface QueuedClaims {
  add(claim: DeliveryClaim, route: Route): void;
  forget(claimId: string): void;
  /** As forget; and all that was queued long before it in the same lane should have come, too. */
  taken(claimId: string): void;
  /** Deliveries in the claims of a lane. */
  count(lane: DeliveryLane): number;
  /**
   * Extends their leases, hands back those whose store was emptied, and finds those whose job is lost: a worker may have ended
   * between fetching the job and beginning the claim.
   * @param generation of the queue's store now; null while it is away.
   * @param isEmpty whether no job of the lane waits in the queue; asked only when one has waited for long.
   */
  keep(generation: string | null, isEmpty: (lane: DeliveryLane) => Promise<boolean>): Promise<Kept>;
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
/**
 * The queue gives jobs in the order in which it got them, so this much later one would not have been taken before it. To be wrong costs a statement:
 * whoever takes a claim first has it.
 */
const overtakenByMs = 1_000;
/** Taken from the queue and not begun for so long. */
const emptyPatienceMs = 2_000;
/** Not taken from the queue for so long: perhaps nobody takes any. */
const patienceMs = 8_000;
const othersTakeForMs = 60_000;

export function createQueuedClaims(database: Database, leaseMs: number): QueuedClaims {
  const claims = new Map<string, QueuedClaim>();
  const counts: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  /** When the latest claim was queued that has been taken, for each lane. */
  const takenQueuedAtMs: Record<DeliveryLane, number> = {
    fast: Number.NEGATIVE_INFINITY,
    slow: Number.NEGATIVE_INFINITY,
  };
  let othersTookAtMs = Number.NEGATIVE_INFINITY;

  const forget = (claimId: string): void => {
    const claim = claims.get(claimId);
    if (!claim) return;
    claims.delete(claimId);
    counts[claim.lane] -= claim.notificationIds.length;
  };

  const taken = (claimId: string): void => {
    const claim = claims.get(claimId);
    if (claim && claim.route !== null) {
      takenQueuedAtMs[claim.lane] = Math.max(takenQueuedAtMs[claim.lane], claim.queuedAtMs);
    }
    forget(claimId);
  };

  /** @param ours ids of those that still wait. @returns whether others were asked for that do not. */
  const forgetOthers = (asked: readonly QueuedClaim[], ours: ReadonlySet<string>): boolean => {
    // Taken by another process, or settled long ago. What this one has taken meanwhile is forgotten already.
    const others = asked.filter(({ claimId }) => claims.has(claimId) && !ours.has(claimId));
    for (const { claimId } of others) taken(claimId);
    if (others.length > 0) othersTookAtMs = performance.now();
    return others.length > 0;
  };

  const release = async (some: readonly QueuedClaim[]): Promise<void> => {
    for (const { claimId } of some) forget(claimId);
    if (some.length > 0) await releaseClaims(database.sql, some);
  };

  const emptyLanes = async (
    some: readonly QueuedClaim[],
    isEmpty: (lane: DeliveryLane) => Promise<boolean>,
  ): Promise<ReadonlySet<DeliveryLane>> => {
    const nowMs = performance.now();
    const late = some.filter(({ route, queuedAtMs }) => route !== null && nowMs - queuedAtMs > emptyPatienceMs);
    const lanes = [...new Set(late.map(({ lane }) => lane))];
    const empty = await Promise.all(lanes.map(isEmpty));
    return new Set(lanes.filter((_lane, place) => empty[place]));
  };

  return {
    forget,
    taken,
    add(claim, route) {
      const nowMs = performance.now();
      forget(claim.claimId);
      claims.set(claim.claimId, { ...claim, route, queuedAtMs: nowMs, leasedAtMs: nowMs });
      counts[claim.lane] += claim.notificationIds.length;
    },
    count: (lane) => counts[lane],
    async keep(generation, isEmpty) {
      const nowMs = performance.now();
      const gone = [...claims.values()].filter(({ route }) => route !== null && route !== generation);
      await release(gone);
      const old = [...claims.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (old.length === 0) return { handedBack: gone.length > 0, overdue: [] };
      // Asked before those that have been begun are, so that who took the last job had the time of both answers to begin it.
      const empty = await emptyLanes(old, isEmpty);
      const ours = await renewQueuedClaims(database.sql, old, leaseMs);
      for (const claim of old) claim.leasedAtMs = nowMs;
      forgetOthers(old, ours);
      const overdue = old.filter(({ claimId, lane, route, queuedAtMs }) => {
        if (route === null || !claims.has(claimId)) return false;
        const waitedMs = nowMs - queuedAtMs;
        if (takenQueuedAtMs[lane] - queuedAtMs > overtakenByMs) return true;
        return waitedMs > (empty.has(lane) ? emptyPatienceMs : patienceMs);
      });
      return { handedBack: gone.length > 0, overdue };
    },
    async forgetTaken() {
      const asked = [...claims.values()].filter(({ route }) => route !== null);
      if (asked.length === 0 || performance.now() - othersTookAtMs > othersTakeForMs) return false;
      return forgetOthers(asked, await findQueuedClaims(database.sql, asked));
    },
    releaseAll: () => release([...claims.values()]),
  };
}
