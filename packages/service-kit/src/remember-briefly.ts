/**
 * Answers of a look-up by key, kept for so long from when they were asked for: an answer may already be old when it arrives.
 * Those who ask while one is on its way wait for the same. What was not found, and what failed, is asked for again.
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
