const cachedOwnersMax = 10_000;

/**
 * Counts the 304 responses of each owner and returns whether the present one costs a request: every n-th does. Counted
 * in this process: each of several processes charges the same share of its responses.
 */
export function createNotModifiedPrice(perRequest: number): (owner: string) => boolean {
  const counts = new Map<string, number>();
  return (owner) => {
    const count = (counts.get(owner) ?? 0) + 1;
    if (counts.size >= cachedOwnersMax && !counts.has(owner)) counts.clear();
    counts.set(owner, count % perRequest);
    return count % perRequest === 0;
  };
}
