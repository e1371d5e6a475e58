const rememberedAtMost = 10_000;

/**
 * Which 304 responses count as a request: every n-th of one owner. Answers whether the present one does. Counted in this
 * process: each of several charges the same share of what it serves.
 */
export function createNotModifiedPrice(perRequest: number): (owner: string) => boolean {
  const counts = new Map<string, number>();
  return (owner) => {
    const count = (counts.get(owner) ?? 0) + 1;
    if (counts.size >= rememberedAtMost && !counts.has(owner)) counts.clear();
    counts.set(owner, count % perRequest);
    return count % perRequest === 0;
  };
}
