/**
 * Caches the results of a lookup by key for `forMs` from the start of the lookup, because a result may be outdated when
 * it arrives. Concurrent calls share one lookup. Null results and errors are not cached.
 */
export function rememberBriefly<Value>(
  lookUp: (key: string) => Promise<Value | null>,
  { forMs, atMost }: { readonly forMs: number; readonly atMost: number },
): (key: string) => Promise<Value | null> {
  const remembered = new Map<string, { readonly value: Promise<Value | null>; readonly startedAtMs: number }>();
  return (key) => {
    const known = remembered.get(key);
    if (known && performance.now() - known.startedAtMs < forMs) return known.value;
    const lookup = { startedAtMs: performance.now(), value: lookUp(key) };
    if (remembered.size >= atMost) remembered.clear();
    remembered.set(key, lookup);
    const remove = (): void => {
      if (remembered.get(key) === lookup) remembered.delete(key);
    };
    lookup.value.then((value) => value ?? remove(), remove);
    return lookup.value;
  };
}
