/** Failing and slow endpoints have a separate lane, so that they do not delay others. */
export type DeliveryLane = "fast" | "slow";

/** An endpoint that takes this long is slow, whatever it answers then. */
export const slowAnswerMs = 1_000;
const fastToMs = 300;

/**
 * Whether a response time counts as slow. Null between the two limits (hysteresis): the endpoint keeps its lane, so it
 * does not change with every response.
 */
export function isSlowAnswer(durationMs: number): boolean | null {
  if (durationMs >= slowAnswerMs) return true;
  return durationMs <= fastToMs ? false : null;
}
