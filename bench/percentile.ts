/** The value at the given share (0 to 1) of the sorted values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** p50, p95 and p99 for a note. */
export const spreadOf = (values: readonly number[]): string =>
  [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${percentile(values, share).toFixed(1)}`).join(", ");

/**
 * Runs the work at a constant rate (open loop), and passes each call its due time (of `performance.now()`). Resolves
 * when all have ended.
 */
export async function atRate(
  perSecond: number,
  seconds: number,
  work: (index: number, dueMs: number) => Promise<void>,
): Promise<void> {
  const running: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let index = 0; index < perSecond * seconds; index += 1) {
    const dueMs = startedMs + (index * 1000) / perSecond;
    const waitMs = dueMs - performance.now();
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
    running.push(work(index, dueMs));
  }
  await Promise.all(running);
}
