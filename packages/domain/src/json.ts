/** Compares JSON values. Ignores the order of keys, which PostgreSQL changes, and treats null as absent. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b || (a == null && b == null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(first), ...Object.keys(second)])].every((key) =>
    jsonEqual(first[key], second[key]),
  );
}

/** The same text for equal values in any order of keys. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    part !== null && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
