/**
 * Caches the results of a lookup by key for `forMs` from the start of the lookup, because a result may be outdated when
 * it arrives. Concurrent calls share one lookup. Null results and errors are not cached.
 */
export function cacheLookups<Value>(
  load: (key: string) => Promise<Value | null>,
  { forMs, atMost }: { readonly forMs: number; readonly atMost: number },
): (key: string) => Promise<Value | null> {
  const cache = new Map<string, { readonly value: Promise<Value | null>; readonly startedAtMs: number }>();
  return (key) => {
    const known = cache.get(key);
    if (known && performance.now() - known.startedAtMs < forMs) return known.value;
    const lookup = { startedAtMs: performance.now(), value: load(key) };
    if (cache.size >= atMost) cache.clear();
    cache.set(key, lookup);
    const remove = (): void => {
      if (cache.get(key) === lookup) cache.delete(key);
    };
    lookup.value.then((value) => value ?? remove(), remove);
    return lookup.value;
  };
}
