/** Failing and slow endpoints have a separate lane, so that they do not delay others. */
export type DeliveryLane = "fast" | "slow";

/** An endpoint with this response time is slow, whatever the status. */
export const slowResponseMs = 1_000;
const fastToMs = 300;

/**
 * Whether a response time counts as slow. Null between the two limits (hysteresis): the endpoint keeps its lane, so it
 * does not change with every response.
 */
export function isSlowResponse(durationMs: number): boolean | null {
  if (durationMs >= slowResponseMs) return true;
  return durationMs <= fastToMs ? false : null;
}
