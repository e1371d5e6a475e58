import type { DeliveryLane } from "@svc/domain/webhooks";

/** Identifies a claim. The id is its fencing token: a process with another id cannot settle its deliveries. */
export interface ClaimKey {
  readonly accountId: string;
  readonly claimId: string;
}

/**
 * Deliveries of one webhook that are sent together: one job, one lease. `queued` until a worker starts it, then
 * `in_flight` until its last delivery is settled.
 */
export interface Claim extends ClaimKey {
  readonly webhookId: string;
  readonly lane: DeliveryLane;
  readonly notificationIds: readonly string[];
}

/**
 * Maximum number of deliveries in one claim. A slow endpoint must not delay others of its own job, and a fast one is
 * cheapest in large jobs.
 */
export const claimSizes: Readonly<Record<DeliveryLane, number>> = { fast: 25, slow: 1 };

/** The keys as the two array parameters of a statement. */
export const keyColumns = (claims: readonly ClaimKey[]): [accountIds: string[], claimIds: string[]] => [
  claims.map(({ accountId }) => accountId),
  claims.map(({ claimId }) => claimId),
];
