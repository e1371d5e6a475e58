/** The longest time between two instants of a list, from `sinceMs` on. */
export function longestPauseMs(timesMs: readonly number[], sinceMs: number): number {
  const times = [sinceMs, ...timesMs.filter((time) => time >= sinceMs).sort((one, other) => one - other)];
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
