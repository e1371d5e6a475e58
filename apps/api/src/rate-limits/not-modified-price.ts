const rememberedAtMost = 10_000;

/**
 * Which 304 responses count as a request: every n-th of one owner. Returns whether the present one does. Counted in
 * this process: each of several processes charges the same share of its responses.
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
