/**
 * Caches the results of a lookup by key for `forMs` from the start of the lookup, because a result may be outdated when
 * it arrives. Concurrent calls share one lookup. Null results and errors are not cached.
 */
export function rememberBriefly<Value>(
  lookUp: (key: string) => Promise<Value | null>,
  { forMs, atMost }: { readonly forMs: number; readonly atMost: number },
): (key: string) => Promise<Value | null> {
  const remembered = new Map<string, { readonly value: Promise<Value | null>; readonly askedAtMs: number }>();
  return (key) => {
    const known = remembered.get(key);
    if (known && performance.now() - known.askedAtMs < forMs) return known.value;
    const asked = { askedAtMs: performance.now(), value: lookUp(key) };
    if (remembered.size >= atMost) remembered.clear();
    remembered.set(key, asked);
    const forget = (): void => {
      if (remembered.get(key) === asked) remembered.delete(key);
    };
    asked.value.then((value) => value ?? forget(), forget);
    return asked.value;
  };
}
