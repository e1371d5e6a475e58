/** Endpoints that answer badly or slowly wait among themselves, so that they delay no other. */
export type DeliveryLane = "fast" | "slow";

/** An endpoint that takes this long is slow, whatever it answers then. */
export const slowAnswerMs = 1_000;
const fastToMs = 300;

/**
 * Whether an endpoint that took `durationMs` counts as slow; null between the two limits, where it stays what it was, so
 * that it does not change lanes with every answer.
 */
export function isSlowAnswer(durationMs: number): boolean | null {
  if (durationMs >= slowAnswerMs) return true;
  return durationMs <= fastToMs ? false : null;
}
