import type { DeliveryLane } from "@svc/domain/webhooks";
import type { Database } from "@svc/persistence";
import {
  type Claim,
  type ClaimKey,
  findQueuedClaims,
  releaseClaims,
  renewInFlightClaims,
  renewQueuedClaims,
} from "@svc/persistence/delivery";
import { isOverdue, lanesWithLateJobs, type QueuedJob, type Route } from "./overdue-claims.ts";

interface QueuedClaim extends Claim, QueuedJob {
  leasedAtMs: number;
}

interface InFlightClaim extends ClaimKey {
  /** Ids of the notifications that are not settled yet. */
  readonly unsettled: Set<string>;
  leasedAtMs: number;
}

export interface Renewal {
  /** Some claims were released: their deliveries are due again. */
  readonly hasReleased: boolean;
  /** Claims whose jobs are lost or not consumed. They are still leased here, and to be started without the queue. */
  readonly overdue: readonly Claim[];
}

/**
 * The claims whose leases this process holds: those that it queued and no worker has started, and those that it has
 * in flight.
 */
export interface ClaimRegistry {
  add(claim: Claim, route: Route): void;
  remove(claimId: string): void;
  /** The job arrived: removes the claim. Jobs that were queued much earlier and have not arrived count as overdue. */
  dequeued(claimId: string): void;
  started(claim: ClaimKey, notificationIds: readonly string[]): void;
  settled(claimId: string, notificationId: string): void;
  closed(claimId: string): void;
  /** Queued deliveries of a lane. */
  count(lane: DeliveryLane): number;
  renewInFlight(): Promise<void>;
  /**
   * Extends the leases of queued claims, releases those whose store was emptied, and finds those whose job is lost,
   * because a worker may have ended between fetching the job and starting the claim.
   * @param generation of the queue's store; null while it is unavailable.
   * @param isEmpty whether the queue has no job of the lane; called only when a claim has been queued for long.
   */
  renewQueued(generation: string | null, isEmpty: (lane: DeliveryLane) => Promise<boolean>): Promise<Renewal>;
  /**
   * Removes queued claims that other processes have started, so that they do not count towards the queue limit. Does
   * not query the database while no other process is known to start claims.
   * @returns whether there were any.
   */
  removeStarted(): Promise<boolean>;
  releaseQueued(): Promise<void>;
}

const renewAfterMs = 900;
const othersActiveForMs = 60_000;

export function createClaimRegistry(database: Database, leaseMs: number): ClaimRegistry {
  const queued = new Map<string, QueuedClaim>();
  const counts: Record<DeliveryLane, number> = { fast: 0, slow: 0 };
  /** When the newest claim that has arrived was queued. */
  const arrivedUpToMs: Record<DeliveryLane, number> = {
    fast: Number.NEGATIVE_INFINITY,
    slow: Number.NEGATIVE_INFINITY,
  };
  let othersActiveAtMs = Number.NEGATIVE_INFINITY;

  const remove = (claimId: string): void => {
    const claim = queued.get(claimId);
    if (!claim) return;
    queued.delete(claimId);
    counts[claim.lane] -= claim.notificationIds.length;
  };

  const dequeued = (claimId: string): void => {
    const claim = queued.get(claimId);
    if (claim && claim.route !== null) {
      arrivedUpToMs[claim.lane] = Math.max(arrivedUpToMs[claim.lane], claim.queuedAtMs);
    }
    remove(claimId);
  };

  /** @param stillQueued ids of the checked claims that are queued. @returns whether others have started some. */
  const removeOthers = (checked: readonly QueuedClaim[], stillQueued: ReadonlySet<string>): boolean => {
    // Claims that this process has started in the meantime are already removed.
    const others = checked.filter(({ claimId }) => queued.has(claimId) && !stillQueued.has(claimId));
    for (const { claimId } of others) dequeued(claimId);
    if (others.length > 0) othersActiveAtMs = performance.now();
    return others.length > 0;
  };

  const release = async (claims: readonly QueuedClaim[]): Promise<void> => {
    if (claims.length === 0) return;
    for (const { claimId } of claims) remove(claimId);
    await releaseClaims(database.sql, claims);
  };

  const { started, settled, closed, renewInFlight } = inFlightClaims(database, leaseMs);
  return {
    started,
    settled,
    closed,
    renewInFlight,
    remove,
    dequeued,
    add(claim, route) {
      const nowMs = performance.now();
      remove(claim.claimId);
      queued.set(claim.claimId, { ...claim, route, queuedAtMs: nowMs, leasedAtMs: nowMs });
      counts[claim.lane] += claim.notificationIds.length;
    },
    count: (lane) => counts[lane],
    async renewQueued(generation, isEmpty) {
      const nowMs = performance.now();
      const lost = [...queued.values()].filter(({ route }) => route !== null && route !== generation);
      await release(lost);
      const due = [...queued.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (due.length === 0) return { hasReleased: lost.length > 0, overdue: [] };
      // Read before the leases are renewed, so that a worker that fetched the last job has the time of both queries to
      // start it.
      const emptyLanes = await findEmptyLanes(due, isEmpty);
      const stillQueued = await renewQueuedClaims(database.sql, due, leaseMs);
      for (const claim of due) claim.leasedAtMs = nowMs;
      removeOthers(due, stillQueued);
      const progress = { arrivedUpToMs, emptyLanes };
      const overdue = due.filter((claim) => queued.has(claim.claimId) && isOverdue(claim, progress, nowMs));
      return { hasReleased: lost.length > 0, overdue };
    },
    async removeStarted() {
      const checked = [...queued.values()].filter(({ route }) => route !== null);
      if (checked.length === 0 || performance.now() - othersActiveAtMs > othersActiveForMs) return false;
      return removeOthers(checked, await findQueuedClaims(database.sql, checked));
    },
    releaseQueued: () => release([...queued.values()]),
  };
}

function inFlightClaims(
  database: Database,
  leaseMs: number,
): Pick<ClaimRegistry, "started" | "settled" | "closed" | "renewInFlight"> {
  const inFlight = new Map<string, InFlightClaim>();
  return {
    started({ accountId, claimId }, notificationIds) {
      inFlight.set(claimId, {
        accountId,
        claimId,
        unsettled: new Set(notificationIds),
        leasedAtMs: performance.now(),
      });
    },
    settled: (claimId, notificationId) => void inFlight.get(claimId)?.unsettled.delete(notificationId),
    closed: (claimId) => void inFlight.delete(claimId),
    async renewInFlight() {
      const nowMs = performance.now();
      const due = [...inFlight.values()].filter(({ leasedAtMs }) => nowMs - leasedAtMs > renewAfterMs);
      if (due.length === 0) return;
      const claims = due.map((claim) => ({ ...claim, notificationIds: [...claim.unsettled] }));
      await renewInFlightClaims(database.sql, claims, leaseMs);
      for (const claim of due) claim.leasedAtMs = nowMs;
    },
  };
}

/** Lanes that have a job queued for long and none in the queue. */
async function findEmptyLanes(
  claims: readonly QueuedClaim[],
  isEmpty: (lane: DeliveryLane) => Promise<boolean>,
): Promise<ReadonlySet<DeliveryLane>> {
  const lanes = lanesWithLateJobs(claims, performance.now());
  const empty = await Promise.all(lanes.map(isEmpty));
  return new Set(lanes.filter((_lane, index) => empty[index]));
}
